import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { closeMatters, findMatters, type OpenMatter, sumUnsendable } from "./attention.ts";
import { changeOrder, type OrderChange } from "./change-order.ts";
import { sum } from "./money.ts";
import { readRefunds, sumPaid } from "./payments.ts";
import type { FollowUp } from "./place-order.ts";
import { findOrder } from "./queries.ts";
import { type NewFulfillment, recordFulfillment } from "./record-fulfillment.ts";
import { PaymentRefused, recordPayment } from "./record-payment.ts";
import type { Order } from "./schema.ts";

/** What a person reports or decides about an order. */
export type Act =
  | { name: "accept" | "hold" | "release" | "done" }
  | { name: "cancel"; reason: string | null }
  /** `amount` undefined: what is due. */
  | { name: "paid"; method: string; reference: string; amount: string | undefined }
  /** `items` undefined: all that wasn't sent yet. */
  | { name: "sent"; fulfillment: NewFulfillment; items: readonly { sku: string; quantity: number }[] | undefined }
  /** `amount` undefined: all that was paid. */
  | { name: "refunded"; reference: string; amount: string | undefined; reason: string | null };

/** An order before and after an act, and what a person must still look at. */
export interface Done {
  before: Order;
  after: Order;
  /** How many matters the act itself has closed. */
  closed: number;
  matters: OpenMatter[];
}

/**
 * Does it, and returns the order before and after; both are equal if it was done already. Throws RangeError,
 * PaymentRefused or FulfillmentRefused, and changes nothing, for an unknown number and for what isn't possible.
 */
export const actByPerson = (db: Db, number: string, act: Act, followUp: FollowUp): Promise<Done> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const before = await findByNumber(transaction, number);
    // Whoever holds an order that waited for the rest of its total releases it too.
    const reasons = act.name === "hold" ? (["part_paid"] as const) : undefined;
    const isClosing = act.name === "done" || act.name === "hold";
    const closed = isClosing ? await closeMatters(transaction, before.id, "command", { reasons }) : 0;
    if (act.name === "paid") await pay(transaction, before, act, followUp);
    else if (act.name === "sent") {
      const lines = act.items?.map((item) => findLine(before, item));
      await recordFulfillment(transaction, before.id, { ...act.fulfillment, lines }, followUp);
    } else if (act.name !== "done") {
      const change = act.name === "refunded" ? await toRefund(transaction, before, act) : toStatus(before, act);
      await changeOrder(transaction, before.id, { ...change, by: "person" }, new Date(), followUp);
    }
    const after = await findOrder(transaction, before.id);
    if (!after) throw new Error("The order is gone.");
    return { before, after, closed, matters: await findMatters(transaction, before.id) };
  });

/** An order, and what a person must look at in it. Throws RangeError for an unknown number. */
export async function showToPerson(db: Db, number: string): Promise<{ order: Order; matters: OpenMatter[] }> {
  const order = await findByNumber(db, number);
  return { order, matters: await findMatters(db, order.id) };
}

async function findByNumber(db: Db, number: string): Promise<Order> {
  const found = await db.selectFrom("orders").select("id").where("number", "=", number).executeTakeFirst();
  const order = found && (await findOrder(db, found.id));
  if (!order) throw new RangeError(`No order has the number ${number}.`);
  return order;
}

async function pay(db: Db, order: Order, { method, reference, amount }: Act & { name: "paid" }, followUp: FollowUp) {
  const recorded = order.payments.find((payment) => payment.method === method && payment.reference === reference);
  const due = parseMoney(order.totals.due) > 0n ? order.totals.due : undefined;
  const received = amount ?? (recorded?.status === "paid" ? recorded.amount : due);
  if (received === undefined)
    throw new PaymentRefused(`Nothing is due on ${order.number}. If money came all the same, write --amount.`);
  await recordPayment(db, order.id, { method, reference, amount: received }, followUp);
}

/** In an order from the checkout, a SKU has one line. */
function findLine(order: Order, { sku, quantity }: { sku: string; quantity: number }) {
  const line = order.lines.find((each) => each.sku === sku);
  if (!line) throw new RangeError(`${order.number} has no line with the SKU ${sku}.`);
  return { line_id: line.id, quantity };
}

function toStatus(order: Order, act: Exclude<Act, { name: "paid" | "sent" | "refunded" | "done" }>): OrderChange {
  if (act.name === "hold") return { status: "on_hold" };
  if (act.name === "cancel")
    return order.status === "cancelled" ? {} : { status: "cancelled", cancel_reason: act.reason };
  const from = act.name === "accept" ? "pending" : "on_hold";
  if (order.status !== from && order.status !== "processing")
    throw new RangeError(
      `${order.number} is ${order.status}. Only an order that is ${from} can be ${act.name === "accept" ? "accepted" : "released"}.`,
    );
  return { status: "processing" };
}

/** The order becomes `refunded` when nothing of what was paid is left. */
async function toRefund(
  db: Db,
  order: Order,
  { reference, amount, reason }: Act & { name: "refunded" },
): Promise<OrderChange> {
  const digits = currencyDigits(order.currency);
  const recorded = await readRefunds(db, order.id, digits);
  const known = recorded.find((refund) => refund.reference === reference);
  if (known && parseMoney(amount ?? known.amount, digits) === parseMoney(known.amount)) return {};
  const payments = order.payments.filter(({ status }) => status === "paid");
  const left = sumPaid(payments) - parseMoney(order.totals.refunded);
  if (left === 0n) throw new RangeError(`Nothing that was paid on ${order.number} is left to refund.`);
  if (amount === undefined && left > parseMoney(order.totals.total))
    throw new RangeError(`${order.number} was paid more than its total. Write how much goes back: --amount.`);
  const refund = { reference, reason, created_at: new Date(), amount: amount ?? formatMoney(left, digits) };
  if (parseMoney(refund.amount, digits) <= 0n) throw new RangeError("A refund must be larger than 0.");
  const byHand = sum(recorded.flatMap((each) => (isStripes(each) ? [] : parseMoney(each.amount))));
  const otherwise =
    sumPaid(payments.filter(({ method }) => method !== "card")) +
    (await sumUnsendable(db, order.id, order.currency)) -
    byHand;
  if (parseMoney(refund.amount, digits) > otherwise && (await isPaidByCard(db, order)))
    throw new RangeError(
      `${order.number} was paid by card. Refund it in Stripe's Dashboard: it appears here automatically.`,
    );
  const all = parseMoney(refund.amount, digits) === left;
  const open = order.status === "processing" || order.status === "on_hold" || order.status === "completed";
  return { refunds: [refund], ...(all && open ? { status: "refunded" } : {}) };
}

/** Whether a refund is known by Stripe's id, so that Stripe has made it. */
const isStripes = ({ reference }: { reference: string | null }) => /^(re|pyr)_[A-Za-z0-9]+$/.test(reference ?? "");

/** Whether a payment by card is Stripe's, whose refunds are recorded when Stripe makes them. */
async function isPaidByCard(db: Db, { id }: Order): Promise<boolean> {
  const paid = db.selectFrom("payment_attempts").select("id").where("order_id", "=", id).where("state", "=", "paid");
  return (await paid.executeTakeFirst()) !== undefined;
}
