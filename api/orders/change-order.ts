import { isDeepStrictEqual } from "node:util";
import { readJson, writeJson } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { takeNumbers } from "../database/sequence.ts";
import { inTransaction } from "../database/transaction.ts";
import { currencyDigits, formatMoney, parseMoney } from "./money.ts";
import {
  mergePayments,
  mergeRefunds,
  type NewPayment,
  type NewRefund,
  readPayments,
  readRefunds,
  writePayments,
  writeRefunds,
} from "./payments.ts";
import { validateColumns } from "./place-order.ts";
import type { OrderHead, OrderTail } from "./schema.ts";
import { settle } from "./settlement.ts";
import { refuseTransition } from "./status-transitions.ts";
import { toPayment } from "./to-order.ts";

/**
 * What may change in an order; what is left out stays. Payments and refunds are recorded beside those that are there.
 * Nothing of PlacedOrder can be here, nor the currency: that was written once, when the order was placed (as-placed.ts).
 */
export interface OrderChange
  extends Partial<
    Pick<OrderHead & OrderTail, "status" | "fulfillment_status" | "cancel_reason" | "note" | "external_id">
  > {
  /** Who decides, where the status needs a person to. */
  by?: "person";
  payments?: readonly NewPayment[];
  refunds?: readonly NewRefund[];
}

/**
 * Changes an order in place: next version, next sequence from the counter row, held until the commit as in placeOrder.
 * `at` becomes updated_at, and paid_at or cancelled_at the first time that comes to pass. Where nothing differs from
 * what is stored, nothing is written and the order keeps version and sequence.
 * Throws RangeError on an unknown order, on a status that may not follow, and on amounts, references, texts or dates
 * that cannot be; nothing is changed then.
 */
export async function changeOrder(
  db: Db,
  id: number,
  change: OrderChange,
  at = new Date(),
): Promise<{ sequence: number }> {
  validateColumns({ ...change, at }, "change");
  return inTransaction(db, async (transaction) => {
    // No number yet: this holds the row.
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 });
    // For update: where this transaction read the order earlier, a plain read would give that old state again. (Under
    // innodb_snapshot_isolation the locking read gets ER_CHECKREAD instead: counter.ts says how not to come there.)
    const row = await transaction.selectFrom("orders").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
    if (!row) throw new RangeError("There is no such order.");
    const status = change.status ?? row.status;
    refuseTransition(row.status, status, change.by === "person");
    const digits = currencyDigits(row.currency);
    // The rows are read where they may change; else their projection says the same without a statement.
    const known = change.payments ? await readPayments(transaction, id, digits) : readJson(row.payments).map(toPayment);
    const payments = mergePayments(known, change.payments ?? [], digits);
    const paymentsDiffer = payments.some((payment) => !known.includes(payment));
    const knownRefunds = change.refunds ? await readRefunds(transaction, id, digits) : [];
    const refunds = mergeRefunds(knownRefunds, change.refunds ?? [], digits);
    const newRefunds = refunds.slice(knownRefunds.length);
    const shownRefunds = change.refunds ? refunds.map(({ reference, ...refund }) => refund) : readJson(row.refunds);
    const said = {
      status,
      fulfillment_status: change.fulfillment_status ?? row.fulfillment_status,
      cancel_reason: change.cancel_reason === undefined ? row.cancel_reason : change.cancel_reason,
      note: change.note === undefined ? row.note : change.note,
      external_id: change.external_id === undefined ? row.external_id : change.external_id,
    };
    const same = isDeepStrictEqual({ ...row, ...said }, row);
    if (same && !paymentsDiffer && newRefunds.length === 0) return { sequence: row.sequence };

    const settled = settle({ status, total: parseMoney(row.total), payments, refunds: shownRefunds });
    const { last_sequence: sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 1 });
    await writePayments(transaction, id, payments, known);
    await writeRefunds(transaction, id, newRefunds);
    await transaction
      .updateTable("orders")
      .set({
        ...said,
        sequence,
        version: row.version + 1,
        payment_status: settled.payment_status,
        updated_at: at,
        ...(row.paid_at === null && settled.paidInFull ? { paid_at: at } : {}),
        ...(row.cancelled_at === null && status === "cancelled" ? { cancelled_at: at } : {}),
        payments: writeJson(payments),
        refunds: writeJson(shownRefunds),
        refunded: formatMoney(settled.refunded, digits),
        due: formatMoney(settled.due, digits),
      })
      .where("id", "=", id)
      .execute();
    return { sequence };
  });
}
