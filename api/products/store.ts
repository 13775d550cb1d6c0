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

function toProduct(row: Selectable<Tables["products"]>): Product {
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
    images: row.images,
    specifications: row.specifications,
    variants: row.variants.map(({ options, ...variant }) => ({ ...variant, options: Object.fromEntries(options) })),
  };
}
