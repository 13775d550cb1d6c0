import { sql } from "kysely";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { now, readJson, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { catchUp } from "./catch-up.ts";
import { listStock, readLevels, type StockLevel, storeCounts } from "./counts.ts";
import { type Opened, readOpened, readSince, type Since } from "./since-opened.ts";

// A shop without an ERP counts what is on the shelf, where pieces lie that are sold and not sent yet.

/** What lies on the shelf of a SKU; null: it isn't counted any more. */
export interface Shelf {
  sku: string;
  shelf: number | null;
  /** When whoever has counted began to; undefined if they say that it's true now. */
  opened?: Opened | undefined;
}

export const MOST_PIECES = 1_000_000;

/** What somebody writes as the pieces of a SKU that isn't counted any more. */
const NONE = "none";

/** The pieces that somebody wrote, null for none, undefined for what isn't a whole number up to MOST_PIECES. */
export function parsePieces(text: string): number | null | undefined {
  if (text.toLowerCase() === NONE) return null;
  const pieces = /^\d{1,7}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  return pieces <= MOST_PIECES ? pieces : undefined;
}

/**
 * Why nobody may count the shelf: the partner's system counts; or orders that nobody pays would hold their pieces for ever.
 * Undefined if nothing is in the way.
 */
export function findHindrance({ erp, transfer }: ShopFacts): "erp_counts" | "kept_for_ever" | undefined {
  if (erp.owns.includes("stock")) return "erp_counts";
  return transfer && transfer.cancel_after_days === null ? "kept_for_ever" : undefined;
}

export interface ShelfLevel extends StockLevel {
  /** Pieces that are ordered and weren't sent, paid or not: they lie on the shelf, too. */
  ordered: number;
}

/** Pieces on the shelf, as the shop has it; null where nobody counts. */
export const onShelf = ({ available, ordered }: Pick<ShelfLevel, "available" | "ordered">): number | null =>
  available === null ? null : available + ordered;

/** What is stored of SKUs, and those that no version has. */
interface Shelves {
  stored: ShelfLevel[];
  unknown: string[];
}

/** A count that wasn't stored, because something has happened since it began. */
export interface Moved {
  sku: string;
  shelf: number | null;
  since: Since;
}

/** What has become of counts. */
interface Outcome extends Shelves {
  moved: Moved[];
  /** Up to where `moved` knows what has happened: for whoever counts again. */
  opened: Opened;
}

/** SKUs at a time: placing waits meanwhile. */
const AT_ONCE = 50;

/**
 * Stores what is on the shelf now, less what orders are to be sent of it, and notes who says so. Returns what is free to
 * sell, the SKUs that no version has, and the counts that are left because a parcel was recorded or somebody else has counted
 * since they began; the same count again isn't one of these and changes nothing. The shelf must have been counted with no
 * parcel packed meanwhile that isn't recorded as sent.
 */
export async function setShelf(db: Db, shelves: readonly Shelf[], by: string): Promise<Outcome> {
  const chunks: Outcome[] = [];
  for (let first = 0; first < shelves.length; first += AT_ONCE) {
    await catchUp(db);
    const chunk = shelves.slice(first, first + AT_ONCE);
    chunks.push(await inTransaction(db, (transaction) => setChunk(transaction, chunk, by), READ_COMMITTED));
  }
  return {
    stored: chunks.flatMap(({ stored }) => stored),
    unknown: chunks.flatMap(({ unknown }) => unknown),
    moved: chunks.flatMap(({ moved }) => moved),
    opened: chunks[0]?.opened ?? (await readOpened(db)),
  };
}

async function setChunk(transaction: Db, shelves: readonly Shelf[], by: string): Promise<Outcome> {
  // No order changes meanwhile: what is to be sent is what the count knows.
  const { last_sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 });
  const since = await readSince(transaction, shelves);
  const isAgain = ({ sku, shelf }: Shelf) => {
    const { parcels = [], counts = [] } = since.get(sku) ?? {};
    return parcels.length === 0 && counts.at(-1)?.shelf === shelf;
  };
  const taken = shelves.filter(({ sku }) => !since.has(sku));
  const again = skusOf(shelves.filter(isAgain));
  const moved = shelves.flatMap((shelf) => {
    const its = isAgain(shelf) ? undefined : since.get(shelf.sku);
    return its ? [{ sku: shelf.sku, shelf: shelf.shelf, since: its }] : [];
  });
  const unsent = await readUnsent(transaction, skusOf(shelves));
  const { stored, unknown } = await storeShelves(transaction, taken, unsent, last_sequence, by);
  const levels = [...stored, ...(await readLevels(transaction, again))];
  return { stored: withOrdered(levels, unsent), unknown, moved, opened: await readOpened(transaction) };
}

