import { ago } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import type { FollowUp } from "../../selling/orders/place-order.ts";
import { eraseOrder, isUnderWay, lockOrder } from "./erase-order.ts";

/**
 * Makes the job that erases the billing facts of erased people once they needn't be kept any more. An order that is
 * being sent waits for the next round.
 */
export const makeBillingErasure = (db: Db, followUp: FollowUp) => async (signal: AbortSignal) => {
  const over = await db.selectFrom("orders").select("id").where("billing_kept_until", "<=", ago(0)).execute();
  for (const { id } of over) {
    if (signal.aborted) return;
    await inTransaction(
      db,
      async (transaction) => {
        const order = await lockOrder(transaction, id);
        // Another worker may have been faster.
        if (order.billing_kept_until === null || (await isUnderWay(transaction, id))) return;
        await eraseOrder(transaction, order, null, followUp);
      },
      READ_COMMITTED,
    );
  }
};
