import type { Selectable } from "kysely";
import type { FeedProduct } from "../../contract/built-files/products.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { addSkus } from "../stock/ledger.ts";

/** A version of a product as it can be ordered; `price` has four digits after the point, as DECIMAL(19,4) has. */
export type Variant = Selectable<Tables["product_variants"]>;

/** The variants with these SKUs, by SKU; those that were never imported are missing. */
export async function findVariants(db: Db, skus: readonly string[]): Promise<Map<string, Variant>> {
  if (skus.length === 0) return new Map();
  const rows = await db.selectFrom("product_variants").selectAll().where("sku", "in", skus).execute();
  return new Map(rows.map((row) => [row.sku, row]));
}

/** Rows per statement, as in import.ts. */
const ROWS_AT_ONCE = 100;

/**
 * Brings the variants up to date with a catalogue whose products are stored, in their transaction. A SKU that left the
 * catalogue stays, archived, since baskets and orders name it.
 */
export async function storeVariants(transaction: Db, catalogue: readonly FeedProduct[]): Promise<void> {
  const stored = await transaction.selectFrom("product_variants").selectAll().execute();
  const known = new Map(stored.map((row) => [row.sku, JSON.stringify(inOrder(row))]));
  const products = await transaction.selectFrom("products").select(["id", "slug"]).execute();
  const ids = new Map(products.map(({ id, slug }) => [slug, id]));
  const rows = catalogue.flatMap((product) => toVariants(product, ids.get(product.slug) ?? 0));
  const added = rows.filter(({ sku }) => !known.has(sku));
  for (let first = 0; first < added.length; first += ROWS_AT_ONCE)
    await transaction
      .insertInto("product_variants")
      .values(added.slice(first, first + ROWS_AT_ONCE))
      .execute();
  for (let first = 0; first < added.length; first += ROWS_AT_ONCE)
    await addSkus(transaction, added.slice(first, first + ROWS_AT_ONCE));
  for (const { sku, ...columns } of rows) {
    const before = known.get(sku);
    if (before === undefined || before === JSON.stringify(inOrder({ sku, ...columns }))) continue;
    await transaction.updateTable("product_variants").set(columns).where("sku", "=", sku).execute();
  }
  const current = new Set(rows.map(({ sku }) => sku));
  for (const { sku, availability } of stored) {
    if (current.has(sku) || availability === "archived") continue;
    await transaction
      .updateTable("product_variants")
      .set({ availability: "archived" })
      .where("sku", "=", sku)
      .execute();
  }
}

/** The columns in one order, to compare two rows as text. */
const inOrder = ({ sku, product_id, product_title, title, path, picture, gtin, ...offer }: Variant) => [
  sku,
  product_id,
  product_title,
  title,
  path,
  picture,
  gtin,
  offer.price,
  offer.availability,
  offer.available_from,
];

const toVariants = ({ title: product_title, url, images, variants }: FeedProduct, product_id: number): Variant[] =>
  variants.map(({ sku, title, gtin, price, availability, available_from, image }) => ({
    sku,
    product_id,
    product_title,
    title,
    path: new URL(url).pathname,
    picture: images[image] ? fromRoot(images[image].thumbnail) : null,
    gtin,
    price: formatMoney(parseMoney(price), 4), // as DECIMAL(19,4) is read
    availability,
    available_from,
  }));

/** Pages show pictures of their own origin, whatever its name is. */
function fromRoot(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
