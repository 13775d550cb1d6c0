import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTreeAdapterTypes as Html, parse } from "parse5";
import { SaxesParser } from "saxes";
import { parse as parseYaml } from "yaml";
import { words } from "./site/words/words.ts";

/** What every surface must say about a variant. `available_from` is YYYY-MM-DD; undefined if the surface lacks that field. */
export interface Facts {
  title: string;
  /** The variant's own name: its options, or the product's title. */
  name: string;
  sku: string;
  gtin: string | null;
  price: string;
  currency: string;
  availability: string;
  available_from?: string | null;
}

type Offer = Pick<Facts, "sku" | "price" | "availability">;

/** A variant in front matter, where empty fields are left out. */
interface WrittenVariant extends Offer {
  gtin?: string;
  available_from?: string;
}

/** A schema.org Thing in a page's JSON-LD. */
export type Thing = { "@type": string; [property: string]: unknown };

type OfferThing = Offer & { name: string; gtin13?: string; priceCurrency: string; availabilityStarts?: string };

interface ProductThing extends Thing {
  name: string;
  offers: OfferThing[];
}

interface ProductGroupThing extends Thing {
  name: string;
  hasVariant: ProductThing[];
}

/** The compared fields of products.json and of the API's answer. */
interface Products {
  products: readonly {
    slug: string;
    title: string;
    variants: readonly (Offer & Pick<Facts, "title" | "gtin" | "currency">)[];
  }[];
}

/** What an editor wrote into a content folder, by slug. A day that has passed is left out, as the shop leaves it out. */
export function readContent(content: string): Map<string, Facts[]> {
  const folder = join(content, "products");
  const { currency }: { currency: string } = parseYaml(readFileSync(join(content, "store.yaml"), "utf8"));
  const today = new Date().toISOString().slice(0, 10);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return new Map(
    files.map((file) => {
      const [, yaml = ""] = readFileSync(join(folder, file), "utf8").split(/^---$/m);
      type Variant = WrittenVariant & { options?: Record<string, string> };
      const product: Variant & { title: string; variants?: Variant[] } = parseYaml(yaml);
      const variants: Variant[] = product.variants ?? [product];
      const optionNames = Object.keys(variants[0]?.options ?? {});
      const facts = variants.map(({ options = {}, sku, gtin = null, price, availability, available_from = null }) => ({
        title: product.title,
        name: optionNames.map((each) => options[each]).join(" / ") || product.title,
        ...{ sku, gtin, price, currency, availability },
        available_from: available_from !== null && available_from < today ? null : available_from,
      }));
      return [file.replace(/^.*\/|\.md$/g, ""), facts];
    }),
  );
}

export function readThings(html: string): Thing[] {
  const scripts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...scripts].map(([, json = ""]) => JSON.parse(json));
}

/** schema.org's availabilities as content/ writes them. */
export const availabilities: Readonly<Record<string, string>> = {
  "https://schema.org/InStock": "in_stock",
  "https://schema.org/PreOrder": "preorder",
  "https://schema.org/BackOrder": "backorder",
  "https://schema.org/OutOfStock": "out_of_stock",
};

const isProduct = (thing: Thing): thing is ProductThing => thing["@type"] === "Product";
const isProductGroup = (thing: Thing): thing is ProductGroupThing => thing["@type"] === "ProductGroup";

/** Reads a page's JSON-LD. Throws if it has neither a Product nor a ProductGroup. */
export function readJsonLd(html: string): Facts[] {
  const things = readThings(html);
  const product = things.find(isProductGroup) ?? things.find(isProduct);
  if (!product) throw new Error("no Product in the page's JSON-LD");
  const offers = isProductGroup(product) ? product.hasVariant.flatMap((variant) => variant.offers) : product.offers;
  return offers.map((offer) => ({
    title: product.name,
    ...{ name: offer.name, sku: offer.sku, gtin: offer.gtin13 ?? null, price: offer.price },
    currency: offer.priceCurrency,
    availability: availabilities[offer.availability] ?? offer.availability,
    available_from: offer.availabilityStarts ?? null,
  }));
}

/** Reads the front matter of a product's Markdown. */
export function readFrontMatter(markdown: string): Facts[] {
  const [, frontMatter = ""] = markdown.split(/^---$/m);
  type Variant = WrittenVariant & { name: string };
  const facts: Variant & { title: string; currency: string; variants?: Variant[] } = parseYaml(frontMatter);
  const variants: Variant[] = facts.variants ?? [{ ...facts, name: facts.title }];
  return variants.map(({ name, sku, gtin = null, price, availability, available_from = null }) => ({
    ...{ title: facts.title, name, sku, gtin, price, currency: facts.currency, availability, available_from },
  }));
}

