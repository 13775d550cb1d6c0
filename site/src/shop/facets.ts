import { MAX_FILTER_VALUES, readMeasure } from "../../content-schema/category.ts";
import { compareLowestPrices } from "../../content-schema/money.ts";
import { urlNames } from "../../urls/paths.ts";
import { store } from "../settings/shop.ts";
import { words } from "../words/words.ts";
import type { Category, Product } from "./catalogue.ts";

/** A specification by which a category's products are filtered. */
export interface Facet {
  name: string;
  /** Its name in a URL. */
  id: string;
  /** In the order of the alphabet and of numbers, what has none last. `token` is the value's name in styles/facets.css. */
  values: { text: string; token: string; count: number }[];
}

/** A way to sort products: `name` and a direction in words. */
export interface Order {
  id: string;
  label: string;
}

/** What one product has of its category's facets: the tokens of its values, and its place by each order. */
export interface FacetedProduct {
  product: Product;
  tokens: string[];
  places: number[];
}

/** A category's filters and orders. Filters with a single value are left out, as they would change nothing, and those with too many. */
export function readFacets({ products, entry }: Category) {
  const { filters, sort } = entry.data;
  // `sort` is in the address too, with the order that is chosen.
  const ids = urlNames(filters, ["sort"]);
  const facets = filters
    .map((name, index) => ({ name, id: ids[index] ?? "", texts: distinctValues(products, name) }))
    .filter(({ texts }) => texts.length > 1 && texts.length <= MAX_FILTER_VALUES)
    .map(({ name, id, texts }, group): Facet => {
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
    (product, index): FacetedProduct => ({
      product,
      tokens: facets.flatMap(({ name, values }) => {
        const own = valuesOf(product, name);
        return values.flatMap(({ text, token }) => (own.includes(text) ? token : []));
      }),
      places: places.map((all) => all[index] ?? 0),
    }),
  );
  return { facets, orders: bothWays(comparisons), choices };
}

/** The same for products that are only listed. */
export const withoutFacets = (products: readonly Product[]): ReturnType<typeof readFacets> => ({
  facets: [],
  orders: [],
  choices: products.map((product) => ({ product, tokens: [], places: [] })),
});

interface Comparison {
  name: string;
  /** What it is called where it is chosen. */
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
  readMeasure(valuesOf(product, name)[0] ?? "", store.locale)?.amount ?? 0;

function bothWays(comparisons: readonly Comparison[]): Order[] {
  const ids = urlNames(comparisons.flatMap(({ name }) => [name, `${name} down`]));
  const { lowestFirst, highestFirst } = words.category;
  const labels = comparisons.flatMap(({ label }) => [lowestFirst(label), highestFirst(label)]);
  return labels.map((label, index) => ({ id: ids[index] ?? "", label }));
}

/** The place of each product in an order; equal ones have the same. */
function placesOf(products: readonly Product[], compare: Comparison["compare"]): number[] {
  const sorted = [...products].sort(compare);
  return products.map((product) => sorted.findIndex((other) => compare(other, product) === 0));
}

/** A specification's values, one or several. */
const valuesOf = ({ entry }: Product, name: string): string[] => [entry.data.specifications[name] ?? []].flat();

function distinctValues(products: readonly Product[], name: string): string[] {
  const { compare } = new Intl.Collator(store.locale, { numeric: true });
  const isNone = (text: string) => Number(text === words.category.none);
  const texts = new Set(products.flatMap((product) => valuesOf(product, name)));
  return [...texts].sort((a, b) => isNone(a) - isNone(b) || compare(a, b));
}
