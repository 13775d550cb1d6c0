import { expect, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { writeJson } from "../../../../api/platform/database/columns.ts";
import { makeCancelUnpaid } from "../../../../api/selling/orders/cancel-unpaid.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { type FollowUp, placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { startApi } from "../../api.ts";
import { withWorkBetween } from "../../statements.ts";
import { shopFacts } from "../quote/shop.ts";
import { newLine, newOrder } from "./new-order.ts";

const buyer = {
  ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
  ...{ phone: null, vat_id: null },
};
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const bought = (days: number) => newOrder({ buyer, placed_at: daysAgo(days) });

/** A shop that cancels after `cancel_after_days`; `run` does a round of the job. */
async function start(cancel_after_days: number | null) {
  const api = await startApi();
  const transfer = {
    ...{ account_holder: "Shop", bank: null, iban: null, bic: null, due_days: 7 },
    cancel_after_days,
  };
  const facts = writeJson<unknown>(shopFacts({ transfer }));
  await api.db.insertInto("shop_facts").values({ id: 1, facts, imported_at: new Date() }).execute();
  const followUp = makeFollowUp({ pushWhen: "manual" });
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) };
  const run = (follow: FollowUp = followUp, db = api.db) =>
    makeCancelUnpaid(db, follow, log)(new AbortController().signal);
  const statuses = async () =>
    (await api.db.selectFrom("orders").select("status").orderBy("id").execute()).map(({ status }) => status);
  return { ...api, run, statuses, warnings };
}

test("an order that isn't paid in time is cancelled once, with a reason and a mail", async () => {
  const { db, get, run } = await start(14);
  await placeOrder(db, bought(15));
  await Promise.all([run(), run()]);
  const order = (await get("/api/orders/1")).json();
  expect(order).toMatchObject({
    ...{ status: "cancelled", cancel_reason: "Not paid within 14 days", version: 2, totals: { due: "0.00" } },
  });
  await run();
  expect((await get("/api/orders/1")).json()).toEqual(order);
  const mails = await db.selectFrom("mails").select(["order_id", "kind"]).execute();
  expect(mails).toEqual([{ order_id: 1, kind: "cancelled" }]);
});

test("fault 26: all others stay: in time, with any payment, with credit, free, by card, or not from the checkout", async () => {
  const { db, run, statuses } = await start(14);
  const payment = { method: "card", reference: "pi_1", amount: "189" };
  await placeOrder(db, bought(13));
  for (const status of ["pending", "failed", "voided", "authorized"] as const)
    await placeOrder(db, { ...bought(15), payments: [{ ...payment, status }] });
  await placeOrder(db, { ...bought(15), lines: [newLine({ unit_price: "0" })] });
  await placeOrder(db, newOrder({ placed_at: daysAgo(15) }));
  await placeOrder(db, { ...bought(15), payment_method: "card" });
  const { id } = await placeOrder(db, bought(15));
  await changeOrder(db, id, { status: "processing" });
  await run();
  expect(await statuses()).toEqual([...Array.from({ length: 8 }, () => "pending"), "processing"]);
});

test("fault 26: orders for which money comes after they were found stay as they are", async () => {
  const { db, run, statuses, warnings } = await start(14);
  for (let orders = 0; orders < 3; orders += 1) await placeOrder(db, bought(15));
  const payment = { method: "bank_transfer", reference: "44", amount: "189" };
  let statements = 0;
  // The shop's facts are read first, then the unpaid orders.
  const busy = withWorkBetween(db, async () => {
    statements += 1;
    if (statements !== 2) return;
    await recordPayment(db, 1, payment, makeFollowUp({ pushWhen: "manual" }));
    await changeOrder(db, 2, { payments: [{ ...payment, status: "pending" }] });
  });
  await run(undefined, busy);
  expect([await statuses(), warnings]).toEqual([["processing", "pending", "cancelled"], []]);
});

test("more orders than a batch are all cancelled, and none where the shop doesn't cancel", async () => {
  const { db, run, statuses } = await start(14);
  await db.transaction().execute(async (transaction) => {
    for (let index = 0; index < 51; index += 1) await placeOrder(transaction, bought(15));
  });
  await run();
  expect(new Set(await statuses())).toEqual(new Set(["cancelled"]));
  const patient = await start(null);
  await placeOrder(patient.db, bought(400));
  await patient.run();
  await patient.db.deleteFrom("shop_facts").execute();
  await patient.run();
  expect(await patient.statuses()).toEqual(["pending"]);
});

test("an order that can't be cancelled is logged, and keeps none of 60 others waiting", async () => {
  const { db, run, statuses, warnings } = await start(14);
  for (let orders = 0; orders < 61; orders += 1) await placeOrder(db, bought(15));
  const fault = new Error("broken");
  await run((_, { orderId }) => (orderId === 1 ? Promise.reject(fault) : Promise.resolve()));
  expect(await statuses()).toEqual(["pending", ...Array.from({ length: 60 }, () => "cancelled")]);
  expect(warnings).toEqual([{ err: fault, order: 1 }]);
});

test("the days of an order to be paid by transfer instead of by card count from then, whatever became of the card", async () => {
  const { db, run, statuses } = await start(14);
  const attempt = { method: "card", reference: "cs_1", amount: "189", status: "voided" } as const;
  for (let orders = 0; orders < 2; orders += 1)
    await placeOrder(db, { ...bought(40), payment_method: "card", payments: [attempt] });
  await changeOrder(db, 1, { payment_method: "transfer" }, daysAgo(13));
  await changeOrder(db, 2, { payment_method: "transfer" }, daysAgo(15));
  await run();
  expect(await statuses()).toEqual(["pending", "cancelled"]);
});
