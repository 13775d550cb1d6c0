import { load } from "js-yaml";
import type { DefaultTreeAdapterTypes as Html } from "parse5";
import { parse } from "yaml";
import { availabilities } from "../../facts.ts";
import { attribute } from "./page-inline.ts";

/** YAML parsers that disagree on a bare `no`, `0123`, `1e3` or `2026-11-20`. */
export const readers: [name: string, read: (yaml: string) => unknown][] = [
  ["yaml by version 1.2", (yaml) => parse(yaml)],
  ["yaml by version 1.1", (yaml) => parse(yaml, { version: "1.1" })],
  ["js-yaml", (yaml) => load(yaml)],
];

type Facts = Record<string, unknown>;

const isFacts = (value: unknown): value is Facts => typeof value === "object" && value !== null;

const listOf = (value: unknown): Facts[] => (Array.isArray(value) ? value : [value]).filter(isFacts);

/** Front matter with a product's variants always as a list, each with its currency. */
export function factsOfYaml(frontMatter: unknown): Facts {
  if (!isFacts(frontMatter)) throw new Error("no front matter");
  const { title, description, url, updated, brand, variants, ...variant } = frontMatter;
  const { currency } = variant;
  const offers = variants === undefined ? [variant] : listOf(variants).map((each) => ({ currency, ...each }));
  return { title, description, url, updated, brand, offers: brand === undefined ? [] : offers };
}

/** The facts in a page's head and JSON-LD, in the same form. */
export function factsOfHead(elements: readonly Html.Element[]): Facts {
  const meta = (name: string) => {
    const found = elements.find((each) => (attribute(each, "property") ?? attribute(each, "name")) === name);
    return found && attribute(found, "content");
  };
  const canonical = elements.find((each) => attribute(each, "rel") === "canonical");
  const product = elements
    .filter((each) => attribute(each, "type") === "application/ld+json")
    .map(readJson)
    .find((thing) => thing["@type"] === "Product" || thing["@type"] === "ProductGroup");
  return {
    title: meta("og:title"),
    description: meta("description"),
    url: canonical && attribute(canonical, "href"),
    updated: meta("article:modified_time"),
    brand: listOf(product?.["brand"])[0]?.["name"],
    offers: product ? offersOf(product) : [],
  };
}

function readJson({ childNodes: [content] }: Html.Element): Facts {
  const thing: unknown = JSON.parse(content && "value" in content ? content.value : "");
  return isFacts(thing) ? thing : {};
}

const offersOf = (product: Facts) => {
  const offers = [product, ...listOf(product["hasVariant"])].flatMap((each) => listOf(each["offers"]));
  return offers.map((offer) => ({
    sku: offer["sku"],
    gtin: offer["gtin13"],
    // A single variant has the title as its name.
    name: offers.length > 1 ? offer["name"] : undefined,
    price: offer["price"],
    currency: offer["priceCurrency"],
    availability: availabilities[String(offer["availability"])],
    available_from: offer["availabilityStarts"],
  }));
};
