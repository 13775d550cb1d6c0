import { toRfc3339 } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { formatMoney, parseMoney, showMoney } from "./money.ts";
import type { Order } from "./schema.ts";

type Payment = Order["payments"][number];
/** As the API shows it, and the reference, which it doesn't show. */
type Refund = Order["refunds"][number] & { reference: string | null };

/** A payment as it is recorded. Its method and reference say which one it is, so that recording it twice counts once. */
export type NewPayment = Pick<Payment, "method" | "amount" | "status"> & { reference: string };
/** A refund as it is recorded, known again by its reference. */
export type NewRefund = Pick<Refund, "reason" | "amount"> & { reference: string; created_at: Date };

/**
 * What is known, brought up to what is given: new payments are added at the end, and of a known one amount and status
 * follow, until it is paid; the entries that stay as they are keep their identity. Throws RangeError on an amount that
 * the currency can't have, on a reference that is none, and on another word about money that was received.
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
      throw new RangeError(
        `The payment ${reference} is paid already and stays as it is: record what goes back as a refund.`,
      );
    else merged[at] = { id: entry.id, ...payment };
  }
  return merged;
}

/** The same for refunds, of which none ever changes. */
export function mergeRefunds(known: readonly Refund[], given: readonly NewRefund[], digits: number): Refund[] {
  const merged = [...known];
  for (const { created_at, reason, ...rest } of given) {
    const { reference } = rest;
    requireUnpadded(reference, "reference");
    const amount = readAmount(rest.amount, digits);
    const entry = merged.find((entry) => entry.reference === reference);
    if (!entry) merged.push({ id: nextId(merged), reference, created_at: created_at.toISOString(), reason, amount });
    else if (entry.amount !== amount)
      throw new RangeError(`The refund ${reference} is recorded already, with another amount.`);
  }
  return merged;
}

const nextId = (entries: readonly { id: number }[]) => Math.max(0, ...entries.map(({ id }) => id)) + 1;

/** An amount as given, with the currency's own digits: "5" is "5.00" in EUR. Throws RangeError, on a negative one too. */
export function readAmount(text: string, digits: number): string {
  const amount = parseMoney(text, digits);
  if (amount < 0n) throw new RangeError("A payment, a refund or a discount is negative.");
  return formatMoney(amount, digits);
}

/** `x` and `x ` are one key in the database, whose collation pads with spaces. */
function requireUnpadded(text: string, field: "method" | "reference"): void {
  if (text === "" || text.trim() !== text) throw new RangeError(`A ${field} can't be empty or have spaces around it.`);
}

/** An order's payments, for a transaction that holds the order's row and is going to write them. */
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

/** Writes what differs from `known`: new payments are inserted, so that a clash is an error, and changed ones updated. */
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

/** Writes refunds that are new. */
export async function writeRefunds(db: Db, orderId: number, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return;
  const rows = refunds.map(({ id, created_at, ...refund }) => ({
    ...{ order_id: orderId, position: id, created_at: new Date(created_at) },
    ...refund,
  }));
  await db.insertInto("order_refunds").values(rows).execute();
}
