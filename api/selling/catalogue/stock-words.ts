import type { FeedProduct } from "../../contract/built-files/products.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import type { StoredVariant } from "../../platform/database/tables.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { findShopFacts } from "../shop/queries.ts";
import { withWords } from "./product-columns.ts";
import { offerOf, STOCK_COLUMNS } from "./variants.ts";

// Of a version that is counted, `product_variants` keeps what content/ says, `products` has what follows from what is left,
// and `stock_words` says where the two differ, so that whoever looks for a change needn't read the products.

type Availability = StoredVariant["availability"];

/** What pages say of a version that is counted. */
export interface StockFact {
  availability: Availability;
  /** YYYY-MM-DD. */
  available_from: string | null;
  /** Whether these are the last pieces. */
  few_left: boolean;
}

/**
 * Brings `products` up to date with what is left, by one transaction that locks their sequence row, where anything changed,
 * and returns how many of them did, and the facts by SKU, in that order: of each version that is counted and sold, unless
 * content/ takes it off sale. A product whose words are as they were keeps its sequence and updated_at.
 */
export async function followStock(
  db: Db,
  at = new Date(),
): Promise<{ changed: number; facts: Record<string, StockFact> }> {
  const fewLeft = (await findShopFacts(db))?.few_left ?? 0;
  const versions = await readCounted(db);
  if (versions.every(isShown) && !(await isBehind(db))) return { changed: 0, facts: toFacts(versions, fewLeft) };
  return inTransaction(db, async (transaction) => {
    const { last_sequence } = await takeNumbers(transaction, "products", { ids: 0, sequences: 0 });
    const versions = await readCounted(transaction);
    const changed = await writeProducts(transaction, versions, { last_sequence, at });
    const moved = versions.filter((version) => !isShown(version));
    await writeWords(
      transaction,
      moved.map((version) => ({ sku: version.sku, word: wordOf(version) })),
    );
    const { last_sequence: upTo } = await takeNumbers(transaction, "products", { ids: 0, sequences: changed });
    await noteWorded(transaction, upTo);
    return { changed, facts: toFacts(versions, fewLeft) };
  });
}

/** A version that is counted, or was when `products` was last written. */
interface CountedVersion {
  sku: string;
  product_id: number;
  /** What content/ says, what is so, and what `products` has; `shown` is null where that is content's. */
  said: Availability | "archived";
  now: ReturnType<typeof offerOf>;
  shown: Availability | null;
}

/** What stands in `stock_words`: null where content's word holds. */
const wordOf = ({ said, now: { availability } }: CountedVersion): Availability | null =>
  availability === said || availability === "archived" ? null : availability;

const isShown = (version: CountedVersion): boolean => wordOf(version) === version.shown;

async function readCounted(db: Db): Promise<CountedVersion[]> {
  const rows = await db
    .selectFrom("stock")
    .innerJoin("product_variants", "product_variants.sku", "stock.sku")
    .leftJoin("stock_words", "stock_words.sku", "stock.sku")
    .select(["stock.sku", "product_id", "product_variants.availability", "available_from", "when_sold_out"])
    .select("stock_words.availability as shown")
    .select(STOCK_COLUMNS)
    .where(({ or, eb }) => or([eb("stock.count", "is not", null), eb("stock_words.sku", "is not", null)]))
    .orderBy("stock.sku")
    .execute();
  return rows.map(({ sku, product_id, shown, ...row }) => {
    return { sku, product_id, said: row.availability, now: offerOf(row, row), shown };
  });
}

/** Whether products were written that may not have the words: an earlier release's import doesn't know of them. */
async function isBehind(db: Db): Promise<boolean> {
  const behind = db.selectFrom("counters").select("name").where("name", "=", "products");
  return (await behind.whereRef("worded", "<", "last_sequence").executeTakeFirst()) !== undefined;
}

/** Notes that the products have the words of stock up to a sequence of theirs. */
export const noteWorded = (transaction: Db, upTo: number) =>
  transaction.updateTable("counters").set({ worded: upTo }).where("name", "=", "products").execute();

/** Products read by one statement. */
const PRODUCTS_AT_ONCE = 100;
/** Rows of two short columns by one statement. */
const WORDS_AT_ONCE = 1_000;

