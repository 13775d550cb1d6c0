import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { parse as parseYaml } from "yaml";

/** What every surface must say about a variant. `available_from` is a day; undefined where a surface has no such field. */
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

// biome-ignore lint/suspicious/noExplicitAny: what is read here is what the tests are about.
type Json = any;

/** The truth: what an editor wrote into content/. By slug. */
export function readContent(root: string): Map<string, Facts[]> {
  const folder = join(root, "content/products");
  const { currency } = parseYaml(readFileSync(join(root, "content/store.yaml"), "utf8"));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return new Map(
    files.map((file) => {
      const [, yaml = ""] = readFileSync(join(folder, file), "utf8").split(/^---$/m);
      const product: Json = parseYaml(yaml);
      const variants: Json[] = product.variants ?? [product];
      const facts = variants.map(({ options = {}, sku, gtin = null, price, availability, available_from = null }) => ({
        title: product.title,
        name: Object.values(options).join(" / ") || product.title,
        ...{ sku, gtin, price, currency, availability, available_from },
      }));
      return [file.replace(/^.*\/|\.md$/g, ""), facts];
    }),
  );
}

/** The things of schema.org in a page's head. */
export function readThings(html: string): Json[] {
  const scripts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...scripts].map(([, json = ""]) => JSON.parse(json));
}

const fromSchema = new Map([
  ["https://schema.org/InStock", "in_stock"],
  ["https://schema.org/PreOrder", "preorder"],
  ["https://schema.org/BackOrder", "backorder"],
  ["https://schema.org/OutOfStock", "out_of_stock"],
]);

/** What a page's JSON-LD says. */
export function readJsonLd(html: string): Facts[] {
  const product = readThings(html).find((thing) => thing["@type"] === "Product");
  return product.offers.map((offer: Json) => ({
    title: product.name,
    ...{ name: offer.name, sku: offer.sku, gtin: offer.gtin13 ?? null, price: offer.price },
    currency: offer.priceCurrency,
    availability: fromSchema.get(offer.availability) ?? offer.availability,
    available_from: offer.availabilityStarts ?? null,
  }));
}

/** What the front matter of a product's Markdown says. */
export function readFrontMatter(markdown: string): Facts[] {
  const [, frontMatter = ""] = markdown.split(/^---$/m);
  const facts: Json = parseYaml(frontMatter);
  const variants: Json[] = facts.variants ?? [{ ...facts, name: facts.title }];
  return variants.map(({ name, sku, gtin = null, price, availability, available_from = null }) => ({
    ...{ title: facts.title, name, sku, gtin, price, currency: facts.currency, availability, available_from },
  }));
}

/** What products.json or the API says, by slug: their products have the same fields. */
export function readProducts({ products }: Json): Map<string, Facts[]> {
  return new Map(
    products.map(({ slug, title, variants }: Json) => [
      slug,
      variants.map(({ title: name, sku, gtin, price, currency, availability }: Json) => ({
        ...{ title, name, sku, gtin, price, currency, availability },
      })),
    ]),
  );
}

/** The items of the merchant feed: the texts of their elements by name, `g:shipping g:price`. Throws where the XML is not well formed. */
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

/** A variant without what products.json and the API don't tell. */
export const withoutDay = ({ available_from, ...facts }: Facts): Facts => facts;

/** What the merchant feed must say of a variant, element by element. */
export function toFeedItem({ gtin, price, currency, availability, available_from }: Facts): Record<string, string[]> {
  return {
    "g:price": [`${price} ${currency}`],
    "g:availability": [availability],
    ...(available_from && { "g:availability_date": [`${available_from}T00:00Z`] }),
    ...(gtin === null ? { "g:identifier_exists": ["no"] } : { "g:gtin": [gtin] }),
  };
}
