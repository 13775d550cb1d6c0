import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { AppDependencies } from "../../../../api/app.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { makeLoggerOptions, secretsOf } from "../../../../api/platform/monitoring/log.ts";
import { findMatters } from "../../../../api/selling/orders/attention.ts";
import { type NewOrder, placeOrder } from "../../../../api/selling/orders/place-order.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { openPaymentPage } from "../../../../api/selling/payments/open-page.ts";
import { makePayments } from "../../../../api/selling/payments/stripe-client.ts";
import { makePaymentSweep } from "../../../../api/selling/payments/sweep.ts";
import { secretKey, startStripe, webhookSecret } from "../../../stripe-stand-in/stand-in.ts";
import { startApi } from "../../api.ts";
import { newOrder } from "../orders/new-order.ts";
import { email, pageOptions } from "./page-options.ts";

const HOUR_MS = 3_600_000;

const buyer = {
  ...{ email, first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
  ...{ phone: null, vat_id: null },
};

/** An order of 189.00 EUR from the checkout, to be paid by card. */
export const cardOrder = (overrides: Partial<NewOrder> = {}): NewOrder =>
  newOrder({ buyer, payment_method: "card", placed_at: new Date(), ...overrides });

/** A shop that takes cards, and the stand-in for Stripe whose events reach it. */
export async function startCardShop(overrides: Partial<AppDependencies> = {}) {
  const standIn = await startStripe();
  const stripe = { secretKey, webhookSecrets: [webhookSecret], api: new URL(standIn.url) };
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const logger = { ...makeLoggerOptions(secretsOf({ stripe })), stream };
  const { app, get, ...own } = await startApi({ stripe, logger, ...overrides });
  const db = overrides.db ?? own.db;
  const payments = makePayments(db, stripe, makeFollowUp({ pushWhen: "manual" }));
  /** Warnings of the sweep. */
  const warnings: string[] = [];
  const runSweep = makePaymentSweep(payments, { warn: (_fields, message) => warnings.push(message) });
  standIn.target = async (payload, signature) => {
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
    const { id } = JSON.parse(payload);
    const countFailures = () => lines.filter((line) => line.includes(id)).length;
    const before = countFailures();
    const { statusCode } = await app.inject({ method: "POST", url: "/api/payments/stripe", headers, payload });
    // The answer comes before the payment is settled.
    const isUnderWay = async () => {
      const query = db.selectFrom("payment_events").select("id").where("id", "=", id).where("settled_at", "is", null);
      return statusCode === 200 && (await query.executeTakeFirst()) !== undefined && countFailures() === before;
    };
    while (await isUnderWay()) await sleep(5);
    return statusCode;
  };
  return {
    ...{ app, db, get, standIn, payments, warnings },
    place: async (order = cardOrder(), transaction = db) =>
      (await placeOrder(transaction, order, undefined, payments.followUp)).id,
    /** Opens the order's payment page; returns its id at Stripe, or undefined if nothing is to be paid. */
    async open(id: number): Promise<string | undefined> {
      const url = await openPaymentPage(payments, id, pageOptions(id));
      return url?.slice(url.lastIndexOf("/") + 1);
    },
    read: async (id = 1): Promise<Order> => (await get(`/api/orders/${id}`)).json(),
    /** The API's log. */
    logged: () => lines.join(""),
    sweep: () => runSweep(new AbortController().signal),
    mails: async (id = 1) => {
      const rows = await db.selectFrom("mails").select("kind").where("order_id", "=", id).orderBy("kind").execute();
      return rows.map(({ kind }) => kind);
    },
    /** What a person must look at in an order: the reason, and the amount with its currency. */
    matters: async (id = 1) =>
      (await findMatters(db, id)).map(({ reason, amount, currency }) =>
        amount === null ? reason : `${reason} ${Number(amount).toFixed(2)} ${currency}`,
      ),
    attempts: () => db.selectFrom("payment_attempts").selectAll().orderBy("id").execute(),
    /** As if all orders and pages were so many hours old, and nobody had asked about them since. */
    age: (hours: number) => age(db, hours),
  };
}

async function age(db: Db, hours: number): Promise<void> {
  const then = () => fromNow(-hours * HOUR_MS);
  await db.updateTable("orders").set({ placed_at: then() }).execute();
  await db
    .updateTable("payment_attempts")
    .set({ created_at: then(), asked_at: then(), expires_at: fromNow((23 - hours) * HOUR_MS) })
    .execute();
  await db
    .updateTable("payment_attempts")
    .set({ surplus_asked_at: then() })
    .where("surplus_asked_at", "is not", null)
    .execute();
  await db
    .updateTable("payment_events")
    .set({ unreadable_at: then() })
    .where("unreadable_at", "is not", null)
    .execute();
}

/** Fails unless the orders say of money what the stand-in's ledger says, order by order, to the last minor unit. */
export async function expectAgreement({
  db,
  standIn,
}: Pick<Awaited<ReturnType<typeof startCardShop>>, "db" | "standIn">) {
  const attempts = await db.selectFrom("payment_attempts").select(["order_id", "session_id", "currency"]).execute();
  const orderOf = new Map(attempts.map(({ session_id, order_id }) => [session_id, order_id]));
  const money = new Map<number | undefined, { taken: bigint; givenBack: bigint }>();
  for (const { sessionId, currency, taken, givenBack } of standIn.account.ledger) {
    // Another currency's amount isn't added to the order's; a person is told of it.
    if (currency !== "eur") continue;
    const order = orderOf.get(sessionId);
    const before = money.get(order) ?? { taken: 0n, givenBack: 0n };
    money.set(order, { taken: before.taken + BigInt(taken), givenBack: before.givenBack + BigInt(givenBack) });
  }
  const orders = await db
    .selectFrom("orders")
    .select(["id", "status", "payment_status", "payments", "refunds"])
    .orderBy("id")
    .execute();
  const cents = (amount: string) => BigInt(Math.round(Number(amount) * 100));
  const sum = (entries: { amount: string; status?: string; method?: string }[], ofCard = true) =>
    entries
      .filter(({ status = "paid", method = "card" }) => status === "paid" && (method === "card" || !ofCard))
      .reduce((total, { amount }) => total + cents(amount), 0n);
  const said = orders.flatMap(({ id, payments, refunds }) => {
    const each = { taken: sum(JSON.parse(payments)), givenBack: sum(JSON.parse(refunds)) };
    return each.taken > 0n || each.givenBack > 0n ? [[id, each] as const] : [];
  });
  expect(said).toEqual([...money].sort(([a = 0], [b = 0]) => a - b));
  const paidWithoutMoney = orders.filter(({ id, status, payment_status, payments }) => {
    const transferred = sum(JSON.parse(payments), false) - sum(JSON.parse(payments));
    return (status === "processing" || payment_status === "paid") && !money.get(id)?.taken && transferred === 0n;
  });
  expect(paidWithoutMoney).toEqual([]);
}
