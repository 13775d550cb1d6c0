import { AVAILABILITIES } from "../../../api/contract/availability.ts";
import { MAX_FILTER_VALUES, readMeasure } from "../../content-schema/category.ts";
import type { Variant } from "../../content-schema/product.ts";
import { urlNames } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";
import { words } from "../words/words.ts";
import type { Category, Product } from "./catalogue.ts";
import { describeAvailability, describePriceRange } from "./display-text.ts";
import { compareOffers, compareVersions, offerOf } from "./offer.ts";
import { isInRange, priceRanges } from "./price-ranges.ts";
import { isTaxed, unitPrice } from "./tax.ts";
import { valuesOf } from "./version-specifications.ts";

/** A specification, or price or availability, by which a category's products can be filtered. */
export interface Filter {
  name: string;
  /** Its name in a URL. */
  id: string;
  /** `token` is the value's name in styles/category/filter-rules.css. */
  values: { text: string; token: string; count: number }[];
}

/** A sort order: its name in a URL, its label, and which place of a product it sorts by. */
export interface SortOrder {
  id: string;
  label: string;
  place: number;
  isDescending: boolean;
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
  /**
   * Its versions, the best offer first, together if no filter tells them apart; all together if filters make more groups
   * than a card has lines for.
   */
  offers: [Placed, ...Placed[]];
  /** Whether filters tell versions apart that are together: what the card says must be true of any of them. */
  isMixed: boolean;
}

/** How many groups of versions a card tells apart, so that it stays small. */
const MAX_CARD_LINES = 4;

type Filters = ReturnType<typeof buildFilters>;

const cached = new WeakMap<Category, Filters>();

/** A category's filters and sort orders, the same for all its pages. */
export function readFilters(category: Category): Filters {
  const known = cached.get(category) ?? buildFilters(category);
  cached.set(category, known);
  return known;
}

/** Filters with one value, which would change nothing, or too many are omitted. */
function buildFilters({ products, entry }: Category) {
  const { filters: names, sort } = entry.data;
  const criteria = [
    ...names.map((name) => bySpecification(products, name)),
    byPriceRange(products),
    byAvailability(products),
  ];
  // The address also has `sort`, with the chosen order.
  const ids = urlNames(
    criteria.map(({ name }) => name),
    ["sort"],
  );
  const used = criteria
    .map((criterion, index) => ({ ...criterion, id: ids[index] ?? "" }))
    .filter(({ texts }) => texts.length > 1 && texts.length <= MAX_FILTER_VALUES);
  const rows = products.flatMap((product) => rowsOf(product, used));
  const comparisons = [byName, byPrice, ...sort.map(byMeasure)];
  const places = comparisons.map(({ compare }) => placesOf(rows, compare));
  const placed = rows.map((row) => ({ ...row, places: places.map((all) => all.get(row) ?? 0) }));
  const choices = placeTogether(placed);
  const filters = used.map(({ name, id, texts }, group): Filter => {
    const values = texts.map((text, index) => ({ text, token: tokenOf(group, index) }));
    return {
      name,
      id,
      values: values.map((value) => ({
        ...value,
        count: choices.filter(({ tokens }) => tokens.includes(value.token)).length,
      })),
    };
  });
  return { filters, orders: ordersOf(comparisons), choices };
}

const tokenOf = (group: number, value: number) => `${group + 1}-${value + 1}`;

/** What a filter asks, its values in the order of the page. */
interface Criterion {
  name: string;
  texts: string[];
  valuesOf: (product: Product, variant: Variant) => string[];
}

const bySpecification = (products: readonly Product[], name: string): Criterion => ({
  name,
  texts: distinctValues(products, name),
  valuesOf: (product, variant) => valuesOf(product, variant, name),
});

/** By the price that is read first. */
function byPriceRange(products: readonly Product[]): Criterion {
  const firstPrice = (variant: Variant) => unitPrice(variant, shop).net;
  const prices = products.flatMap(({ variants }) => variants.map(firstPrice));
  const ranges = priceRanges(prices).map((range) => ({ ...range, text: describePriceRange(range) }));
  return {
    name: isTaxed(shop) ? words.category.netPrice : words.category.price,
    texts: ranges.map(({ text }) => text),
    valuesOf: (_product, variant) =>
      ranges.filter((range) => isInRange(firstPrice(variant), range)).map(({ text }) => text),
  };
}

