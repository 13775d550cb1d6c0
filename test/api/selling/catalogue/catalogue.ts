import type { FeedProduct } from "../../../../api/contract/built-files/products.ts";

/** A variant as in the catalogue file. */
export const variant = (
  sku: string,
  overrides: Partial<FeedProduct["variants"][number]> = {},
): FeedProduct["variants"][number] => ({
  sku,
  gtin: null,
  barcode: null,
  title: sku,
  options: {},
  specifications: [],
  price: "189.00",
  currency: "EUR",
  prices_include_tax: true,
  tax_rate: "0.21",
  availability: "in_stock",
  available_from: null,
  when_sold_out: "out_of_stock",
  image: 0,
  price_net: "156.20",
  order_url: null,
  ...overrides,
});

/** A product with one variant, as in the catalogue file. */
export const product = (slug: string, overrides: Partial<FeedProduct> = {}): FeedProduct => ({
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
  works_with: [],
  does_not_work_with: [],
  similar: [],
  updated: null,
  ...overrides,
});