async function storeShelves(
  transaction: Db,
  shelves: readonly Shelf[],
  unsent: ReadonlyMap<string, Unsent>,
  changedAfter: number,
  by: string,
): Promise<{ stored: StockLevel[]; unknown: string[] }> {
  const before = withOrdered(await readLevels(transaction, skusOf(shelves)), unsent);
  const counts = shelves.map(({ sku, shelf }) => {
    return { sku, count: shelf === null ? null : shelf - (unsent.get(sku)?.booked ?? 0), restock_on: null };
  });
  const countedAt = await readTimeToCount(transaction, skusOf(shelves));
  const counting = { changedAfter, countedAt, by: null, booksPlaced: false };
  const { stored, rejected } = await storeCounts(transaction, counts, counting);
  const known = new Map(before.map((level) => [level.sku, level]));
  const isStored = new Set(skusOf(stored));
  const rows = shelves.flatMap(({ sku, shelf }) => {
    const level = known.get(sku);
    return level && isStored.has(sku) ? [{ sku, was: onShelf(level), became: shelf, done_by: by, done_at: now() }] : [];
  });
  if (rows.length > 0) await transaction.insertInto("stock_history").values(rows).execute();
  return { stored, unknown: rejected.map(({ sku }) => sku) };
}

const skusOf = (rows: readonly { sku: string }[]) => rows.map(({ sku }) => sku);

/** Now, or just after the last count of these SKUs: a partner's clock, whose system counted before, may be ahead. */
async function readTimeToCount(db: Db, skus: readonly string[]): Promise<Date> {
  if (skus.length === 0) return new Date();
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

/** An order that holds pieces of a SKU which weren't sent yet. */
export interface Holder {
  sku: string;
  /** The order's. */
  number: string;
  /** RFC 3339. */
  placed_at: string;
  isBooked: boolean;
  units: number;
}

/** The orders that hold pieces of these SKUs which weren't sent yet, oldest first: one for each line. */
export async function readHolders(db: Db, skus: readonly string[]): Promise<Holder[]> {
  if (skus.length === 0) return [];
  const lines = await db
    .selectFrom("stock_holds")
    .innerJoin("orders", "orders.id", "stock_holds.order_id")
    .innerJoin("order_lines", (join) =>
      join.onRef("order_lines.order_id", "=", "orders.id").onRef("order_lines.sku", "=", "stock_holds.sku"),
    )
    .select(["stock_holds.sku", "booked", "order_lines.id", "number", "created_at", "fulfillments"])
    .select(sql<number>`order_lines.quantity - closed_quantity`.as("quantity"))
    .where("stock_holds.sku", "in", skus)
    .where("released", "is", null)
    .orderBy("orders.id")
    .execute();
  return lines.flatMap(({ sku, booked, id, number, created_at, quantity, fulfillments }) => {
    const parcels = fulfillments === null ? [] : readJson(fulfillments);
    const sent = parcels.flatMap((parcel) => parcel.lines).filter((line) => line.line_id === id);
    const units = quantity - sent.reduce((sum, line) => sum + line.quantity, 0);
    const holder = { sku, number, placed_at: toRfc3339(created_at), isBooked: booked !== null, units };
    return units === 0 ? [] : [holder];
  });
}

async function readUnsent(db: Db, skus: readonly string[]): Promise<Map<string, Unsent>> {
  const unsent = new Map<string, Unsent>();
  for (const { sku, isBooked, units } of await readHolders(db, skus)) {
    const before = unsent.get(sku) ?? { booked: 0, all: 0 };
    unsent.set(sku, { booked: before.booked + (isBooked ? units : 0), all: before.all + units });
  }
  return unsent;
}

/** How many pieces of each SKU are ordered and weren't sent yet. */
export async function countOrdered(db: Db, skus: readonly string[]): Promise<Map<string, number>> {
  const unsent = await readUnsent(db, skus);
  return new Map([...unsent].map(([sku, { all }]) => [sku, all]));
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
