import { sql } from "kysely";
import type { Db } from "../../platform/database/pool.ts";
import { lastSequence } from "../../platform/database/sequence.ts";
import type { Keyset } from "../../platform/http/paging.ts";
import { HOLDS_COUNTED } from "../stock/ledger.ts";
import { readAsPlaced, serializePlaced } from "./as-placed.ts";
import type { Order } from "./schema.ts";
import { type OrderLineRow, type OrderRow, type ShopOrder, toOrder, toShopOrder } from "./to-order.ts";

/** The order with this id, or undefined. */
export async function findOrder(db: Db, id: number): Promise<Order | undefined> {
  const row = await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toOrder(row, await findLines(db, [id]));
}

/** The same with what the shop alone knows. */
export async function findShopOrder(db: Db, id: number): Promise<ShopOrder | undefined> {
  const query = db.selectFrom("orders").selectAll().select(HOLDS_COUNTED.as("holds_counted")).where("id", "=", id);
  const row = await query.executeTakeFirst();
  return row && toShopOrder(row, await findLines(db, [id]), row.holds_counted === 1);
}

export async function orderExists(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom("orders").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** An order on a page: its row, and its immutable part as serializePlaced writes it. */
export interface ListedOrder {
  row: OrderRow;
  placed: Buffer;
}

/** What a page may be narrowed to: these statuses, the order with this number, those with this id in a partner's system. */
export interface OrderFilter {
  statuses?: readonly Order["status"][] | undefined;
  number?: string | undefined;
  externalId?: string | undefined;
}

/**
 * A page of orders by the keyset's column, ascending, which the filter lets through, and whether there are more. One
 * query, and a second one if a row lacks `as_placed` in the current shape; none if nothing can be on the page.
 * The last page of all by sequence has every order as it was at that sequence, as a count of stock relies on: where one
 * changes after `upTo` was read, it is on no page yet, and there are more.
 */
export async function listOrders(
  db: Db,
  { column, after, upTo, limit }: Keyset,
  filter: OrderFilter = {},
): Promise<{ orders: ListedOrder[]; hasMore: boolean }> {
  if (after >= upTo) return { orders: [], hasMore: false };
  const keyset = { column, after, upTo, limit: limit + 1 }; // one more tells whether there is a next page
  const { statuses, number, externalId } = filter;
  const isNamed = number !== undefined || externalId !== undefined;
  const rows: (OrderRow & { last_sequence?: number })[] = await (isNamed
    ? ordersNamed(db, keyset, filter)
    : statuses
      ? ordersOfStatuses(db, keyset, statuses)
      : ordersOfAll(db, keyset));
  const page = rows.slice(0, limit);
  const older = page.filter((row) => readAsPlaced(row) === null).map(({ id }) => id);
  const lines = Map.groupBy(older.length > 0 ? await findLines(db, older) : [], ({ order_id }) => order_id);
  const orders = page.map((row) => ({
    row,
    placed: readAsPlaced(row) ?? serializePlaced(row, lines.get(row.id) ?? []),
  }));
  const isCutShort = column === "sequence" && (rows[0]?.last_sequence ?? 0) > upTo;
  return { orders, hasMore: rows.length > limit || isCutShort };
}

function ordersOfAll(db: Db, { column, after, upTo, limit }: Keyset) {
  const orders = db.selectFrom("orders").selectAll().select(lastSequence("orders").as("last_sequence"));
  return orders.where(column, ">", after).where(column, "<=", upTo).orderBy(column).limit(limit).execute();
}

/**
 * Finds the next orders of each status by a named index and merges them. On its own, the optimizer assumes that
 * statuses are spread evenly and scans the column, which takes seconds when all open orders are recent.
 */
function ordersOfStatuses(db: Db, { column, after, upTo, limit }: Keyset, statuses: readonly Order["status"][]) {
  const place = sql.ref(column);
  const index = sql.ref(`orders_status_${column}`);
  const next = statuses.map(
    (status) =>
      sql`(select id, ${place} as place from orders force index (${index}) where status = ${status} and ${place} > ${after} and ${place} <= ${upTo} order by ${place} limit ${limit})`,
  );
  const found = sql<{ id: number; place: number }>`(${sql.join(next, sql` union all `)} order by place limit ${limit})`;
  return db
    .selectFrom(found.as("found"))
    .innerJoin("orders", "orders.id", "found.id")
    .selectAll("orders")
    .orderBy("found.place")
    .execute();
}

/** By a named index, since the optimizer may rather read all orders of a status. */
function ordersNamed(db: Db, { column, after, upTo, limit }: Keyset, { statuses, number, externalId }: OrderFilter) {
  const index = sql.ref(number === undefined ? "orders_external_id" : "orders_number");
  let orders = db.selectFrom(sql<OrderRow>`orders`.as<"orders">(sql`orders force index (${index})`)).selectAll();
  if (number !== undefined) orders = orders.where("number", "=", number);
  if (externalId !== undefined) orders = orders.where("external_id", "=", externalId);
  if (statuses) orders = orders.where("status", "in", statuses);
  return orders.where(column, ">", after).where(column, "<=", upTo).orderBy(column).limit(limit).execute();
}

/** The lines of these orders, by order and position. */
export function findLines(db: Db, orderIds: readonly number[]): Promise<OrderLineRow[]> {
  return db
    .selectFrom("order_lines")
    .selectAll()
    .where("order_id", "in", orderIds)
    .orderBy("order_id")
    .orderBy("position")
    .execute();
}