/** Returns how many products have other words now. */
async function writeProducts(
  transaction: Db,
  versions: readonly CountedVersion[],
  { last_sequence, at }: { last_sequence: number; at: Date },
): Promise<number> {
  const behind = await transaction
    .selectFrom("products")
    .select("id")
    .where("sequence", ">", ({ selectFrom }) => selectFrom("counters").select("worded").where("name", "=", "products"))
    .execute();
  const moved = versions.filter((version) => !isShown(version)).map(({ product_id }) => product_id);
  const ids = [...new Set([...behind.map(({ id }) => id), ...moved])].sort((a, b) => a - b);
  const words = new Map(
    versions.flatMap(({ sku, now: { availability } }) =>
      availability === "archived" ? [] : [[sku, availability] as const],
    ),
  );
  let changed = 0;
  for (let first = 0; first < ids.length; first += PRODUCTS_AT_ONCE) {
    const rows = await transaction
      .selectFrom("products")
      .selectAll()
      .where("id", "in", ids.slice(first, first + PRODUCTS_AT_ONCE))
      .where("status", "=", "active")
      .orderBy("id")
      .execute();
    for (const row of rows) {
      const { variants, content_hash } = withWords(row, words);
      if (content_hash === row.content_hash) continue;
      changed += 1;
      await transaction
        .updateTable("products")
        .set({ variants, content_hash, sequence: last_sequence + changed, updated_at: at })
        .where("id", "=", row.id)
        .execute();
    }
  }
  return changed;
}

/** What `stock_words` says of a version; null: nothing. */
interface Word {
  sku: string;
  word: Availability | null;
}

async function writeWords(transaction: Db, words: readonly Word[]): Promise<void> {
  const rows = words.flatMap(({ sku, word }) => (word ? [{ sku, availability: word }] : []));
  const skus = words.map(({ sku }) => sku);
  for (let first = 0; first < skus.length; first += WORDS_AT_ONCE)
    await transaction
      .deleteFrom("stock_words")
      .where("sku", "in", skus.slice(first, first + WORDS_AT_ONCE))
      .execute();
  for (let first = 0; first < rows.length; first += WORDS_AT_ONCE)
    await transaction
      .insertInto("stock_words")
      .values(rows.slice(first, first + WORDS_AT_ONCE))
      .execute();
}

/** A catalogue that content/ makes, with what follows from what is left of it. */
export async function offerStock(db: Db, catalogue: readonly FeedProduct[]): Promise<FeedProduct[]> {
  const rows = await db
    .selectFrom("stock")
    .select(["sku", ...STOCK_COLUMNS])
    .where("count", "is not", null)
    .execute();
  const counted = new Map(rows.map(({ sku, ...row }) => [sku, row]));
  return catalogue.map((product) => ({
    ...product,
    variants: product.variants.map((variant) => {
      const row = counted.get(variant.sku);
      const { availability } = row ? offerOf(variant, row) : variant;
      return { ...variant, availability: availability === "archived" ? variant.availability : availability };
    }),
  }));
}

/** Stores in what the words of a catalogue that offerStock made differ from those of content/. */
export async function storeWords(
  transaction: Db,
  catalogue: readonly FeedProduct[],
  offered: readonly FeedProduct[],
): Promise<void> {
  const said = new Map(versionsOf(catalogue).map(({ sku, availability }) => [sku, availability]));
  const words = new Map(
    versionsOf(offered).flatMap(({ sku, availability }) =>
      availability === said.get(sku) ? [] : [[sku, availability] as const],
    ),
  );
  const rows = await transaction.selectFrom("stock_words").selectAll().execute();
  const stored = new Map(rows.map(({ sku, availability }) => [sku, availability]));
  const skus = [...new Set([...words.keys(), ...stored.keys()])].filter((sku) => words.get(sku) !== stored.get(sku));
  await writeWords(
    transaction,
    skus.map((sku) => ({ sku, word: words.get(sku) ?? null })),
  );
}

const versionsOf = (catalogue: readonly FeedProduct[]) => catalogue.flatMap(({ variants }) => variants);

const toFacts = (versions: readonly CountedVersion[], fewLeft: number): Record<string, StockFact> =>
  Object.fromEntries(
    versions.flatMap(({ sku, now: { availability, available_from, counted } }) => {
      if (!counted || availability === "archived") return [];
      const few_left = counted.left > 0 && counted.left <= fewLeft;
      return [[sku, { availability, available_from, few_left }]];
    }),
  );
