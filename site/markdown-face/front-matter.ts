import { MAX_LISTED_VERSIONS } from "../src/shop/offer.ts";
import { attribute, type Element, isElement, type PageParts, readHtml, textOf, wordsOf } from "./html.ts";

/** The facts in a page's head; undefined if the head doesn't state them. */
export type PageFacts = {
  title: string | undefined;
  description: string | undefined;
  /** The canonical URL, absolute. */
  url: string | undefined;
  /** The day of the last change, YYYY-MM-DD. */
  updated: string | undefined;
  product: ProductFacts | undefined;
  /** The address of the list of all pages, and the sentence that points to it. */
  pointer: { url: string; text: string } | undefined;
};

/** Of very many variants the JSON-LD has a range of prices alone. */
type ProductFacts = { brand: string | undefined; offers: OfferFacts[]; range?: PriceRange | undefined };

type PriceRange = { currency: string | undefined; price_from: string | undefined; price_to: string | undefined };

/** One variant. `price` is a decimal string as in the JSON-LD, `availability` a value as in products.json. */
type OfferFacts = {
  name: string | undefined;
  sku: string | undefined;
  gtin: string | undefined;
  price: string | undefined;
  currency: string | undefined;
  availability: string | undefined;
  /** The day on which it is expected, YYYY-MM-DD. */
  available_from: string | undefined;
};

/**
 * Reads a page's facts from `og:title` (or `<title>`, which ends with the shop's name), the description, the canonical link,
 * `article:modified_time` and the JSON-LD.
 *
 * @returns undefined for a page that only redirects, such as Astro's pages for `redirects`
 * @throws if a JSON-LD block isn't valid JSON, or has a price as a number (`189.00` would have become `189`)
 */
export function readPageFacts({ head, jsonLd }: Pick<PageParts, "head" | "jsonLd">): PageFacts | undefined {
  const elements = readHtml(head).childNodes.filter(isElement);
  if (elements.some((element) => attribute(element, "http-equiv")?.toLowerCase() === "refresh")) return undefined;
  const meta = new Map(elements.filter(({ tagName }) => tagName === "meta").map(nameAndContent));
  const title = elements.find(({ tagName }) => tagName === "title");
  const canonical = elements.find((element) => wordsOf(element, "rel").includes("canonical"));
  const list = elements.find((element) => wordsOf(element, "rel").includes("describedby"));
  const things = jsonLd.flatMap(readJsonLd);
  const modified = meta.get("article:modified_time") ?? firstText(things, "dateModified");
  return {
    title: meta.get("og:title") ?? (title && textOf(title)),
    description: meta.get("description"),
    url: canonical && attribute(canonical, "href"),
    updated: modified?.slice(0, 10),
    product: findProduct(things),
    pointer: list && { url: attribute(list, "href") ?? "", text: attribute(list, "title") ?? "" },
  };
}

const nameAndContent = (element: Element): [name: string | undefined, content: string | undefined] => [
  attribute(element, "name") ?? attribute(element, "property"),
  attribute(element, "content"),
];

type Thing = { [key: string]: unknown };

const isThing = (value: unknown): value is Thing =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listOf = (value: unknown): Thing[] => (Array.isArray(value) ? value : [value]).filter(isThing);

function readJsonLd(json: string): Thing[] {
  const top = listOf(JSON.parse(json));
  return top.flatMap((thing) => ("@graph" in thing ? listOf(thing["@graph"]) : [thing]));
}

function findProduct(things: readonly Thing[]): ProductFacts | undefined {
  const product = things.find(({ "@type": type }) => type === "Product" || type === "ProductGroup");
  if (!product) return undefined;
  const [brand] = listOf(product["brand"]);
  const range = listOf(product["offers"]).find(({ "@type": type }) => type === "AggregateOffer");
  return {
    brand: brand && text(brand, "name"),
    ...(range && { range: readRange(range) }),
    offers: range
      ? []
      : [product, ...listOf(product["hasVariant"])].flatMap((each) =>
          listOf(each["offers"]).map((offer) => readOffer(each, offer)),
        ),
  };
}

