import type { Category, Product } from "./catalogue.ts";
import { formatMoney, formatRate, lowestPrice } from "./content/money.ts";
import { type Availability, availabilities, type Variant } from "./content/product.ts";
import { productsPerPage } from "./page-numbers.ts";
import { pageLanguage, store } from "./store.ts";
import { addTax, removeTax } from "./tax.ts";

const availabilityWords: Record<Availability, string> = {
  in_stock: "In stock",
  preorder: "Pre-order: not yet released",
  backorder: "On back-order",
  out_of_stock: "Out of stock",
};

/** Availability in words, never by colour alone. */
export const describeAvailability = (availability: Availability): string => availabilityWords[availability];

/** The best that any of a product's variants has; `availabilities` begins with the best. */
export function bestAvailability({ variants }: Product): Availability {
  const offered = availabilities.find((word) => variants.some(({ availability }) => availability === word));
  return offered ?? "out_of_stock";
}

/** What /search is for, in its own words and in the lists of pages. */
export const searchDescription = "Find products, guides and pages by a word, a SKU or a GTIN.";

/** What a page of a category, counted from 1, holds: each of them says something else. */
export function categoryPageDescription({ title, summary, products }: Category, page: number): string {
  if (page === 1) return summary;
  const [first, last] = [(page - 1) * productsPerPage + 1, Math.min(page * productsPerPage, products.length)];
  const count = (number: number) => number.toLocaleString(store.locale);
  return `${title}: products ${count(first)} to ${count(last)} of ${count(products.length)}.`;
}

/** What the page is called that has all products of a category side by side. */
export const comparisonTitle = ({ title }: Pick<Category, "title">): string => `${title} compared`;

/** What that page holds. */
export const comparisonDescription = ({ title }: Pick<Category, "title">): string =>
  `${title} side by side: price, availability and every specification.`;

/** A price for people, in the shop's currency and locale: `€1,189.00`. */
export const describePrice = (amount: string): string => formatMoney(amount, store.currency, store.locale);

/** `€189.00`, or `from €189.00` where the variants cost differently. */
export function describePriceRange({ variants }: { variants: readonly { price: string }[] }): string {
  const lowest = lowestPrice(variants);
  return variants.some(({ price }) => price !== lowest) ? `from ${describePrice(lowest)}` : describePrice(lowest);
}

/** The tax in words: `21% VAT`. */
const tax = `${formatRate(store.tax_rate, store.locale)} ${store.tax_name}`;

/** What a price includes: `incl. 21% VAT`. */
export const taxNote = `${store.prices_include_tax ? "incl." : "plus"} ${tax}`;

/** The price as those reckon who don't pay, or do pay, the tax: `€313.22 excl. VAT` beside a price that includes it. */
export function describeOtherPrice({ variants }: Product): string {
  const reckon = store.prices_include_tax ? removeTax : addTax;
  const prices = variants.map(({ price }) => ({ price: reckon(price, store.tax_rate) }));
  return `${describePriceRange({ variants: prices })} ${store.prices_include_tax ? `excl. ${store.tax_name}` : `incl. ${tax}`}`;
}

const describeOptions = ({ options }: Variant): string => Object.values(options).join(" / ");

/** A variant's name: its options, such as `Black / USB`, or the product's title where there are none. */
export const variantTitle = (variant: Variant, product: { title: string }): string =>
  describeOptions(variant) || product.title;

/** A variant in a line, as the search knows it: `Black / USB, TAV-T40-BK, 0217302001370, €219.00`. */
export const describeVersion = (variant: Variant): string => {
  const { sku, gtin, barcode, price } = variant;
  return [describeOptions(variant), sku, gtin, barcode, describePrice(price)].filter(Boolean).join(", ");
};

const dateFormat = new Intl.DateTimeFormat(pageLanguage, { dateStyle: "long", timeZone: "UTC" });

/** A day for people: `2026-10-02` is `2 October 2026`. */
export const describeDate = (date: string): string => dateFormat.format(new Date(date));

/** A number of products in words: `1 product`, `2,500 products`. */
export const countProducts = (count: number): string =>
  `${count.toLocaleString(store.locale)} ${count === 1 ? "product" : "products"}`;

/** What to do about a variant: order it, or ask about what can't be ordered. A verb, and the words that end in the SKU. */
export const orderWords = ({ sku, availability }: Variant): [verb: string, rest: string] =>
  availability === "out_of_stock" ? ["Ask", `about ${sku}`] : ["Order", sku];

/** The same in one: `Order TAV-T40-BK`. */
export const describeOrder = (variant: Variant): string => orderWords(variant).join(" ");

/** A letter to the sales desk that already names what is wanted. It is short because the Markdown face has it for every variant. */
export function orderLink(variant: Variant): string {
  const body = variant.availability === "out_of_stock" ? "When will you have it?" : "Quantity: 1\r\n";
  return `mailto:${store.sales_email}?subject=${encodeURIComponent(describeOrder(variant))}&body=${encodeURIComponent(body)}`;
}
