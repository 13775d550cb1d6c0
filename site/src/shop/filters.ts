import { MAX_FILTER_VALUES, readMeasure } from "../../content-schema/category.ts";
import type { Variant } from "../../content-schema/product.ts";
import { urlNames } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";
import { words } from "../words/words.ts";
import type { Category, Product } from "./catalogue.ts";
import { compareOffers, compareVersions, offerOf } from "./offer.ts";
import { valuesOf } from "./version-specifications.ts";

/** A specification by which a category's products can be filtered. */
export interface Filter {
  name: string;
  /** Its name in a URL. */
  id: string;
  /** In alphabetical and numeric order, `None` last. `token` is the value's name in styles/category/filter-rules.css. */
  values: { text: string; token: string; count: number }[];
}

/** A sort order: its name in a URL, and its label. */
export interface SortOrder {
  id: string;
  label: string;
}

/** Versions with the tokens of their filter values and their place in each sort order. */
interface Placed {
  variants: Variant[];
  tokens: string[];
  places: number[];
}

/** A product in a list with filters. */
export interface FilteredProduct {
  product: Product;
  /** Those of all its versions. */
  tokens: string[];
  /** Its versions, together if no filter tells them apart, the best offer first. */
  offers: [Placed, ...Placed[]];
}

/** A category's filters and sort orders. Filters with one value, which would change nothing, or too many are omitted. */
export function readFilters({ products, entry }: Category) {
  const { filters: names, sort } = entry.data;
  // The address also has `sort`, with the chosen order.
  const ids = urlNames(names, ["sort"]);
  const filters = names
    .map((name, index) => ({ name, id: ids[index] ?? "", texts: distinctValues(products, name) }))
    .filter(({ texts }) => texts.length > 1 && texts.length <= MAX_FILTER_VALUES)
    .map(({ name, id, texts }, group): Filter => {
      const values = texts.map((text, index) => ({
        text,
        token: `${group + 1}-${index + 1}`,
        count: products.filter((product) => allValues(product, name).has(text)).length,
      }));
      return { name, id, values };
    });
  const comparisons = [byPrice, ...sort.map(byMeasure)];
  const rows = products.flatMap((product) => rowsOf(product, filters));
  const places = comparisons.map(({ compare }) => placesOf(rows, compare));
  const placed = rows.map((row, index) => ({ ...row, places: places.map((all) => all[index] ?? 0) }));
  const choices = [...Map.groupBy(placed, ({ product }) => product)].map(([product, offers]): FilteredProduct => {
    const tokens = new Set(offers.flatMap((offer) => offer.tokens));
    const [first, ...others] = offers;
    if (first === undefined) throw new Error(`${product.slug} has no versions`);
    return {
      product,
      tokens: [...tokens],
      offers: [first, ...others],
    };
  });
  return { filters, orders: bothWays(comparisons), choices };
}

/** The same shape for products without filters. */
export const withoutFilters = (products: readonly Product[]): ReturnType<typeof readFilters> => ({
  filters: [],
  orders: [],
  choices: products.map((product) => ({
    product,
    tokens: [],
    offers: [{ variants: product.variants, tokens: [], places: [] }],
  })),
});

/** Versions of a product that no filter tells apart. */
interface Row {
  product: Product;
  variants: Variant[];
  tokens: string[];
}

function rowsOf(product: Product, filters: readonly Filter[]): Row[] {
  const tokensOf = (variant: Variant) =>
    filters.flatMap(({ name, values }) => {
      const own = valuesOf(product, variant, name);
      return values.flatMap(({ text, token }) => (own.includes(text) ? token : []));
    });
  const alike = Map.groupBy(product.variants.toSorted(compareVersions), (variant) => tokensOf(variant).join(" "));
  return [...alike].map(([tokens, variants]) => ({ product, variants, tokens: tokens.split(" ") }));
}

interface Comparison {
  name: string;
  /** Its name on the page. */
  label: string;
  compare: (a: Row, b: Row) => number;
}

const byPrice: Comparison = { name: "price", label: words.category.price, compare: compareOffers };

const byMeasure = (name: string): Comparison => ({
  name,
  label: name,
  compare: (a, b) => amountOf(a, name) - amountOf(b, name),
});

const amountOf = ({ product, variants }: Row, name: string) =>
  readMeasure(valuesOf(product, offerOf(variants).best, name)[0] ?? "", shop.locale)?.amount ?? 0;

function bothWays(comparisons: readonly Comparison[]): SortOrder[] {
  const ids = urlNames(comparisons.flatMap(({ name }) => [name, `${name} down`]));
  const { lowestFirst, highestFirst } = words.category;
  const labels = comparisons.flatMap(({ label }) => [lowestFirst(label), highestFirst(label)]);
  return labels.map((label, index) => ({ id: ids[index] ?? "", label }));
}

/** The place of each row in an order; equal rows share a place. */
function placesOf(rows: readonly Row[], compare: Comparison["compare"]): number[] {
  const sorted = [...rows].sort(compare);
  return rows.map((row) => sorted.findIndex((other) => compare(other, row) === 0));
}

/** The values that any version has. */
const allValues = (product: Product, name: string): Set<string> =>
  new Set(product.variants.flatMap((variant) => valuesOf(product, variant, name)));

function distinctValues(products: readonly Product[], name: string): string[] {
  const { compare } = new Intl.Collator(shop.locale, { numeric: true });
  const isNone = (text: string) => Number(text === words.category.none);
  const texts = new Set(products.flatMap((product) => [...allValues(product, name)]));
  return [...texts].sort((a, b) => isNone(a) - isNone(b) || compare(a, b));
}
