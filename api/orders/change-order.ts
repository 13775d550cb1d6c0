import { takeNumbers } from "../counter.ts";
import { type Db, inTransaction } from "../database.ts";
import { readJson, writeJson } from "../json-column.ts";
import { currencyDigits, formatMoney, parseMoney } from "./money.ts";
import type { NewPayment } from "./new-order.ts";
import { numbered, withAmounts } from "./new-order-rows.ts";
import { refuseUnstorable } from "./refuse-unstorable.ts";
import type { Order, OrderHead, OrderTail } from "./schema.ts";
import { settle } from "./settlement.ts";

/**
 * What may change in an order; what is left out stays. Payments and refunds replace the whole list. Nothing of
 * PlacedOrder can be here, nor the currency: that was written once, when the order was placed (as-placed.ts).
 */
export interface OrderChange
  extends Partial<
    Pick<OrderHead & OrderTail, "status" | "fulfillment_status" | "cancel_reason" | "note" | "external_id">
  > {
  payments?: readonly NewPayment[];
  refunds?: readonly NewRefund[];
}
type NewRefund = Pick<Order["refunds"][number], "reason" | "amount"> & { created_at: Date };

/**
 * Changes an order in place: next version, next sequence from the counter row, held until the commit as in placeOrder.
 * `at` becomes updated_at, and paid_at or cancelled_at the first time that comes to pass.
 * Throws RangeError on an unknown order and on amounts, texts or dates that cannot be; nothing is changed then.
 */
export async function changeOrder(
  db: Db,
  id: number,
  change: OrderChange,
  at = new Date(),
): Promise<{ sequence: number }> {
  refuseUnstorable({ ...change, at }, "change");
  return inTransaction(db, async (transaction) => {
    const { last_sequence: sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 1 });
    // For update: where this transaction read the order earlier, a plain read would give that old state again. (Under
    // innodb_snapshot_isolation the locking read gets ER_CHECKREAD instead: counter.ts says how not to come there.)
    const row = await transaction.selectFrom("orders").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
    if (!row) throw new RangeError("There is no such order.");
    const digits = currencyDigits(row.currency);
    const status = change.status ?? row.status;
    const payments = change.payments ? numbered(withAmounts(change.payments, digits)) : readJson(row.payments);
    const refunds = change.refunds ? numberRefunds(change.refunds, digits) : readJson(row.refunds);
    const settled = settle({ status, total: parseMoney(row.total), payments, refunds });
    await transaction
      .updateTable("orders")
      .set({
        sequence,
        version: row.version + 1,
        status,
        fulfillment_status: change.fulfillment_status ?? row.fulfillment_status,
        payment_status: settled.payment_status,
        updated_at: at,
        ...(row.paid_at === null && settled.paidInFull ? { paid_at: at } : {}),
        ...(row.cancelled_at === null && status === "cancelled" ? { cancelled_at: at } : {}),
        cancel_reason: change.cancel_reason === undefined ? row.cancel_reason : change.cancel_reason,
        note: change.note === undefined ? row.note : change.note,
        external_id: change.external_id === undefined ? row.external_id : change.external_id,
        payments: writeJson(payments),
        refunds: writeJson(refunds),
        refunded: formatMoney(settled.refunded, digits),
        due: formatMoney(settled.due, digits),
      })
      .where("id", "=", id)
      .execute();
    return { sequence };
  });
}

const numberRefunds = (refunds: readonly NewRefund[], digits: number) =>
  numbered(withAmounts(refunds, digits)).map((refund) => ({ ...refund, created_at: refund.created_at.toISOString() }));
