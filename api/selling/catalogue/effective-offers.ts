import type { FeedProduct } from "../../contract/built-files/products.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import type { StoredVariant } from "../../platform/database/tables.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { findShopFacts } from "../shop/queries.ts";
import { type ErpPrices, showPrice, toDecimal } from "./prices.ts";
import { type InForce, withOffers } from "./product-columns.ts";
import { asOfNow, ERP_PRICE, OFFER_COLUMNS, offerOf, STOCK_COLUMNS, type Variant } from "./variants.ts";

// Of a version that is counted, or of which the ERP has sent the price, `product_variants` keeps what content/ says,
// `products` has what is in force, and `shown_offers` says where the two differ, so that whoever looks for a change needn't
// read the products.

type Availability = StoredVariant["availability"];

/**
 * What pages say of a version in place of content/: how it can be had, where it's counted; what it costs, where the ERP
 * says so.
 */
export interface OfferFact {
  availability?: Availability;
  /** YYYY-MM-DD. */
  available_from?: string | null;
  /** Whether these are the last pieces. */
  few_left?: boolean;
  price?: string;
  currency?: string;
}

/**
 * Brings `products` up to date with what is left and what the ERP asks for it, by one transaction that locks their sequence
 * row, where anything changed, and returns how many of them did, and the facts by SKU, in that order: of each version that
 * is sold, and counted or priced by the ERP. One that content/ takes off sale isn't counted. A product of which all is as
 * it was keeps its sequence and updated_at.
 */
export async function followOffers(
  db: Db,
  at = new Date(),
): Promise<{ changed: number; facts: Record<string, OfferFact> }> {
  const shop = await findShopFacts(db);
  const words = { fewLeft: shop?.few_left ?? 0, currency: shop?.currency ?? "" };
  const versions = await readVersions(db);
  if (versions.every(isShown) && !(await isBehind(db))) return { changed: 0, facts: toFacts(versions, words) };
  return inTransaction(db, async (transaction) => {
    const { last_sequence } = await takeNumbers(transaction, "products", { ids: 0, sequences: 0 });
    const versions = await readVersions(transaction);
    const changed = await writeProducts(transaction, versions, { last_sequence, at });
    const moved = versions.filter((version) => !isShown(version));
    await writeShown(
      transaction,
      moved.map((version) => ({ sku: version.sku, ...differenceOf(version) })),
    );
    const { last_sequence: upTo } = await takeNumbers(transaction, "products", { ids: 0, sequences: changed });
    await noteEffective(transaction, upTo);
    return { changed, facts: toFacts(versions, words) };
  });
}

/** A version of which content/ may not say what is in force, or didn't when `products` was last written. */
interface Version {
  sku: string;
  product_id: number;
  /** What content/ says, what is so, and what `shown_offers` has. */
  said: Pick<Variant, "availability" | "price">;
  now: Variant;
  shown: Difference;
  isPriced: boolean;
}

/** What is in force and isn't what content/ says; null where it is. */
interface Difference {
  availability: Availability | null;
  price: string | null;
}

const NONE: Difference = { availability: null, price: null };

function differenceOf({ said, now: { availability, price } }: Pick<Version, "said" | "now">): Difference {
  if (availability === "archived") return NONE;
  return {
    availability: availability === said.availability ? null : availability,
    price: price === said.price ? null : price,
  };
}

function isShown(version: Version): boolean {
  const { availability, price } = differenceOf(version);
  return availability === version.shown.availability && price === version.shown.price;
}

async function readVersions(db: Db): Promise<Version[]> {
  const rows = await db
    .selectFrom("stock")
    .innerJoin("product_variants", "product_variants.sku", "stock.sku")
    .leftJoin("shown_offers", "shown_offers.sku", "stock.sku")
    .selectAll("product_variants")
    .select(["shown_offers.availability as shown_availability", "shown_offers.price as shown_price"])
    .select(OFFER_COLUMNS)
    .where(({ or, eb }) =>
      or([eb("stock.count", "is not", null), eb("shown_offers.sku", "is not", null), eb(ERP_PRICE, "is not", null)]),
    )
    .orderBy("stock.sku")
    .execute();
  return rows.map(({ shown_availability, shown_price, ...row }) => ({
    sku: row.sku,
    product_id: row.product_id,
    said: row,
    now: asOfNow(row),
    shown: { availability: shown_availability, price: shown_price },
    isPriced: row.erp_price !== null,
  }));
}

/** Whether products were written that may not have what is in force: an earlier release's import doesn't know of them. */
async function isBehind(db: Db): Promise<boolean> {
  const behind = db.selectFrom("counters").select("name").where("name", "=", "products");
  return (await behind.whereRef("effective_up_to", "<", "last_sequence").executeTakeFirst()) !== undefined;
}

