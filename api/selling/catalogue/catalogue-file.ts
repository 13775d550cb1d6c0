import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Compile } from "typebox/schema";
import { ContentOffers } from "../../contract/built-files/content-offers.ts";
import { type FeedProduct, ProductFeed } from "../../contract/built-files/products.ts";
import { payableDigits } from "../../contract/currencies.ts";
import { checkDigit } from "../../contract/gtin.ts";
import { parseMoney } from "../../contract/money.ts";
import { columnFault } from "../../platform/database/columns.ts";
import { brokenFile, describeMismatches, readBuiltFile } from "../../platform/private-pages/built-file.ts";

const feed = Compile(ProductFeed);
const contentOffers = Compile(ContentOffers);

/**
 * Reads and validates products.json, with content's own words and prices in place of those that are in force, which the
 * build has in content-offers.json. Throws BuiltFileError with every problem.
 */
export async function readCatalogue(
  path: string,
  contentOffersPath = join(dirname(path), ".session", "content-offers.json"),
): Promise<FeedProduct[]> {
  const value = await readBuiltFile(path);
  if (!feed.Check(value))
    throw brokenFile(
      path,
      describeMismatches(feed.Errors(value)[1], "the catalogue", (place) => nameProduct(value, place)),
    );
  const problems = [...findFaults(value.products), ...findClashes(value.products)];
  if (problems.length > 0) throw brokenFile(path, problems);
  const written = await readContentOffers(contentOffersPath);
  return value.products.map((product) => ({
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, ...written.get(variant.sku) })),
  }));
}

async function readContentOffers(path: string): Promise<ReadonlyMap<string, ContentOffers[string]>> {
  // An earlier release's build knows nothing of stock.
  if (!existsSync(path)) return new Map();
  const offers = await readBuiltFile(path);
  if (contentOffers.Check(offers)) return new Map(Object.entries(offers));
  throw brokenFile(path, describeMismatches(contentOffers.Errors(offers)[1], "content's words and prices"));
}

/** The slug of the product at a place, since an index is hard to find. */
function nameProduct(value: unknown, place: string): string {
  const [, index] = /^\/products\/(\d+)/.exec(place) ?? [];
  const { products }: { products?: unknown } = Object(value);
  const { slug }: { slug?: unknown } = Array.isArray(products) ? Object(products[Number(index)]) : {};
  return typeof slug === "string" ? ` (${slug})` : "";
}

/** Slugs and SKUs are unique and case-sensitive; an old slug belongs to one product and isn't a current slug. */
function findClashes(products: readonly FeedProduct[]): string[] {
  const slugs = products.map(({ slug }) => slug);
  const skus = products.flatMap(({ variants }) => variants.map(({ sku }) => sku));
  const former = products.flatMap(({ formerly }) => formerly);
  const current = new Set(slugs);
  return [
    ...repeated(slugs).map((slug) => `The slug ${slug} belongs to two products.`),
    ...repeated(skus).map((sku) => `The SKU ${sku} belongs to two variants.`),
    ...repeated(former).map((slug) => `Two products were formerly ${slug}.`),
    ...former
      .filter((slug) => current.has(slug))
      .map((slug) => `A product was formerly ${slug}, but another product has this slug now.`),
  ];
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

/** The maximum length of an SKU, as in an order's lines. */
const SKU_CHARACTERS = 191;

/**
 * Problems beyond the schema, one sentence each with place and product: texts that can't be stored, wrong check digits
 * (GS1 General Specifications §7.9.1), and prices with too many digits for their currency.
 */
function findFaults(products: readonly FeedProduct[]): string[] {
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

/** Checks every text in `value`, including the names of options. */
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
    const digit = gtin === null ? undefined : checkDigit(gtin.slice(0, 12));
    const faults: Fault[] = [];
    if (gtin !== null && !gtin.endsWith(`${digit}`))
      faults.push({ place: `${place}/gtin`, fault: `has a wrong check digit: the last digit should be ${digit}.` });
    if (!isPriceIn(currency, price))
      faults.push({
        place: `${place}/price`,
        fault: `has more than ${payableDigits(currency)} digits after the point, all that can be paid in ${currency}.`,
      });
    return faults;
  };

function isPriceIn(currency: string, price: string): boolean {
  try {
    parseMoney(price, payableDigits(currency));
    return true;
  } catch {
    return false;
  }
}
