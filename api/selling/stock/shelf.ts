import { sql } from "kysely";
import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { catchUp } from "./catch-up.ts";
import { listStock, type StockLevel, storeCounts } from "./counts.ts";

// A shop without an ERP counts what is on the shelf, where pieces lie that are sold and not sent yet.

/** What lies on the shelf of a SKU; null: it isn't counted any more. */
export interface Shelf {
  sku: string;
  shelf: number | null;
}

export interface ShelfLevel extends StockLevel {
  /** Pieces that are ordered and weren't sent, paid or not: they lie on the shelf, too. */
  ordered: number;
}

/** What is stored of SKUs, and those that no version has. */
interface Shelves {
  stored: ShelfLevel[];
  unknown: string[];
}

/** SKUs at a time: placing waits meanwhile. */
const AT_ONCE = 50;

/**
 * Stores what is on the shelf now, less what orders are to be sent of it. Returns what is free to sell, and the SKUs that
 * no version has. The shelf must have been counted with no parcel packed meanwhile that isn't recorded as sent.
 */
export async function setShelf(db: Db, shelves: readonly Shelf[]): Promise<Shelves> {
  const result: Shelves = { stored: [], unknown: [] };
  for (let first = 0; first < shelves.length; first += AT_ONCE) {
    await catchUp(db);
    const chunk = shelves.slice(first, first + AT_ONCE);
    const { stored, unknown } = await inTransaction(db, (transaction) => setChunk(transaction, chunk), READ_COMMITTED);
    result.stored.push(...stored);
    result.unknown.push(...unknown);
  }
  return result;
}

async function setChunk(transaction: Db, shelves: readonly Shelf[]) {
  // No order changes meanwhile: what is to be sent is what the count knows.
  const { last_sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 });
  const unsent = await readUnsent(transaction, skusOf(shelves));
  const counts = shelves.map(({ sku, shelf }) => {
    return { sku, count: shelf === null ? null : shelf - (unsent.get(sku)?.booked ?? 0), restock_on: null };
  });
  const countedAt = await readTimeToCount(transaction, skusOf(shelves));
  const counting = { changedAfter: last_sequence, countedAt, by: null, booksPlaced: false };
  const { stored, rejected } = await storeCounts(transaction, counts, counting);
  return {
    stored: withOrdered(stored, unsent),
    unknown: rejected.map(({ sku }) => sku),
  };
}

const skusOf = (rows: readonly { sku: string }[]) => rows.map(({ sku }) => sku);

/** Now, or just after the last count of these SKUs: a partner's clock, whose system counted before, may be ahead. */
async function readTimeToCount(db: Db, skus: readonly string[]): Promise<Date> {
  const { last } = await db
    .selectFrom("stock")
    .select(({ fn }) => fn.max("counted_at").as("last"))
    .where("sku", "in", skus)
    .executeTakeFirstOrThrow();
  return new Date(Math.max(Date.now(), last === null ? 0 : Date.parse(toRfc3339(last)) + 1));
}

/** Pieces of a SKU in orders that hold them and weren't sent. */
interface Unsent {
  booked: number;
  all: number;
}

async function readUnsent(db: Db, skus: readonly string[]): Promise<Map<string, Unsent>> {
  if (skus.length === 0) return new Map();
  const lines = await db
    .selectFrom("stock_holds")
    .innerJoin("orders", "orders.id", "stock_holds.order_id")
    .innerJoin("order_lines", (join) =>
      join.onRef("order_lines.order_id", "=", "orders.id").onRef("order_lines.sku", "=", "stock_holds.sku"),
    )
    .select(["stock_holds.sku", "booked", "order_lines.id", "orders.fulfillments"])
    .select(sql<number>`order_lines.quantity - closed_quantity`.as("quantity"))
    .where("stock_holds.sku", "in", skus)
    .where("released", "is", null)
    .execute();
  const unsent = new Map<string, Unsent>();
  for (const { sku, booked, id, quantity, fulfillments } of lines) {
    const parcels = fulfillments === null ? [] : readJson(fulfillments);
    const sent = parcels.flatMap((parcel) => parcel.lines).filter((line) => line.line_id === id);
    const left = quantity - sent.reduce((sum, line) => sum + line.quantity, 0);
    const before = unsent.get(sku) ?? { booked: 0, all: 0 };
    unsent.set(sku, { booked: before.booked + (booked === null ? 0 : left), all: before.all + left });
  }
  return unsent;
}

const withOrdered = (levels: readonly StockLevel[], unsent: ReadonlyMap<string, Unsent>): ShelfLevel[] =>
  levels.map((level) => ({ ...level, ordered: unsent.get(level.sku)?.all ?? 0 }));

/** What is free to sell, and what is ordered: of these SKUs, or of all that are counted, and the SKUs that no version has. */
export async function showShelf(db: Db, skus: readonly string[]): Promise<Shelves> {
  const levels = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: StockLevel[] = await listStock(db, { sku: undefined, after, limit: 1_000 });
    levels.push(...page.filter(({ sku, count }) => (skus.length > 0 ? skus.includes(sku) : count !== null)));
    after = page.length === 1_000 ? page.at(-1)?.sku : undefined;
  }
  const known = new Set(skusOf(levels));
  return {
    stored: withOrdered(levels, await readUnsent(db, skusOf(levels))),
    unknown: skus.filter((sku) => !known.has(sku)),
  };
}
