import { type Selectable, sql } from "kysely";
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { StockTable } from "../../platform/database/tables.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { WAS_SENT_AND_ENDED } from "./ledger.ts";

/** A row of a count: pieces that are free to sell, all booked orders taken off, sent or not; null: not counted any more. */
export interface Count {
  sku: string;
  count: number | null;
  /** YYYY-MM-DD. */
  restock_on: string | null;
}

/** Up to where a count knows the orders, and who took it. */
export interface Counting {
  /** The orders' sequence. */
  changedAfter: number;
  countedAt: Date;
  /** The beginning of the hash of the partner's token; null for a command or a person. */
  by: string | null;
  /** Whether whoever counts has booked an order as soon as it's placed. */
  booksPlaced: boolean;
}

/**
 * Why a row of a count was left: nothing has its SKU; what is stored knows more; what is stored knows as much and says
 * otherwise.
 */
export type Rejection = "unknown-sku" | "stale" | "confirm-needed";

export interface Counted {
  stored: StockLevel[];
  rejected: { sku: string; type: Rejection }[];
}

/** What is free to sell of a SKU. */
export interface StockLevel extends Omit<Selectable<StockTable>, "held"> {
  /** Null where nobody counts. */
  available: number | null;
}

/** Rows that are locked at a time, for which placing waits. */
const ROWS_AT_ONCE = 50;

/**
 * Stores a count, of which no SKU stands twice. A row is left where nothing has its SKU, where what is stored knows more,
 * and where what is stored knows as much and says otherwise. Call catchUp before.
 */
export async function storeCounts(db: Db, counts: readonly Count[], counting: Counting): Promise<Counted> {
  const sorted = counts.toSorted((a, b) => (a.sku < b.sku ? -1 : 1)); // as rows are locked (ledger.ts)
  const counted: Counted = { stored: [], rejected: [] };
  for (let first = 0; first < sorted.length; first += ROWS_AT_ONCE) {
    const chunk = sorted.slice(first, first + ROWS_AT_ONCE);
    const { stored, rejected } = await inTransaction(
      db,
      (transaction) => storeChunk(transaction, chunk, counting),
      // What is held is read after the lock, as it is then.
      READ_COMMITTED,
    );
    counted.stored.push(...stored);
    counted.rejected.push(...rejected);
  }
  return counted;
}

async function storeChunk(transaction: Db, counts: readonly Count[], counting: Counting): Promise<Counted> {
  const { changedAfter, countedAt, by } = counting;
  const rows = await selectStock(transaction, skusOf(counts)).forUpdate().execute();
  const known = new Map(rows.map((row) => [row.sku, row]));
  const judged = counts.map((count) => ({ count, type: rejectionOf(known.get(count.sku), count, counting) }));
  const rejected = judged.flatMap(({ count: { sku }, type }) => (type ? { sku, type } : []));
  const taken = judged.flatMap(({ count, type }) => (type ? [] : count));
  if (taken.length === 0) return { stored: [], rejected };
  const held = await readHeld(transaction, skusOf(taken), counting);
  await transaction
    .insertInto("stock")
    .values(
      taken.map(({ sku, count, restock_on }) => ({
        ...{ sku, count, restock_on, changed_after: changedAfter, counted_at: countedAt, counted_by: by },
        held: held.get(sku) ?? 0,
      })),
    )
    .onDuplicateKeyUpdate({
      count: sql`values(count)`,
      restock_on: sql`values(restock_on)`,
      changed_after: sql`values(changed_after)`,
      counted_at: sql`values(counted_at)`,
      counted_by: sql`values(counted_by)`,
      held: sql`values(held)`,
    })
    .execute();
  await forgetReleased(transaction, skusOf(taken), changedAfter);
  const stored = await selectStock(transaction, skusOf(taken)).execute();
  return { stored: stored.map(toLevel), rejected };
}

/** Rows that a count deletes; the next one has the rest. */
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * Deletes what was given back before a count, of which both the shop and who counts know. Read first, without locks: a
 * subquery of the delete would lock orders after stock, which whoever changes an order locks before it.
 */
async function forgetReleased(transaction: Db, skus: readonly string[], changedAfter: number): Promise<void> {
  const rows = await transaction
    .selectFrom("stock_holds")
    .innerJoin("orders", "orders.id", "stock_holds.order_id")
    .select(["order_id", "sku", "placed", "part"])
    .where("sku", "in", skus)
    .where("released", "<=", changedAfter)
    .where(sql<boolean>`not ${WAS_SENT_AND_ENDED}`)
    .limit(FORGOTTEN_AT_ONCE)
    .execute();
  if (rows.length === 0) return;
  await transaction
    .deleteFrom("stock_holds")
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("order_id", "sku", "placed", "part"),
        "in",
        rows.map(({ order_id, sku, placed, part }) => tuple(order_id, sku, placed, part)),
      ),
    )
    .execute();
}

const skusOf = (counts: readonly Count[]) => counts.map(({ sku }) => sku);

const selectStock = (db: Db, skus: readonly string[]) =>
  db.selectFrom("stock").selectAll().where("sku", "in", skus).orderBy("sku");

function rejectionOf(
  row: Selectable<StockTable> | undefined,
  { count, restock_on }: Count,
  { changedAfter, countedAt }: Counting,
): Rejection | undefined {
  if (!row) return "unknown-sku";
  if (row.changed_after === null || row.counted_at === null) return undefined;
  const later = changedAfter - row.changed_after || countedAt.getTime() - Date.parse(toRfc3339(row.counted_at));
  if (later !== 0) return later < 0 ? "stale" : undefined;
  return count === row.count && restock_on === row.restock_on ? undefined : "confirm-needed";
}

/**
 * What orders hold that a count doesn't know, less what it knows and was given back since: the sum of units × (live −
 * known), where an order is live until it's released, and known if it was booked by then and not released by then.
 */
async function readHeld(
  transaction: Db,
  skus: readonly string[],
  { changedAfter, booksPlaced }: Counting,
): Promise<Map<string, number>> {
  const booked = sql.ref(booksPlaced ? "placed" : "booked");
  const isLive = sql`released is null`;
  const isKnown = sql`coalesce(${booked} <= ${changedAfter}, false) and not coalesce(released <= ${changedAfter}, false)`;
  const rows = await transaction
    .selectFrom("stock_holds")
    .select(["sku", sql<string>`sum(cast(units as signed) * ((${isLive}) - (${isKnown})))`.as("held")])
    .where("sku", "in", skus)
    .groupBy("sku")
    .execute();
  return new Map(rows.map(({ sku, held }) => [sku, Number(held)]));
}

/** What is free to sell of these SKUs. */
export const readLevels = async (db: Db, skus: readonly string[]): Promise<StockLevel[]> =>
  skus.length === 0 ? [] : (await selectStock(db, skus).execute()).map(toLevel);

/** What is free to sell: of one SKU, or of those after another, ascending. */
export async function listStock(
  db: Db,
  { sku, after, limit }: { sku: string | undefined; after: string; limit: number },
): Promise<StockLevel[]> {
  const rows = await db
    .selectFrom("stock")
    .selectAll()
    .where("sku", ">", after)
    .$if(sku !== undefined, (query) => query.where("sku", "=", sku ?? ""))
    .orderBy("sku")
    .limit(limit)
    .execute();
  // The database compares without blanks at the end.
  return rows.filter((row) => sku === undefined || row.sku === sku).map(toLevel);
}

const toLevel = ({ held, ...row }: Selectable<StockTable>): StockLevel => ({
  ...row,
  available: row.count === null ? null : row.count - held,
});
