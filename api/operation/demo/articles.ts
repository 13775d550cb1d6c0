import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { readJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";

/** An article of a demo order, with its price in the catalogue. */
export interface Article {
  product_id: number | null;
  sku: string | null;
  gtin: string | null;
  name: string;
  price: string;
}

/** The catalogue's articles, currency and tax. */
export interface Shop {
  currency: string;
  prices_include_tax: boolean;
  tax_rate: string;
  articles: readonly [Article, ...Article[]];
  /** The median price. */
  usualPrice: bigint;
}

// For an empty catalogue.
const sample = { product_id: null, sku: "SAMPLE-1", gtin: null, name: "Sample article", price: "80.00" };
const sampleTerms = { currency: "EUR", prices_include_tax: true, tax_rate: "0.21" };

/** Every active variant of the catalogue, and one article that isn't in it. */
export async function readShop(db: Db): Promise<Shop> {
  const products = await db
    .selectFrom("products")
    .select(["id", "title", "variants"])
    .where("status", "=", "active")
    .orderBy("slug")
    .execute();
  const variants = products.flatMap(({ id, title, variants }) =>
    readJson(variants).map((variant) => ({ ...variant, product_id: id, product: title })),
  );
  const { currency, prices_include_tax, tax_rate } = variants[0] ?? sampleTerms;
  const [first = sample, ...rest] = variants.map(({ product_id, sku, gtin, product, title, options, price }) => {
    return { product_id, sku, gtin, name: options.length > 0 ? `${product}, ${title}` : product, price };
  });
  const prices = [first, ...rest].map(({ price }) => parseMoney(price)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const usualPrice = prices[Math.floor(prices.length / 2)] ?? parseMoney(sample.price);
  // An ERP must accept lines without an SKU, and unit prices with more digits than the currency.
  const cut = formatMoney(usualPrice / 160n + 1n, currencyDigits(currency));
  const uncatalogued = { product_id: null, sku: null, gtin: null, name: "Cut to length, per centimetre", price: cut };
  return { currency, prices_include_tax, tax_rate, usualPrice, articles: [first, ...rest, uncatalogued] };
}
