import { sql } from "kysely";
import type { Db } from "../database/pool.ts";
import type { Keyset } from "../http/paging.ts";
import { readAsPlaced, serializePlaced } from "./as-placed.ts";
import type { Order } from "./schema.ts";
import { type OrderLineRow, type OrderRow, toOrder } from "./to-order.ts";

/** One order; undefined when there is none with this id. */
export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  const row = await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toOrder(row, await findLines(db, [id]));
}

export async function orderExists(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom("orders").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** An order of a page: its row, and what of it never changes as serializePlaced has it. */
export interface ListedOrder {
  row: OrderRow;
  placed: Buffer;
}

/**
 * A page of orders in ascending order of the keyset's column, of these statuses only (all when undefined), and whether
 * there are more. One statement whatever the limit, and a second one where rows have no `as_placed` of today's shape.
 */
export async function listOrders(
  db: Db,
  { column, after, limit }: Keyset,
  statuses: readonly Order["status"][] | undefined,
): Promise<{ orders: ListedOrder[]; hasMore: boolean }> {
  const most = limit + 1; // one more, to know whether there is a next page without counting
  const rows = statuses
    ? await ordersOfStatuses(db, { column, after, limit: most }, statuses)
    : await db.selectFrom("orders").selectAll().where(column, ">", after).orderBy(column).limit(most).execute();
  const page = rows.slice(0, limit);
  const older = page.filter((row) => readAsPlaced(row) === null).map(({ id }) => id);
  const lines = Map.groupBy(older.length > 0 ? await findLines(db, older) : [], ({ order_id }) => order_id);
  const orders = page.map((row) => ({
    row,
    placed: readAsPlaced(row) ?? serializePlaced(row, lines.get(row.id) ?? []),
  }));
  return { orders, hasMore: rows.length > limit };
}

/**
 * The index is told, and the next orders of each status are found apart and then merged. Left to choose, the optimizer
 * supposes that every status lies anywhere and walks along the column: where all that is still open is new, past a
 * million orders that are not (seconds).
 */
async function ordersOfStatuses(db: Db, { column, after, limit }: Keyset, statuses: readonly Order["status"][]) {
  const place = sql.ref(column);
  const index = sql.ref(`orders_status_${column}`);
  const next = statuses.map(
    (status) =>
      sql`(select id, ${place} as place from orders force index (${index}) where status = ${status} and ${place} > ${after} order by ${place} limit ${limit})`,
  );
  const found = sql<{ id: number; place: number }>`(${sql.join(next, sql` union all `)} order by place limit ${limit})`;
  return db
    .selectFrom(found.as("found"))
    .innerJoin("orders", "orders.id", "found.id")
    .selectAll("orders")
    .orderBy("found.place")
    .execute();
}

/** The lines of these orders, those of each in their order. */
export function findLines(db: Db, orderIds: readonly number[]): Promise<OrderLineRow[]> {
  return db
    .selectFrom("order_lines")
    .selectAll()
    .where("order_id", "in", orderIds)
    .orderBy("order_id")
    .orderBy("position")
    .execute();
}
