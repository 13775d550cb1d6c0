import { hasDecimalComma } from "../../contract/money.ts";
import { CSV_MARK, separatorFor, writeCsvRow } from "../../platform/csv.ts";
import { now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { OrderFilter, Place } from "./filter.ts";
import { findOrders } from "./find-orders.ts";
import { type ListedOrder, readListed } from "./listed-orders.ts";

/** Orders at a time, so that a large export takes no more memory than a small one. */
const ORDERS_AT_ONCE = 500;

/** The columns, by the names that partners know from the API. */
const COLUMNS = [
  ...(["number", "placed_at", "status", "payment_status", "fulfillment_status", "email", "name", "company"] as const),
  ...(["postal_code", "city", "country_code", "currency", "tax", "total", "refunded", "due"] as const),
] as const satisfies readonly (keyof ListedOrder)[];
const AMOUNTS: readonly string[] = ["tax", "total", "refunded", "due"] satisfies (typeof COLUMNS)[number][];

/**
 * Notes who takes these orders out of the shop, and returns them as CSV, in pieces, with SKUs and pieces of their lines
 * last, as spreadsheets of `locale` read them. The note has how many there were once the last piece was taken.
 */
export async function startExport(
  db: Db,
  filter: OrderFilter,
  by: string,
  locale: string,
): Promise<AsyncGenerator<string>> {
  const { list, query, from, to } = filter;
  const { insertId } = await db
    .insertInto("order_exports")
    .values({
      ...{ done_by: by, done_at: now(), list, from_day: from, to_day: to },
      is_search: Number(query !== ""),
      orders: null,
    })
    .executeTakeFirstOrThrow();
  return writeOrders(db, filter, locale, async (orders) => {
    await db.updateTable("order_exports").set({ orders }).where("id", "=", Number(insertId)).execute();
  });
}

async function* writeOrders(
  db: Db,
  filter: OrderFilter,
  locale: string,
  onEnd: (orders: number) => Promise<void>,
): AsyncGenerator<string> {
  const separator = separatorFor(locale);
  const write = (order: ListedOrder, column: (typeof COLUMNS)[number]) =>
    AMOUNTS.includes(column) && hasDecimalComma(locale) ? order[column].replace(".", ",") : order[column];
  yield CSV_MARK + writeCsvRow([...COLUMNS, "items"], separator);
  let orders = 0;
  let before: Place | undefined;
  do {
    const { ids, next } = await findOrders(db, filter, { before, limit: ORDERS_AT_ONCE });
    const listed = await readListed(db, ids);
    const items = await describeItems(db, ids);
    if (listed.length > 0)
      yield listed
        .map((order) =>
          writeCsvRow([...COLUMNS.map((column) => write(order, column)), items.get(order.id) ?? ""], separator),
        )
        .join("");
    orders += listed.length;
    before = next;
  } while (before);
  await onEnd(orders);
}

/** `2 × KES-C2-BK, 1 × KES-CABLE`, by order. */
async function describeItems(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const lines = await db
    .selectFrom("order_lines")
    .select(["order_id", "sku", "name", "quantity"])
    .where("order_id", "in", ids)
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  const texts = [...Map.groupBy(lines, ({ order_id }) => order_id)].map(([id, each]): [number, string] => [
    id,
    each.map(({ sku, name, quantity }) => `${quantity} × ${sku ?? name}`).join(", "),
  ]);
  return new Map(texts);
}

/** Who took orders out last, the newest first. */
export const listExports = (db: Db) =>
  db.selectFrom("order_exports").select(["done_by", "done_at", "orders"]).orderBy("id", "desc").limit(5).execute();
