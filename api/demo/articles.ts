import type { Db } from "../database.ts";
import { readJson } from "../json-column.ts";

/** Something that a demo order can contain; `price` in EUR. */
export interface Article {
  product_id: number | null;
  sku: string | null;
  gtin: string | null;
  name: string;
  price: string;
}

/** What is never in the catalogue: services, and an article from before the shop kept records. */
const uncatalogued: readonly Article[] = [
  { product_id: null, sku: "SVC-SETUP", gtin: null, name: "Set-up on site, per hour", price: "64.00" },
  { product_id: null, sku: "ROLL-80", gtin: null, name: "Thermal paper roll 80 × 80 mm", price: "1.2375" },
  { product_id: null, sku: null, gtin: null, name: "Customer’s own trade-in, refurbished stand", price: "18.50" },
];

/** Every active variant of the catalogue, and what never was in it. The same catalogue, the same list. */
export async function listArticles(db: Db): Promise<[Article, ...Article[]]> {
  const products = await db
    .selectFrom("products")
    .select(["id", "title", "variants"])
    .where("status", "=", "active")
    .orderBy("slug")
    .execute();
  const catalogued = products.flatMap(({ id, title, variants }) =>
    readJson(variants).map((variant) => ({
      product_id: id,
      sku: variant.sku,
      gtin: variant.gtin,
      name: variant.options.length > 0 ? `${title}, ${variant.title}` : title,
      price: variant.price,
    })),
  );
  const [first = { product_id: null, sku: "DEMO-1", gtin: null, name: "Receipt printer", price: "219.00" }, ...rest] = [
    ...catalogued,
    ...uncatalogued,
  ];
  return [first, ...rest];
}
