import type { Selectable } from "kysely";
import type { Db } from "../database.ts";
import type { Keyset } from "../paging.ts";
import { toRfc3339 } from "../schema.ts";
import type { Tables } from "../tables.ts";
import type { Product } from "./schema.ts";

/** The whole catalogue in ascending order of id, archived products too. */
export async function listCatalogue(db: Db): Promise<Product[]> {
  return (await db.selectFrom("products").selectAll().orderBy("id").execute()).map(toProduct);
}

/** A page of products in ascending order of the keyset's column, and whether there are more. One statement. */
export async function listProducts(
  db: Db,
  { column, after, limit }: Keyset,
): Promise<{ products: Product[]; hasMore: boolean }> {
  const rows = await db
    .selectFrom("products")
    .selectAll()
    .where(column, ">", after)
    .orderBy(column)
    .limit(limit + 1) // one more, to know whether there is a next page without counting
    .execute();
  return { products: rows.slice(0, limit).map(toProduct), hasMore: rows.length > limit };
}

type Row = Selectable<Tables["products"]>;

function toProduct(row: Row): Product {
  return {
    id: row.id,
    slug: row.slug,
    url: row.url,
    title: row.title,
    status: row.status,
    description: row.description,
    brand: row.brand,
    category: row.category,
    created_at: toRfc3339(row.created_at),
    updated_at: toRfc3339(row.updated_at),
    sequence: row.sequence,
    images: row.images.map(({ url, alt }) => ({ url, alt })),
    specifications: row.specifications.map(({ name, value }) => ({ name, value })),
    variants: row.variants.map(toVariant),
  };
}

/** Field by field, and null where an archived product is older than the field, as in orders/to-order-parts.ts. */
const toVariant = (stored: Row["variants"][number]): Product["variants"][number] => ({
  sku: stored.sku,
  gtin: stored.gtin ?? null,
  barcode: stored.barcode ?? null,
  title: stored.title,
  options: Object.fromEntries(stored.options),
  price: stored.price,
  currency: stored.currency,
  prices_include_tax: stored.prices_include_tax,
  tax_rate: stored.tax_rate,
  availability: stored.availability,
});
