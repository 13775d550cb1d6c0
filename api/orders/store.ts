import type { Db } from "../database.ts";
import type { Keyset } from "../paging.ts";
import type { Order } from "./schema.ts";
import { type OrderLineRow, toOrder } from "./to-order.ts";

/** One order; undefined when there is none with this id. */
export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  const row = await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toOrder(row, (await linesByOrder(db, [id])).get(id) ?? []);
}

export async function orderExists(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom("orders").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/**
 * A page of orders in ascending order of the keyset's column, of these statuses only (all when undefined), and whether
 * there are more. Two statements whatever the limit.
 */
export async function listOrders(
  db: Db,
  { column, after, limit }: Keyset,
  statuses: readonly Order["status"][] | undefined,
): Promise<{ orders: Order[]; hasMore: boolean }> {
  const rows = await db
    .selectFrom("orders")
    .selectAll()
    .where(column, ">", after)
    .$if(statuses !== undefined, (query) => query.where("status", "in", statuses ?? []))
    .orderBy(column)
    .limit(limit + 1) // one more, to know whether there is a next page without counting
    .execute();
  const page = rows.slice(0, limit);
  const lines = await linesByOrder(
    db,
    page.map(({ id }) => id),
  );
  return { orders: page.map((row) => toOrder(row, lines.get(row.id) ?? [])), hasMore: rows.length > limit };
}

async function linesByOrder(db: Db, ids: readonly number[]): Promise<Map<number, OrderLineRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_lines")
    .selectAll()
    .where("order_id", "in", ids)
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  return Map.groupBy(rows, ({ order_id }) => order_id);
}
