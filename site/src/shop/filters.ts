import { MAX_FILTER_VALUES, readMeasure } from "../../content-schema/category.ts";
import { compareLowestPrices } from "../../content-schema/money.ts";
import { urlNames } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";
import { words } from "../words/words.ts";
import type { Category, Product } from "./catalogue.ts";

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

/** A product with the tokens of its filter values and its place in each sort order. */
export interface FilteredProduct {
  product: Product;
  tokens: string[];
  places: number[];
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
        count: products.filter((product) => valuesOf(product, name).includes(text)).length,
      }));
      return { name, id, values };
    });
  const comparisons = [byPrice, ...sort.map(byMeasure)];
  const places = comparisons.map(({ compare }) => placesOf(products, compare));
  const choices = products.map(
    (product, index): FilteredProduct => ({
      product,
      tokens: filters.flatMap(({ name, values }) => {
        const own = valuesOf(product, name);
        return values.flatMap(({ text, token }) => (own.includes(text) ? token : []));
      }),
      places: places.map((all) => all[index] ?? 0),
    }),
  );
  return { filters, orders: bothWays(comparisons), choices };
}

/** The same shape for products without filters. */
export const withoutFilters = (products: readonly Product[]): ReturnType<typeof readFilters> => ({
  filters: [],
  orders: [],
  choices: products.map((product) => ({ product, tokens: [], places: [] })),
});

interface Comparison {
  name: string;
  /** Its name on the page. */
  label: string;
  compare: (a: Product, b: Product) => number;
}

const byPrice: Comparison = { name: "price", label: words.category.price, compare: compareLowestPrices };

const byMeasure = (name: string): Comparison => ({
  name,
  label: name,
  compare: (a, b) => amountOf(a, name) - amountOf(b, name),
});

const amountOf = (product: Product, name: string) =>
  readMeasure(valuesOf(product, name)[0] ?? "", shop.locale)?.amount ?? 0;

function bothWays(comparisons: readonly Comparison[]): SortOrder[] {
  const ids = urlNames(comparisons.flatMap(({ name }) => [name, `${name} down`]));
  const { lowestFirst, highestFirst } = words.category;
  const labels = comparisons.flatMap(({ label }) => [lowestFirst(label), highestFirst(label)]);
  return labels.map((label, index) => ({ id: ids[index] ?? "", label }));
}

/** The place of each product in an order; equal products share a place. */
function placesOf(products: readonly Product[], compare: Comparison["compare"]): number[] {
  const sorted = [...products].sort(compare);
  return products.map((product) => sorted.findIndex((other) => compare(other, product) === 0));
}

/** The values of a specification. */
const valuesOf = ({ entry }: Product, name: string): string[] => [entry.data.specifications[name] ?? []].flat();

function distinctValues(products: readonly Product[], name: string): string[] {
  const { compare } = new Intl.Collator(shop.locale, { numeric: true });
  const isNone = (text: string) => Number(text === words.category.none);
  const texts = new Set(products.flatMap((product) => valuesOf(product, name)));
  return [...texts].sort((a, b) => isNone(a) - isNone(b) || compare(a, b));
}
