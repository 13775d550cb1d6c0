import { readFile } from "node:fs/promises";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { columnFault } from "../database/columns.ts";
import { currencyDigits, parseMoney } from "../orders/money.ts";
import { AVAILABILITIES } from "./schema.ts";

const strict = { additionalProperties: false };
const Text = Type.String({ minLength: 1 });
const Url = Type.String({ pattern: "^https?://[^\\s]+$" });
const Slug = Type.String({ pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 191 });

const FeedVariant = Type.Object(
  {
    sku: Text,
    gtin: Type.Union([Type.String({ pattern: "^[0-9]{13}$" }), Type.Null()]),
    barcode: Type.Union([Text, Type.Null()]),
    title: Text,
    options: Type.Record(Type.String(), Text),
    price: Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,4})?$" }),
    currency: Type.String({ pattern: "^[A-Z]{3}$" }),
    prices_include_tax: Type.Boolean(),
    tax_rate: Type.String({ pattern: "^(0(\\.[0-9]{1,6})?|1(\\.0{1,6})?)$" }),
    availability: Type.Enum([...AVAILABILITIES]),
  },
  strict,
);

const FeedProduct = Type.Object(
  {
    slug: Slug,
    formerly: Type.Array(Slug),
    url: Url,
    title: Text,
    description: Type.String(),
    brand: Type.Union([Text, Type.Null()]),
    category: Slug,
    images: Type.Array(Type.Object({ url: Url, alt: Type.String() }, strict)),
    specifications: Type.Array(Type.Object({ name: Text, value: Text }, strict)),
    variants: Type.Array(FeedVariant, { minItems: 1 }),
  },
  strict,
);
/** A product as the site's build writes it into products.json. */
export type FeedProduct = Static<typeof FeedProduct>;

const feed = Compile(Type.Object({ products: Type.Array(FeedProduct) }, strict));

/** The catalogue cannot be imported; the message names the file, the place and the reason. */
class CatalogueError extends Error {
  override readonly name = "CatalogueError";
}

/** Reads products.json and checks it whole before anything is written. Throws CatalogueError naming what is wrong. */
export async function readCatalogue(path: string): Promise<FeedProduct[]> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const reason =
      cause.code === "ENOENT" ? "There is no such file. Build the site first: npm run build." : cause.message;
    throw new CatalogueError(`${path}: ${reason}`, { cause });
  });
  const value = parseJson(text, path);
  if (!feed.Check(value)) throw new CatalogueError(listProblems(path, describeMismatches(value)));
  const problems = [...findFaults(value.products), ...findClashes(value.products)];
  if (problems.length > 0) throw new CatalogueError(listProblems(path, problems));
  return value.products;
}

const listProblems = (path: string, problems: readonly string[]) =>
  `${path} cannot be imported:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`;

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const at = Number(/at position (\d+)/.exec(String(cause))?.[1] ?? text.length);
    const line = text.slice(0, at).split("\n").length;
    throw new CatalogueError(`${path}:${line}: This is not JSON. Was the build interrupted? Build the site again.`, {
      cause,
    });
  }
}

/**
 * `/products/3/variants/0/price (kestrel-c2) must match …`, once for each place: the slug, since a place in a long list
 * is hard to find. TypeBox finds eight mismatches at most.
 */
function describeMismatches(value: unknown): string[] {
  const messages = new Map<string, string>();
  for (const { keyword, instancePath, message } of feed.Errors(value)) {
    // An unknown field is there twice: in its own place as a schema that is false, and in its parent's.
    if (keyword === "additionalProperties" || messages.has(instancePath)) continue;
    const [, index] = /^\/products\/(\d+)/.exec(instancePath) ?? [];
    const place = `${instancePath || "/"}${index === undefined ? "" : nameProduct(value, Number(index))}`;
    messages.set(instancePath, `${place} ${keyword === "boolean" ? "is no field of the catalogue" : message}.`);
  }
  return [...messages.values()];
}

function nameProduct(value: unknown, index: number): string {
  const { products }: { products?: unknown } = Object(value);
  const { slug }: { slug?: unknown } = Array.isArray(products) ? Object(products[index]) : {};
  return typeof slug === "string" ? ` (${slug})` : "";
}

/** Slugs and SKUs are unique in the shop, case counting; an old slug belongs to one product and to nothing current. */
function findClashes(products: readonly FeedProduct[]): string[] {
  const slugs = products.map(({ slug }) => slug);
  const skus = products.flatMap(({ variants }) => variants.map(({ sku }) => sku));
  const former = products.flatMap(({ formerly }) => formerly);
  const current = new Set(slugs);
  return [
    ...repeated(slugs).map((slug) => `The slug ${slug} belongs to two products.`),
    ...repeated(skus).map((sku) => `The SKU ${sku} belongs to two variants.`),
    ...repeated(former).map((slug) => `Two products say that they were formerly ${slug}.`),
    ...former
      .filter((slug) => current.has(slug))
      .map((slug) => `A product was formerly ${slug}, but another is so now.`),
  ];
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

/** Characters of an SKU, as in an order's lines. */
const SKU_CHARACTERS = 191;

/**
 * What is wrong with values that have the right shape, one sentence each, with place and product: texts that cannot be
 * stored, check digits (GS1 General Specifications §7.9.1), prices that their currency does not have.
 */
export function findFaults(products: readonly FeedProduct[]): string[] {
  return products.flatMap((product, index) => {
    const place = `/products/${index}`;
    const faults = [...textFaults(product, place), ...product.variants.flatMap(variantFaults(place))];
    return faults.map(({ place, fault }) => `${place} (${product.slug}) ${fault}`);
  });
}

interface Fault {
  place: string;
  fault: string;
}

/** Of every text below `value`, the names of options among them. */
function textFaults(value: unknown, place: string): Fault[] {
  if (typeof value === "string") {
    const fault = columnFault(value, place.endsWith("/sku") ? SKU_CHARACTERS : undefined);
    return fault === undefined ? [] : [{ place, fault: `${fault}.` }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const fault = columnFault(name);
    if (fault !== undefined) return [{ place, fault: `has a field whose name ${fault}.` }];
    return textFaults(part, `${place}/${name}`);
  });
}

const variantFaults =
  (product: string) =>
  ({ gtin, price, currency }: FeedProduct["variants"][number], index: number): Fault[] => {
    const place = `${product}/variants/${index}`;
    const digit = gtin === null ? undefined : checkDigit(gtin);
    const faults: Fault[] = [];
    if (gtin !== null && !gtin.endsWith(`${digit}`))
      faults.push({ place: `${place}/gtin`, fault: `has a wrong check digit: the last digit should be ${digit}.` });
    if (!isPriceIn(currency, price))
      faults.push({
        place: `${place}/price`,
        fault: `has more digits than ${currency} has, which are ${currencyDigits(currency)}.`,
      });
    return faults;
  };

/** Of a GTIN-13: the digits before the last one count 1 and 3 in turn. */
function checkDigit(gtin: string): number {
  const weighted = [...gtin.slice(0, 12)].map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3));
  return (10 - (weighted.reduce((total, value) => total + value, 0) % 10)) % 10;
}

function isPriceIn(currency: string, price: string): boolean {
  try {
    parseMoney(price, currencyDigits(currency));
    return true;
  } catch {
    return false;
  }
}