/** Reads products.json or the API's answer, which have the same fields, by slug. */
export function readProducts({ products }: Products): Map<string, Facts[]> {
  return new Map(
    products.map(({ slug, title, variants }) => [
      slug,
      variants.map(({ title: name, sku, gtin, price, currency, availability }) => ({
        ...{ title, name, sku, gtin, price, currency, availability },
      })),
    ]),
  );
}

/** A variant without the day, which products.json and the API leave out. */
export const withoutDay = ({ available_from, ...facts }: Facts): Facts => facts;

/** A shop's locale, and the words on its pages. */
export interface ShopWords {
  locale: string;
  pages: typeof words;
}

const demoWords: ShopWords = { locale: "en-GB", pages: words };

/** A variant's price and stock as pages show them: `€1,189.00`, `On back-order (expected 2 October 2026)`. */
export function shownOf({ price, currency, availability, available_from }: Facts, { locale, pages } = demoWords) {
  const labels: Record<string, string> = pages.availability;
  const label = labels[availability] ?? "";
  const day = available_from && new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(available_from));
  return {
    price: collapseSpaces(new Intl.NumberFormat(locale, { style: "currency", currency }).format(Number(price))),
    stock: collapseSpaces(day ? pages.expected({ availability: label, day }) : label),
  };
}

/**
 * Returns the facts that a product's page doesn't show in words. With several variants, price, stock and GTIN must be in
 * the SKU's line.
 */
export function findMissingFacts(
  page: { text: string; rows: string[] },
  variants: readonly Facts[],
  shopWords = demoWords,
): string[] {
  return variants.flatMap((variant) => {
    const row = variants.length > 1 ? (page.rows.find((text) => text.includes(variant.sku)) ?? "") : page.text;
    const { price, stock } = shownOf(variant, shopWords);
    const wanted = [variant.sku, variant.gtin ?? "", price, stock];
    return [
      ...(page.text.includes(variant.title) ? [] : [variant.title]),
      ...wanted.filter((word) => !row.includes(word)).map((word) => `${variant.sku}: ${word}`),
    ];
  });
}

/** Returns the text of an HTML page's `<main>`, and of each item of a list. */
export function readHtmlWords(html: string): { text: string; rows: string[] } {
  const elements = elementsOf(parse(html));
  const textsOf = (name: string) => elements.filter(({ tagName }) => tagName === name).map(wordsOf);
  return { text: textsOf("main").join(), rows: textsOf("li") };
}

/** Returns the text of a Markdown page below its front matter, and its lines. */
export function readMarkdownWords(markdown: string): { text: string; rows: string[] } {
  const body = markdown.replace(/^---\n.*?\n---\n/s, "").replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return { text: collapseSpaces(body), rows: body.split("\n").map(collapseSpaces) };
}

/** The text of an element, in one line. */
export const wordsOf = (element: Html.Element): string => collapseSpaces(textOf(element));

/** All elements in a node, in their order. */
export function elementsOf(node: Html.ParentNode): Html.Element[] {
  const children = node.childNodes.filter((child): child is Html.Element => "tagName" in child);
  return children.flatMap((child) => [child, ...elementsOf(child)]);
}

const textOf = (node: Html.ChildNode): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join("") : "";

const collapseSpaces = (text: string) => text.replace(/\s+/g, " ").trim();

/** Returns the merchant feed's items as element texts by name, such as `g:shipping g:price`. Throws if the XML isn't well-formed. */
export function readMerchantFeed(xml: string): Record<string, string[]>[] {
  const items: Record<string, string[]>[] = [];
  const parser = new SaxesParser({ xmlns: true });
  const open: string[] = [];
  let text = "";
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    open.push(name);
    text = "";
    if (name === "item") items.push({});
  });
  parser.on("text", (piece) => {
    text += piece;
  });
  parser.on("closetag", () => {
    const name = open.slice(3).join(" ");
    const item = items.at(-1);
    if (item && name !== "") item[name] = [...(item[name] ?? []), text];
    open.pop();
  });
  parser.write(xml).close();
  return items;
}

/** Returns what the merchant feed must say about a variant, by element. */
export function toFeedItem({ gtin, price, currency, availability, available_from }: Facts): Record<string, string[]> {
  return {
    "g:price": [`${price} ${currency}`],
    "g:availability": [availability],
    ...(available_from && { "g:availability_date": [`${available_from}T00:00Z`] }),
    ...(gtin === null ? { "g:identifier_exists": ["no"] } : { "g:gtin": [gtin] }),
  };
}
