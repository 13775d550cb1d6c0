import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { oneLine } from "../../contract/patterns.ts";
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { ActRefused } from "./act-refused.ts";
import { changeOrder } from "./change-order.ts";
import { readPayments, sumPaid } from "./payments.ts";
import type { FollowUp } from "./place-order.ts";
import { readReportTime } from "./report-time.ts";

/** Money that came, as a person or a partner reports it. */
export interface ReceivedPayment {
  /** How it was paid: `bank_transfer`. */
  method: string;
  /** Identifies the payment within its order, together with the method. */
  reference: string;
  /** A decimal string in the order's currency. */
  amount: string;
  /** The currency that it was reported in, to be checked; undefined for the order's. */
  currency?: string | undefined;
  /** When it came; undefined for now. */
  paidAt?: Date | undefined;
}

/** A payment's method, and its reference as banks write it, as regular expressions with the flag `u`. */
export const METHOD = "^[a-z][a-z0-9_]{0,63}$";
export const REFERENCE = oneLine(255);

/** What the columns of an order's amounts can hold. */
const MOST = parseMoney("999999999999999.9999");

/**
 * Records a payment. A pending order becomes processing with it when exactly the total came, and on_hold when more did; with
 * less it stays pending, and the rest can be paid. The same payment again changes nothing.
 * `who` reports it. Returns whether something changed; undefined for an unknown order. Throws ActRefused.
 */
export const recordPayment = (
  db: Db,
  orderId: number,
  { method, reference, currency, paidAt, ...given }: ReceivedPayment,
  followUp: FollowUp,
  who?: string,
): Promise<boolean | undefined> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const order = await transaction
      .selectFrom("orders")
      .select(["currency", "created_at", "payment_method", "transfer_since"])
      .where("id", "=", orderId)
      .forUpdate()
      .executeTakeFirst();
    if (!order) return undefined;
    if (currency !== undefined && currency !== order.currency)
      throw new ActRefused("content", "The order is in another currency. Nothing was recorded.", "amount");
    // Beside what Stripe says of it, the same money would count as paid twice, and be given back.
    if (method === "card" && (order.payment_method === "card" || order.transfer_since !== null))
      throw new ActRefused(
        "content",
        "Payments of this order by card are recorded automatically. Nothing was recorded.",
        "payment_by_card",
      );
    const digits = currencyDigits(order.currency);
    const amount = readReceived(given.amount, digits);
    const known = await readPayments(transaction, orderId, digits);
    const recorded = known.find((payment) => payment.method === method && payment.reference === reference);
    if (recorded?.status === "paid") {
      if (recorded.amount === amount) return false;
      throw new ActRefused(
        "content",
        "A payment with this method and reference is recorded already, with another amount.",
        "payment_known",
      );
    }
    const paid_at = readReportTime(paidAt, toRfc3339(order.created_at));
    const payment = { method, reference, amount, status: "paid" as const };
    if (sumPaid([...known, payment]) > MOST)
      throw new ActRefused(
        "content",
        "With this amount, the order's payments would have more than 15 digits before the point.",
        "most_paid",
      );
    await changeOrder(transaction, orderId, { payments: [payment], paid_at, who }, new Date(), followUp);
    return true;
  });

/** Normalises an amount to the currency's digits. Throws ActRefused. */
function readReceived(text: string, digits: number): string {
  try {
    const amount = parseMoney(text, digits);
    if (amount > 0n) return formatMoney(amount, digits);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const form = digits === 0 ? "and without decimals" : `before the point and ${digits} after it`;
  throw new ActRefused("content", `The amount must be larger than 0, with at most 15 digits ${form}.`, "amount");
}
