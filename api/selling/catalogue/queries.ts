import { type Selectable, sql } from "kysely";
import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { StoredVariant, Tables } from "../../platform/database/tables.ts";
import type { Keyset } from "../../platform/http/paging.ts";
import { schemaTag } from "../../platform/http/partner-headers.ts";
import { toContent, toOrderQuantity } from "./product-columns.ts";
import { Product } from "./schema.ts";

/** The whole catalogue by id, ascending, including archived products. */
export async function listCatalogue(db: Db): Promise<Product[]> {
  return (await db.selectFrom("products").selectAll().orderBy("id").execute()).map(toProduct);
}

const SCHEMA_TAG = schemaTag(Product);

/**
 * The ETag of the whole catalogue, with its quotes. It changes with every field of every product and with the schema.
 * The database hashes each row and combines the hashes by XOR into 64 bits.
 */
export async function readCatalogueTag(db: Db): Promise<string> {
  const row = sql`concat_ws(' ', id, sequence, status, content_hash, created_at, updated_at)`;
  const hash = sql`cast(conv(left(sha2(${row}, 256), 16), 16, 10) as unsigned)`;
  const { tag } = await db
    .selectFrom("products")
    .select(sql<string>`hex(bit_xor(${hash}))`.as("tag"))
    .executeTakeFirstOrThrow();
  return `"${SCHEMA_TAG}-${tag}"`;
}

/**
 * A page of products by the keyset's column, ascending, and whether there are more; with `sku`, of the one that has it. A
 * variant that left the shop before its product did is in none.
 */
export async function listProducts(
  db: Db,
  { column, after, upTo, limit }: Keyset,
  sku?: string,
): Promise<{ products: Product[]; hasMore: boolean }> {
  const all = db.selectFrom("products").selectAll("products");
  const rows = await (sku === undefined
    ? all
    : all.innerJoin("product_variants", "product_id", "products.id").where("product_variants.sku", "=", sku)
  )
    .where(column, ">", after)
    .where(column, "<=", upTo)
    .orderBy(column)
    .limit(limit + 1) // one more tells whether there is a next page
    .execute();
  const products = rows.slice(0, limit).map(toProduct);
  const hasSku = ({ variants }: Product) => sku === undefined || variants.some((variant) => variant.sku === sku);
  return { products: products.filter(hasSku), hasMore: rows.length > limit };
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
    images: readJson(row.images).map(({ url, alt }) => ({ url, alt })),
    specifications: readJson(row.specifications).map(toSpecification),
    variants: readJson(row.variants).map(toVariant),
    categories: row.categories === null ? [row.category] : readJson(row.categories),
  };
}

/** In this order: MySQL sorts the keys of a JSON object. */
const toSpecification = ({ name, value }: Product["specifications"][number]) => ({ name, value });

/** Field by field, with null or nothing where an archived product is older than the field, as in orders/to-order.ts. */
const toVariant = (stored: StoredVariant): Product["variants"][number] => ({
  sku: stored.sku,
  gtin: stored.gtin,
  barcode: stored.barcode ?? null,
  title: stored.title,
  options: Object.fromEntries(stored.options),
  specifications: (stored.specifications ?? []).map(toSpecification),
  price: stored.price,
  currency: stored.currency,
  prices_include_tax: stored.prices_include_tax,
  tax_rate: stored.tax_rate,
  availability: stored.availability,
  condition: stored.condition ?? "new",
  content: stored.content ? toContent(stored.content) : null,
  order_quantity: toOrderQuantity(stored.order_quantity ?? { least: 1, step: 1 }),
  weight_g: stored.weight_g ?? null,
  tax_class: stored.tax_class ?? null,
});
