import { sql } from "kysely";
import { days } from "../../contract/duration.ts";
import { ago } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { WAS_SENT_AND_ENDED } from "./ledger.ts";

/** How long what nobody counts is kept after the last change of its order: a first count may know less. */
const KEPT_MS = days(30);

/** Rows at a time: every writer of orders waits meanwhile. */
const BATCH = 200;

/**
 * Deletes the ledger's rows that no count needs any more, in batches until none is left or `signal` aborts: of orders that
 * were sent whole, once the last count has them, and where nobody counts, those and what was given back, 30 days after. A
 * count that knows less than these did is refused from then on. Call catchUp before.
 */
export async function forgetSettled(db: Db, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await settled(db).limit(1).executeTakeFirst()))
    await inTransaction(db, forgetBatch, READ_COMMITTED);
}

async function forgetBatch(transaction: Db): Promise<void> {
  // No order changes meanwhile.
  await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 });
  const rows = await settled(transaction).limit(BATCH).execute();
  if (rows.length === 0) return;
  // Of its earlier rows, too: a count that has this one has those.
  await transaction
    .deleteFrom("stock_holds")
    .where(({ or, and, eb }) =>
      or(rows.map(({ order_id, sku }) => and([eb("order_id", "=", order_id), eb("sku", "=", sku)]))),
    )
    .execute();
  const highest = Math.max(...rows.map(({ unknown_to_count }) => unknown_to_count));
  await transaction.updateTable("stock_ledger").set({ base: highest }).where("base", "<", highest).execute();
}

const isAllSent = sql<boolean>`fulfillment_status in ('fulfilled', 'returned')`;
const isOld = sql<boolean>`(count is null and orders.updated_at < ${ago(KEPT_MS)})`;
const IS_OPEN = sql<boolean>`exists (select 1 from stock_holds as others where others.order_id = stock_holds.order_id
  and others.sku = stock_holds.sku and others.released is null)`;
/** Of all its rows: what won't be sent of an order is given back after the rest was booked. */
const RELEASED = sql`(select coalesce(max(others.released), 0) from stock_holds as others
  where others.order_id = stock_holds.order_id and others.sku = stock_holds.sku)`;
const UP_TO = sql`greatest(coalesce(booked, 0), ${RELEASED})`;

/** Pieces about which nothing changes any more, with the sequence from which on a count has them, if the last one lacks it. */
const settled = (db: Db) =>
  db
    .selectFrom("stock_holds")
    .innerJoin("orders", "orders.id", "stock_holds.order_id")
    .innerJoin("stock", "stock.sku", "stock_holds.sku")
    .select(["stock_holds.order_id", "stock_holds.sku"])
    .select(sql<number>`if(${UP_TO} <= changed_after, 0, ${UP_TO})`.as("unknown_to_count"))
    .where(({ or }) =>
      or([
        sql<boolean>`(released is null and ${isAllSent} and booked is not null and (${isOld} or ${UP_TO} <= changed_after))`,
        sql<boolean>`(released is not null and ${isOld} and not ${IS_OPEN} and not ${WAS_SENT_AND_ENDED})`,
      ]),
    );