const readRange = (offer: Thing): PriceRange => ({
  currency: text(offer, "priceCurrency"),
  price_from: text(offer, "lowPrice"),
  price_to: text(offer, "highPrice"),
});

function readOffer(product: Thing, offer: Thing): OfferFacts {
  if (typeof offer["price"] === "number") throw new Error("a JSON-LD price is a number: write it as a string");
  return {
    name: text(offer, "name"),
    sku: text(offer, "sku") ?? text(product, "sku"),
    gtin: text(offer, "gtin13") ?? text(product, "gtin13"),
    price: text(offer, "price"),
    currency: text(offer, "priceCurrency"),
    availability: availabilityWord(text(offer, "availability")),
    available_from: text(offer, "availabilityStarts"),
  };
}

// The values of products.json for schema.org's ItemAvailability.
const availabilityWords = new Map([
  ["InStock", "in_stock"],
  ["OutOfStock", "out_of_stock"],
  ["PreOrder", "preorder"],
  ["BackOrder", "backorder"],
]);

function availabilityWord(url: string | undefined): string | undefined {
  const name = url?.replace(/^https?:\/\/schema\.org\//, "");
  return name === undefined ? undefined : (availabilityWords.get(name) ?? name);
}

const text = (thing: Thing, key: string) => {
  const value = thing[key];
  return typeof value === "string" ? value : undefined;
};

function firstText(things: readonly Thing[], key: string): string | undefined {
  for (const thing of things) {
    const value = text(thing, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Of many variants only the lowest and the highest price; the page's table has them all. */
function priceRange(offers: readonly OfferFacts[]) {
  const prices = offers.flatMap(({ price }) => price ?? []).sort((a, b) => Number(a) - Number(b));
  return { price_from: prices[0], price_to: prices.at(-1) };
}

/**
 * Writes a page's YAML front matter, with its `---` lines, one fact a line.
 *
 * Every string is in double quotes: YAML 1.1 parsers, which are common, read a bare `no` as false, `0123` as 83 and `2026-10-02`
 * as a date, and a bare `: ` or ` #` ends a value. A JSON string is a valid YAML string (YAML 1.2, §1.3).
 */
export function writeFrontMatter({ title, description, url, updated, product }: PageFacts): string {
  const fields = { title, description, url, updated };
  const lines = ["---", ...lineEach(fields)];
  if (product) {
    const [first] = product.offers;
    const currencies = new Set(product.offers.map((offer) => offer.currency));
    const currency = currencies.size === 1 ? first?.currency : undefined;
    lines.push(...lineEach({ brand: product.brand }));
    if (product.range) {
      lines.push(...lineEach(product.range));
    } else if (first && product.offers.length === 1) {
      const { sku, gtin, price, availability, available_from } = first;
      lines.push(...lineEach({ sku, gtin, price, currency, availability, available_from }));
    } else if (currency !== undefined && product.offers.length > MAX_LISTED_VERSIONS) {
      lines.push(...lineEach({ currency, ...priceRange(product.offers) }));
    } else {
      lines.push(
        ...lineEach({ currency }),
        "variants:",
        ...product.offers.map((offer) => variantLine(offer, currency)),
      );
    }
  }
  return `${[...lines, "---"].join("\n")}\n`;
}

type Fields = { [name: string]: string | undefined };

const lineEach = (fields: Fields) => pairs(fields).map(([name, value]) => `${name}: ${quoteYaml(value)}`);

function variantLine(
  { name, sku, gtin, price, currency, availability, available_from }: OfferFacts,
  shared: string | undefined,
): string {
  const own = currency === shared ? undefined : currency;
  const fields = { sku, gtin, name, price, currency: own, availability, available_from };
  return `  - {${lineEach(fields).join(", ")}}`;
}

const pairs = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));

// Not printable in YAML 1.2.2 (§5.1), or line breaks in YAML 1.1 (§4.2: NEL, LS, PS), but allowed in JSON.
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const quoteYaml = (value: string) =>
  JSON.stringify(value).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