function byAvailability(products: readonly Product[]): Criterion {
  const variants = products.flatMap((product) => product.variants);
  const present = AVAILABILITIES.filter((each) => variants.some(({ availability }) => availability === each));
  return {
    name: words.product.availability,
    texts: present.map(describeAvailability),
    valuesOf: (_product, { availability }) => [describeAvailability(availability)],
  };
}

/** The same for products without filters. */
export const withoutFilters = (products: readonly Product[]): Filters => ({
  filters: [],
  orders: [],
  choices: placeTogether(products.flatMap((product) => rowsOf(product, []).map((row) => ({ ...row, places: [] })))),
});

/** The rows of each product, which follow each other. */
const placeTogether = (rows: (Row & Placed)[]): FilteredProduct[] =>
  [...Map.groupBy(rows, ({ product }) => product)].map(([product, offers]) => {
    const [first, ...others] = offers;
    if (first === undefined) throw new Error(`${product.slug} has no versions`);
    const tokens = [...new Set(offers.flatMap((offer) => offer.tokens))];
    return { product, tokens, offers: [first, ...others], isMixed: first.isMixed };
  });

/** Versions of a product that its list shows as one. */
interface Row {
  product: Product;
  variants: Variant[];
  tokens: string[];
  isMixed: boolean;
}

function rowsOf(product: Product, criteria: readonly Criterion[]): Row[] {
  const tokensOf = (variant: Variant) =>
    criteria.flatMap(({ texts, valuesOf }, group) => {
      const own = valuesOf(product, variant);
      return texts.flatMap((text, index) => (own.includes(text) ? tokenOf(group, index) : []));
    });
  const sorted = product.variants.toSorted(compareVersions);
  const groups = [...Map.groupBy(sorted, (variant) => tokensOf(variant).join(" ")).values()];
  const isMixed = groups.length > MAX_CARD_LINES;
  return (isMixed ? [sorted] : groups).map((variants) => ({
    product,
    variants,
    tokens: [...new Set(variants.flatMap(tokensOf))],
    isMixed,
  }));
}

interface Comparison {
  name: string;
  /** Its name on the page. */
  label: string;
  compare: (a: Row, b: Row) => number;
}

const collator = new Intl.Collator(shop.locale, { numeric: true });

const byName: Comparison = {
  name: "name",
  label: words.category.name,
  compare: (a, b) => collator.compare(a.product.title, b.product.title),
};

const byPrice: Comparison = { name: "price", label: words.category.price, compare: compareOffers };

const byMeasure = (name: string): Comparison => ({
  name,
  label: name,
  compare: (a, b) => amountOf(a, name) - amountOf(b, name),
});

const amountOf = ({ product, variants }: Row, name: string) =>
  readMeasure(valuesOf(product, offerOf(variants).best, name)[0] ?? "", shop.locale)?.amount ?? 0;

/** Each comparison both ways; names only from A to Z. */
function ordersOf(comparisons: readonly Comparison[]): SortOrder[] {
  const { lowestFirst, highestFirst } = words.category;
  const orders = comparisons.flatMap((comparison, place) => {
    const { name, label } = comparison;
    if (comparison === byName) return [{ name, label, place, isDescending: false }];
    return [
      { name, label: lowestFirst({ name: label }), place, isDescending: false },
      { name: `${name} down`, label: highestFirst({ name: label }), place, isDescending: true },
    ];
  });
  const ids = urlNames(orders.map(({ name }) => name));
  return orders.map(({ name: _, ...order }, index) => ({ id: ids[index] ?? "", ...order }));
}

/** The place of each row in an order; equal rows share a place. */
function placesOf(rows: readonly Row[], compare: Comparison["compare"]): Map<Row, number> {
  const places = new Map<Row, number>();
  let last: Row | undefined;
  for (const [index, row] of rows.toSorted(compare).entries()) {
    places.set(row, last && compare(last, row) === 0 ? (places.get(last) ?? 0) : index);
    last = row;
  }
  return places;
}

function distinctValues(products: readonly Product[], name: string): string[] {
  const isNone = (text: string) => Number(text === words.category.none);
  const texts = new Set(
    products.flatMap((product) => product.variants.flatMap((variant) => valuesOf(product, variant, name))),
  );
  return [...texts].sort((a, b) => isNone(a) - isNone(b) || collator.compare(a, b));
}