/** Notes that the products have what is in force up to a sequence of theirs. */
export const noteEffective = (transaction: Db, upTo: number) =>
  transaction.updateTable("counters").set({ effective_up_to: upTo }).where("name", "=", "products").execute();

/** Products read by one statement. */
const PRODUCTS_AT_ONCE = 100;
/** Rows of short columns by one statement. */
const SHOWN_AT_ONCE = 1_000;

/** Returns how many products say something else now. */
async function writeProducts(
  transaction: Db,
  versions: readonly Version[],
  { last_sequence, at }: { last_sequence: number; at: Date },
): Promise<number> {
  const behind = await transaction
    .selectFrom("products")
    .select("id")
    .where("sequence", ">", ({ selectFrom }) =>
      selectFrom("counters").select("effective_up_to").where("name", "=", "products"),
    )
    .execute();
  const moved = versions.filter((version) => !isShown(version)).map(({ product_id }) => product_id);
  const ids = [...new Set([...behind.map(({ id }) => id), ...moved])].sort((a, b) => a - b);
  const offers = new Map(
    versions.flatMap(({ sku, now: { availability, price } }): [string, InForce][] =>
      availability === "archived" ? [] : [[sku, { availability, price }]],
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
      const { variants, content_hash } = withOffers(row, offers);
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

/** What `shown_offers` says of versions; where that is nothing, they have no row. */
async function writeShown(transaction: Db, versions: readonly (Difference & { sku: string })[]): Promise<void> {
  const rows = versions.filter(({ availability, price }) => availability !== null || price !== null);
  const skus = versions.map(({ sku }) => sku);
  for (let first = 0; first < skus.length; first += SHOWN_AT_ONCE)
    await transaction
      .deleteFrom("shown_offers")
      .where("sku", "in", skus.slice(first, first + SHOWN_AT_ONCE))
      .execute();
  for (let first = 0; first < rows.length; first += SHOWN_AT_ONCE)
    await transaction
      .insertInto("shown_offers")
      .values(rows.slice(first, first + SHOWN_AT_ONCE))
      .execute();
}

/** A catalogue that content/ makes, with what follows from what is left of it, and with the ERP's prices. */
export async function withEffectiveOffers(
  db: Db,
  catalogue: readonly FeedProduct[],
  erpPrices: ErpPrices,
): Promise<FeedProduct[]> {
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
      const soldIn = variant.order_quantity ?? { least: 1, step: 1 };
      const { availability } = row ? offerOf({ ...variant, soldIn }, row) : variant;
      const { price } = erpPrices.get(variant.sku) ?? variant;
      return {
        ...variant,
        availability: availability === "archived" ? variant.availability : availability,
        price: showPrice(price, variant.currency),
      };
    }),
  }));
}

/** Stores in what a catalogue that withEffectiveOffers made differs from that of content/. */
export async function storeShown(
  transaction: Db,
  catalogue: readonly FeedProduct[],
  effective: readonly FeedProduct[],
): Promise<void> {
  const said = new Map(versionsOf(catalogue).map((variant) => [variant.sku, variant]));
  const differences = new Map<string, Difference>();
  for (const { sku, ...offer } of versionsOf(effective)) {
    const written = said.get(sku) ?? offer;
    const availability = offer.availability === written.availability ? null : offer.availability;
    const price = toDecimal(offer.price) === toDecimal(written.price) ? null : toDecimal(offer.price);
    if (availability !== null || price !== null) differences.set(sku, { availability, price });
  }
  const rows = await transaction.selectFrom("shown_offers").selectAll().execute();
  const stored = new Map(rows.map(({ sku, ...difference }) => [sku, difference]));
  const skus = [...new Set([...differences.keys(), ...stored.keys()])].filter((sku) => {
    const [now, before] = [differences.get(sku) ?? NONE, stored.get(sku) ?? NONE];
    return now.availability !== before.availability || now.price !== before.price;
  });
  await writeShown(
    transaction,
    skus.map((sku) => ({ sku, ...(differences.get(sku) ?? NONE) })),
  );
}

const versionsOf = (catalogue: readonly FeedProduct[]) => catalogue.flatMap(({ variants }) => variants);

const toFacts = (
  versions: readonly Version[],
  { fewLeft, currency }: { fewLeft: number; currency: string },
): Record<string, OfferFact> =>
  Object.fromEntries(
    versions.flatMap(({ sku, now: { availability, available_from, counted, price }, isPriced }) => {
      if (availability === "archived" || !(counted || isPriced)) return [];
      const fact: OfferFact = {
        ...(counted && {
          availability,
          available_from,
          few_left: counted.left > 0 && counted.left <= fewLeft,
        }),
        ...(isPriced && { price: showPrice(price, currency), currency }),
      };
      return [[sku, fact]];
    }),
  );
