import type { Element, Root } from "hast";
import { eachElement, textOf } from "./elements.ts";

/** What a page says about itself in its head. Absent fields are not said. */
export type PageFacts = {
  title: string | undefined;
  description: string | undefined;
  /** The canonical URL, absolute. */
  url: string | undefined;
  /** The day of the last change, YYYY-MM-DD. */
  updated: string | undefined;
  product: ProductFacts | undefined;
};

type ProductFacts = { brand: string | undefined; offers: OfferFacts[] };

/** One variant. `price` is the decimal string of the JSON-LD, `availability` the word that products.json uses. */
export type OfferFacts = {
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
 * Reads a page's facts from `<title>` (or `og:title`, which has no shop name in it), the description, the canonical link,
 * `article:modified_time` and the JSON-LD.
 *
 * @throws when a JSON-LD block is no JSON, or has a price as a number (`189.00` would have become `189`).
 */
export function readPageFacts(page: Root): PageFacts {
  const meta = new Map<string, string>();
  let title: string | undefined;
  let url: string | undefined;
  const things: Thing[] = [];
  eachElement(page, (element) => {
    const { tagName, properties } = element;
    if (tagName === "title") title ??= textOf(element);
    if (tagName === "meta")
      meta.set(String(properties["name"] ?? properties["property"]), String(properties["content"]));
    if (tagName === "link" && has(properties["rel"], "canonical")) url ??= String(properties["href"]);
    if (tagName === "script" && properties["type"] === "application/ld+json") things.push(...readJsonLd(element));
  });
  const modified = meta.get("article:modified_time") ?? firstText(things, "dateModified");
  return {
    title: meta.get("og:title") ?? title,
    description: meta.get("description"),
    url,
    updated: modified?.slice(0, 10),
    product: findProduct(things),
  };
}

/** True when the page only sends its reader on, as Astro's pages for `redirects` do. */
export function isRedirect(page: Root): boolean {
  let found = false;
  eachElement(page, ({ tagName, properties }) => {
    if (tagName === "meta" && has(properties["httpEquiv"], "refresh")) found = true;
  });
  return found;
}

const has = (value: Element["properties"][string], word: string) =>
  Array.isArray(value) ? value.includes(word) : value === word;

type Thing = { [key: string]: unknown };

const isThing = (value: unknown): value is Thing =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listOf = (value: unknown): Thing[] => (Array.isArray(value) ? value : [value]).filter(isThing);

function readJsonLd(script: Element): Thing[] {
  const [content] = script.children;
  const top = listOf(JSON.parse(content?.type === "text" ? content.value : ""));
  return top.flatMap((thing) => ("@graph" in thing ? listOf(thing["@graph"]) : [thing]));
}

function findProduct(things: readonly Thing[]): ProductFacts | undefined {
  const product = things.find((thing) => thing["@type"] === "Product");
  if (!product) return undefined;
  const [brand] = listOf(product["brand"]);
  return {
    brand: brand && text(brand, "name"),
    offers: listOf(product["offers"]).map((offer) => readOffer(product, offer)),
  };
}

// A product with one variant carries its own numbers; with several, each offer does.
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

// The words of products.json for schema.org's ItemAvailability.
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
