import { sql } from "kysely";
import { DAY_MS } from "../../contract/duration.ts";
import { ago } from "../../platform/database/columns.ts";
import { describeOutage } from "../../platform/database/outage.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { findShopFacts } from "../shop/queries.ts";
import { changeOrder } from "./change-order.ts";
import type { FollowUp } from "./place-order.ts";

/** Orders found by one query; each is cancelled in its own transaction. */
const BATCH = 50;

/**
 * Cancels pending orders from the checkout that nobody has paid within the shop's `cancel_after_days`, until none is
 * left or `signal` aborts; the days count from when they became orders to be paid by transfer. Not those to be paid by
 * card, about which the provider is asked first (payments/sweep.ts), and none with any payment, but for failed cards before a transfer was chosen. An
 * order that can't be cancelled is logged and doesn't keep the rest waiting.
 */
export const makeCancelUnpaid = (db: Db, followUp: FollowUp, log: JobLog) => async (signal: AbortSignal) => {
  const days = (await findShopFacts(db))?.transfer?.cancel_after_days ?? null;
  if (days === null) return;
  for (let ids = await findUnpaid(db, days, 0); ids.length > 0; ids = await findUnpaid(db, days, ids.at(-1) ?? 0))
    for (const id of ids) {
      if (signal.aborted) return;
      await cancelUnpaid(db, id, days, followUp).catch((error: unknown) => {
        if (describeOutage(error) !== undefined) throw error;
        log.warn({ err: error, order: id }, "An unpaid order couldn't be cancelled; the next round tries again.");
      });
    }
};

export interface JobLog {
  warn(fields: object, message: string): void;
}

/** The reason that partners read; customers read it in the shop's language. */
export const notPaidWithin = (count: number, unit: "day" | "hour") =>
  `Not paid within ${count} ${count === 1 ? unit : `${unit}s`}`;

/** The days or hours after which an order was cancelled for want of payment; null if it has another reason. */
export function readUnpaid(reason: string | null, unit: "day" | "hour"): number | null {
  const count = Number(/\d+/.exec(reason ?? "")?.[0]);
  return reason === notPaidWithin(count, unit) ? count : null;
}

const unpaid = (db: Db, days: number) =>
  db
    .selectFrom("orders")
    .select("orders.id")
    .where("status", "=", "pending")
    .where("buyer", "is not", null)
    .where(({ or, eb }) => or([eb("payment_method", "is", null), eb("payment_method", "!=", "card")]))
    .where("due", ">", "0")
    .where(sql<string>`coalesce(transfer_since, placed_at)`, "<", ago(days * DAY_MS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("order_payments")
            .select("position")
            .whereRef("order_id", "=", "orders.id")
            // The card that was to be used before is no payment to wait for.
            .where(({ or, eb }) =>
              or([
                eb("orders.transfer_since", "is", null),
                eb("order_payments.status", "not in", ["failed", "voided"]),
              ]),
            ),
        ),
      ),
    );

async function findUnpaid(db: Db, days: number, after: number): Promise<number[]> {
  const rows = await unpaid(db, days).where("orders.id", ">", after).orderBy("orders.id").limit(BATCH).execute();
  return rows.map(({ id }) => id);
}

/** A payment may have come since the order was found. */
const cancelUnpaid = (db: Db, id: number, days: number, followUp: FollowUp) =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    if (!(await unpaid(transaction, days).where("orders.id", "=", id).executeTakeFirst())) return;
    const change = {
      status: "cancelled",
      cancel_reason: notPaidWithin(days, "day"),
    } as const;
    await changeOrder(transaction, id, change, new Date(), followUp);
  });
