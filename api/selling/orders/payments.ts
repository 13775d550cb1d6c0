import { formatMoney, parseMoney } from "../../contract/money.ts";
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { showMoney, sum } from "./money.ts";
import type { Order } from "./schema.ts";

type Payment = Order["payments"][number];
/** As in the API, with the reference, which the API doesn't show. */
type Refund = Order["refunds"][number] & { reference: string | null };

/** A payment to record. Method and reference identify it, so recording it twice counts once. */
export type NewPayment = Pick<Payment, "method" | "amount" | "status"> & { reference: string };
/** A refund to record, identified by its reference. */
export type NewRefund = Pick<Refund, "reason" | "amount"> & { reference: string; created_at: Date };

/**
 * Merges new information into known payments: new ones are appended, and amount and status of a known one are updated
 * until it is paid. Unchanged entries stay the same objects. Throws RangeError for an invalid amount, method or
 * reference, and for a change of a paid payment.
 */
export function mergePayments(known: readonly Payment[], given: readonly NewPayment[], digits: number): Payment[] {
  const merged = [...known];
  for (const { method, reference, status, ...rest } of given) {
    requireUnpadded(method, "method");
    requireUnpadded(reference, "reference");
    const payment = { method, reference, amount: readAmount(rest.amount, digits), status };
    const at = merged.findIndex((entry) => entry.method === method && entry.reference === reference);
    const entry = merged[at];
    if (!entry) merged.push({ id: nextId(merged), ...payment });
    else if (entry.amount === payment.amount && entry.status === status) continue;
    else if (entry.status === "paid")
      throw new RangeError(`The payment ${reference} is paid already and can't change. Record a refund instead.`);
    else merged[at] = { id: entry.id, ...payment };
  }
  return merged;
}

/** The same for refunds, which never change. */
export function mergeRefunds(known: readonly Refund[], given: readonly NewRefund[], digits: number): Refund[] {
  const merged = [...known];
  for (const { created_at, reason, ...rest } of given) {
    const { reference } = rest;
    requireUnpadded(reference, "reference");
    const amount = readAmount(rest.amount, digits);
    const entry = merged.find((entry) => entry.reference === reference);
    if (!entry) merged.push({ id: nextId(merged), reference, created_at: created_at.toISOString(), reason, amount });
    else if (entry.amount !== amount)
      throw new RangeError(`The refund ${reference} is recorded already with a different amount.`);
  }
  return merged;
}

/** What a recorded refund gave back after all: nothing if it failed later. */
export type RefundCorrection = Pick<NewRefund, "reference" | "amount">;

/** Refunds with other amounts than they were recorded with. Those that stay are the same objects. */
export const correctRefunds = (
  refunds: readonly Refund[],
  corrections: readonly RefundCorrection[],
  digits: number,
): Refund[] =>
  refunds.map((refund) => {
    const corrected = corrections.find(({ reference }) => reference === refund.reference);
    const amount = corrected && readAmount(corrected.amount, digits);
    return amount === undefined || amount === refund.amount ? refund : { ...refund, amount };
  });

/** The sum of the payments that came, in ten-thousandths. */
export const sumPaid = (payments: readonly Pick<Payment, "status" | "amount">[]): bigint =>
  sum(payments.flatMap(({ status, amount }) => (status === "paid" ? parseMoney(amount) : [])));

const nextId = (entries: readonly { id: number }[]) => Math.max(0, ...entries.map(({ id }) => id)) + 1;

/**
 * Normalises an amount to the currency's digits: "5" is "5.00" in EUR. Throws RangeError when it's invalid or negative.
 */
export function readAmount(text: string, digits: number): string {
  const amount = parseMoney(text, digits);
  if (amount < 0n) throw new RangeError("A payment, refund or discount can't be negative.");
  return formatMoney(amount, digits);
}

/** To the database `x` and `x ` are the same key (PAD SPACE). */
function requireUnpadded(text: string, field: "method" | "reference"): void {
  if (text === "" || text.trim() !== text) throw new RangeError(`A ${field} can't be empty or have spaces around it.`);
}

/** An order's payments, locked, for a transaction that has locked the order. */
export async function readPayments(db: Db, orderId: number, digits: number): Promise<Payment[]> {
  const rows = await db
    .selectFrom("order_payments")
    .select(["position as id", "method", "reference", "amount", "status"])
    .where("order_id", "=", orderId)
    .orderBy("position")
    .forUpdate() // as the order in change-order.ts
    .execute();
  return rows.map(({ amount, ...payment }) => ({ ...payment, amount: showMoney(amount, digits) }));
}

export async function readRefunds(db: Db, orderId: number, digits: number): Promise<Refund[]> {
  const rows = await db
    .selectFrom("order_refunds")
    .select(["position as id", "reference", "created_at", "reason", "amount"])
    .where("order_id", "=", orderId)
    .orderBy("position")
    .forUpdate()
    .execute();
  return rows.map(({ amount, created_at, ...refund }) => ({
    ...refund,
    created_at: toRfc3339(created_at),
    amount: showMoney(amount, digits),
  }));
}

/**
 * Inserts payments that aren't in `known`, where a duplicate is an error, and updates changed ones by their own key.
 */
export async function writePayments(
  db: Db,
  orderId: number,
  payments: readonly Payment[],
  known: readonly Payment[] = [],
): Promise<void> {
  const knownIds = new Set(known.map(({ id }) => id));
  const added = payments.filter(({ id }) => !knownIds.has(id));
  for (const { id, amount, status } of payments.filter(
    (payment) => knownIds.has(payment.id) && !known.includes(payment),
  ))
    await db
      .updateTable("order_payments")
      .set({ amount, status })
      .where("order_id", "=", orderId)
      .where("position", "=", id)
      .execute();
  if (added.length === 0) return;
  await db
    .insertInto("order_payments")
    .values(added.map(({ id, ...payment }) => ({ order_id: orderId, position: id, ...payment })))
    .execute();
}

/** Inserts refunds that aren't in `known`, and updates the amounts of changed ones. */
export async function writeRefunds(
  db: Db,
  orderId: number,
  refunds: readonly Refund[],
  known: readonly Refund[] = [],
): Promise<void> {
  const knownIds = new Set(known.map(({ id }) => id));
  for (const { id, amount } of refunds.filter((refund) => knownIds.has(refund.id) && !known.includes(refund)))
    await db
      .updateTable("order_refunds")
      .set({ amount })
      .where("order_id", "=", orderId)
      .where("position", "=", id)
      .execute();
  const added = refunds.filter(({ id }) => !knownIds.has(id));
  if (added.length === 0) return;
  const rows = added.map(({ id, created_at, ...refund }) => ({
    ...{ order_id: orderId, position: id, created_at: new Date(created_at) },
    ...refund,
  }));
  await db.insertInto("order_refunds").values(rows).execute();
}
