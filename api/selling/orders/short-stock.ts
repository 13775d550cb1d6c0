import { sql } from "kysely";
import type { Db } from "../../platform/database/pool.ts";
import { changeOrder } from "./change-order.ts";
import type { FollowUp } from "./place-order.ts";

/** Versions of which there are fewer than none, although nobody was told to wait for them. */
export const findShort = (db: Db) =>
  db
    .selectFrom("stock")
    .innerJoin("product_variants", "product_variants.sku", "stock.sku")
    .select("stock.sku")
    .select(sql<number>`held - count`.as("missing"))
    .where(sql<boolean>`count < held`)
    .where("availability", "not in", ["preorder", "backorder"])
    .where(({ not, eb, and }) => not(and([eb("availability", "=", "in_stock"), eb("when_sold_out", "=", "backorder")])))
    .orderBy("stock.sku");

/**
 * Makes the job that tells the shop of what is short, by a mail about the newest order that is to be sent of it: once, as
 * long as no newer one is.
 */
export const makeShortWatch = (db: Db, followUp: FollowUp) => async (signal: AbortSignal) => {
  for (const { sku } of await findShort(db).execute()) {
    if (signal.aborted) return;
    const newest = await db
      .selectFrom("stock_holds")
      .innerJoin("orders", "orders.id", "stock_holds.order_id")
      .select("orders.id")
      .where("sku", "=", sku)
      .where("released", "is", null)
      .where("fulfillment_status", "in", ["unfulfilled", "partial"])
      .orderBy("orders.id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!newest || (await isKnown(db, newest.id))) continue;
    const matters = [{ reason: "too_few_left" }] as const;
    await changeOrder(db, newest.id, { matters }, new Date(), followUp);
  }
};

const isKnown = async (db: Db, orderId: number): Promise<boolean> =>
  (await db
    .selectFrom("attention")
    .select("id")
    .where("order_id", "=", orderId)
    .where("reason", "=", "too_few_left")
    .limit(1)
    .executeTakeFirst()) !== undefined;
