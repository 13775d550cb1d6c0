import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { columnFault } from "../../platform/database/columns.ts";
import { brokenFile, describeMismatches, readBuiltFile } from "../../platform/private-pages/built-file.ts";
import { currencyDigits, parseMoney } from "../orders/money.ts";
import { AVAILABILITIES } from "./schema.ts";

const strict = { additionalProperties: false };
const Text = Type.String({ minLength: 1 });
const Url = Type.String({ pattern: "^https?://[^\\s]+$" });
const Slug = Type.String({ pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 191 });

const Specification = Type.Object({ name: Text, value: Text }, strict);

const FeedVariant = Type.Object(
  {
    sku: Text,
    gtin: Type.Union([Type.String({ pattern: "^[0-9]{13}$" }), Type.Null()]),
    barcode: Type.Union([Text, Type.Null()]),
    title: Text,
    options: Type.Record(Type.String(), Text),
    specifications: Type.Array(Specification),
    price: Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,4})?$" }),
    currency: Type.String({ pattern: "^[A-Z]{3}$" }),
    prices_include_tax: Type.Boolean(),
    tax_rate: Type.String({ pattern: "^(0(\\.[0-9]{1,6})?|1(\\.0{1,6})?)$" }),
    availability: Type.Enum([...AVAILABILITIES]),
    available_from: Type.Union([Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }), Type.Null()]),
    /** The place of its picture among the product's. */
    image: Type.Integer({ minimum: 0 }),
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
    images: Type.Array(Type.Object({ url: Url, alt: Type.String(), thumbnail: Url }, strict)),
    specifications: Type.Array(Specification),
    variants: Type.Array(FeedVariant, { minItems: 1 }),
  },
  strict,
);
/** A product as the site's build writes it into products.json. */
export type FeedProduct = Static<typeof FeedProduct>;

const feed = Compile(Type.Object({ products: Type.Array(FeedProduct) }, strict));

/** Reads and validates products.json. Throws BuiltFileError with every problem. */
export async function readCatalogue(path: string): Promise<FeedProduct[]> {
  const value = await readBuiltFile(path);
  if (!feed.Check(value))
    throw brokenFile(
      path,
      describeMismatches(feed.Errors(value), "the catalogue", (place) => nameProduct(value, place)),
    );
  const problems = [...findFaults(value.products), ...findClashes(value.products)];
  if (problems.length > 0) throw brokenFile(path, problems);
  return value.products;
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
    const digit = gtin === null ? undefined : checkDigit(gtin);
    const faults: Fault[] = [];
    if (gtin !== null && !gtin.endsWith(`${digit}`))
      faults.push({ place: `${place}/gtin`, fault: `has a wrong check digit: the last digit should be ${digit}.` });
    if (!isPriceIn(currency, price))
      faults.push({
        place: `${place}/price`,
        fault: `has more than ${currencyDigits(currency)} digits after the point, the number that ${currency} has.`,
      });
    return faults;
  };

/** The check digit of a GTIN-13: the first twelve digits have the weights 1 and 3 in turn. */
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
