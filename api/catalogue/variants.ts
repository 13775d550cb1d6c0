import type { Selectable } from "kysely";
import type { Db } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";

/** A version of a product as it can be ordered; `price` has four digits after the point, as DECIMAL(19,4) has. */
export type Variant = Selectable<Tables["product_variants"]>;

/** The variants with these SKUs, by SKU; those that were never imported are missing. */
export async function findVariants(db: Db, skus: readonly string[]): Promise<Map<string, Variant>> {
  if (skus.length === 0) return new Map();
  const rows = await db.selectFrom("product_variants").selectAll().where("sku", "in", skus).execute();
  return new Map(rows.map((row) => [row.sku, row]));
}
