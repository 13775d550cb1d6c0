import { now, writeJson } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { findVariants, type StoredVariant, type Variant } from "../../../../api/selling/catalogue/variants.ts";

/** Stores versions of one product for sale, in stock for 189.00, and returns them in the same order. */
export async function storeVariants(
  db: Db,
  ...variants: ({ sku: string } & Partial<StoredVariant>)[]
): Promise<Variant[]> {
  const product = { slug: "tavrel-c30", title: "Tavrel C30", description: "A scanner.", category: "barcode-scanners" };
  await db
    .insertInto("products")
    .ignore()
    .values({
      ...{ id: 1, sequence: 1, status: "active", ...product, brand: null, content_hash: "" },
      ...{ url: "https://shop.example/products/tavrel-c30", created_at: now(), updated_at: now() },
      ...{ images: writeJson([]), specifications: writeJson([]), variants: writeJson([]) },
    })
    .execute();
  const rows = variants.map((variant) => ({
    ...{ product_id: 1, product_title: product.title, title: variant.sku, path: "/products/tavrel-c30" },
    ...{ picture: null, gtin: null, price: "189.00", availability: "in_stock" as const, available_from: null },
    when_sold_out: "out_of_stock" as const,
    ...{ weight_g: null, tax_class: null, content: null, order_least: 1, order_step: 1 },
    ...variant,
  }));
  await db.insertInto("product_variants").values(rows).execute();
  const skus = variants.map(({ sku }) => sku);
  const stored = await findVariants(db, skus);
  return skus.flatMap((sku) => stored.get(sku) ?? []);
}
