import { sql } from "kysely";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { asOfNow, OFFER_COLUMNS } from "../../selling/catalogue/variants.ts";
import { countOrdered } from "../../selling/stock/shelf.ts";

/** Which versions are listed; a part of the page's address. */
export const SHOWS = ["all", "counted", "none_left"] as const;
export type Show = (typeof SHOWS)[number];

/** A version as whoever counts sees it. */
export interface CountedVersion {
  sku: string;
  product: string;
  /** "" where the product is the only one. */
  version: string;
  /** Of its page. */
  path: string;
  /** Null where it isn't counted. */
  available: number | null;
  ordered: number;
  availability: string;
  /** YYYY-MM-DD. */
  available_from: string | null;
  few_left: boolean;
  /** By whom its last count was sent, if that was a partner's system: the beginning of its token's hash. */
  partner: string | null;
  /** When, RFC 3339. */
  counted_at: string | null;
}

interface Asked {
  /** Each of which is in the SKU, the product's title or the version's. */
  words: readonly string[];
  show: Show;
  /** The last SKU of the page before. */
  after: string;
  limit: number;
}

/** The versions that the shop sells or counts, by SKU. */
export async function listVersions(
  db: Db,
  shop: Pick<ShopFacts, "few_left">,
  { words, show, after, limit }: Asked,
): Promise<CountedVersion[]> {
  const rows = await select(db)
    .where("product_variants.sku", ">", after)
    .where(({ or, eb }) =>
      or([eb("product_variants.availability", "!=", "archived"), eb("stock.count", "is not", null)]),
    )
    .$if(show !== "all", (query) => query.where("stock.count", "is not", null))
    .$if(show === "none_left", (query) => query.whereRef("stock.count", "<=", "stock.held"))
    .where(({ and }) => and(words.map(hasWord)))
    .orderBy("product_variants.sku")
    .limit(limit)
    .execute();
  return describe(db, shop, rows);
}

/** The versions with these SKUs, by SKU. */
export async function findVersions(
  db: Db,
  shop: Pick<ShopFacts, "few_left">,
  skus: readonly string[],
): Promise<CountedVersion[]> {
  if (skus.length === 0) return [];
  const rows = await select(db).where("product_variants.sku", "in", skus).orderBy("product_variants.sku").execute();
  // The database compares without blanks at the end.
  return describe(
    db,
    shop,
    rows.filter(({ sku }) => skus.includes(sku)),
  );
}

const select = (db: Db) =>
  db
    .selectFrom("product_variants")
    .innerJoin("stock", "stock.sku", "product_variants.sku")
    .selectAll("product_variants")
    .select(OFFER_COLUMNS)
    .select(["counted_at", "counted_by"]);

/** Capitals and accents don't matter. */
const hasWord = (word: string) =>
  sql<boolean>`concat_ws(' ', product_variants.sku, product_title, title) collate utf8mb4_unicode_ci
    like ${`%${word.replaceAll(/[\\%_]/g, "\\$&")}%`}`;

async function describe(
  db: Db,
  { few_left }: Pick<ShopFacts, "few_left">,
  rows: Awaited<ReturnType<ReturnType<typeof select>["execute"]>>,
): Promise<CountedVersion[]> {
  const ordered = await countOrdered(
    db,
    rows.map(({ sku }) => sku),
  );
  return rows.map(({ counted_at, counted_by, ...row }) => {
    const { availability, available_from, counted } = asOfNow(row);
    const { sku, product_title, title, path, count, held } = row;
    return {
      ...{ sku, path, product: product_title, version: title === product_title ? "" : title },
      available: count === null ? null : count - held,
      ordered: ordered.get(sku) ?? 0,
      ...{ availability, available_from },
      few_left: counted !== undefined && counted.left > 0 && counted.left <= (few_left ?? 0),
      partner: counted_by,
      counted_at: counted_at && toRfc3339(counted_at),
    };
  });
}

/** A count by the shop's own people. */
interface PastCount {
  by: string;
  /** Pieces on the shelf, as the shop had it and as they found it; null: not counted. */
  was: number | null;
  became: number | null;
  /** RFC 3339. */
  at: string;
}

/** The last counts of a SKU, the newest first. */
export async function listCounts(db: Db, sku: string, limit: number): Promise<PastCount[]> {
  const rows = await db
    .selectFrom("stock_history")
    .select(["was", "became", "done_by", "done_at"])
    .where("sku", "=", sku)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ was, became, done_by, done_at }) => ({ by: done_by, was, became, at: toRfc3339(done_at) }));
}
