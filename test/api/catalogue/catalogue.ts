import type { FeedProduct } from "../../../api/catalogue/catalogue-file.ts";

/** A variant of the catalogue file. */
export const variant = (
  sku: string,
  different: Partial<FeedProduct["variants"][number]> = {},
): FeedProduct["variants"][number] => ({
  sku,
  gtin: null,
  barcode: null,
  title: sku,
  options: {},
  price: "189.00",
  currency: "EUR",
  prices_include_tax: true,
  tax_rate: "0.21",
  availability: "in_stock",
  ...different,
});

/** A product of the catalogue file with one variant. */
export const product = (slug: string, different: Partial<FeedProduct> = {}): FeedProduct => ({
  slug,
  formerly: [],
  url: `https://shop.example/products/${slug}`,
  title: slug,
  description: "A scanner.",
  brand: null,
  category: "barcode-scanners",
  images: [],
  specifications: [],
  variants: [variant(`SKU-${slug}`)],
  ...different,
});
