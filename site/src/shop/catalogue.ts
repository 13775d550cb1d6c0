import { type CollectionEntry, getCollection } from "astro:content";
import type { ImageMetadata } from "astro";
import { factOf } from "../../build/stock-facts.ts";
import { MAX_LEVELS } from "../../content-schema/category.ts";
import { daysLeft } from "../../content-schema/fields.ts";
import type { Maker } from "../../content-schema/maker.ts";
import { describeValues, type Specification, type Variant } from "../../content-schema/product.ts";
import type { Question } from "../../content-schema/questions.ts";
import { countPages, onPage } from "../../urls/pagination.ts";
import { categoryPath, productPath, versionPath } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";
import { words } from "../words/words.ts";
import { documentsOf, type ProductDocument } from "./documents.ts";
import { latestDay, readLastChanged } from "./last-changed.ts";
import { compareOffers } from "./offer.ts";

/** A category with its products; `path` is its first page, `updated` the day of its own file. */
export interface Category {
  slug: string;
  path: string;
  formerly: string[];
  title: string;
  /** Its title, behind those of the categories above it where another one has the same title: `Men › Shoes`. */
  name: string;
  summary: string;
  updated: string | undefined;
  entry: CollectionEntry<"categories">;
  /** The categories above it, the top one first. */
  above: Category[];
  /** Those directly below it that list products, in the order of the navigation. */
  below: Category[];
  /** All products that it lists, those of the categories below it too, in the order of its lists: the recommended ones first. */
  products: Product[];
  /** The products of its folder among them. */
  own: Product[];
}

/** A product with one or more variants. `updated`, YYYY-MM-DD, is from its front matter or else from its file's last commit. */
export interface Product {
  slug: string;
  path: string;
  formerly: string[];
  title: string;
  brand: string;
  summary: string;
  /** That of its folder, which decides what is above it. */
  category: Category;
  /** All that list it: its own first, then the others in the order of the navigation. */
  listedIn: Category[];
  images: { src: ImageMetadata; alt: string }[];
  /** As written: what applies to versions without their own. */
  specifications: Specification[];
  variants: Variant[];
  documents: ProductDocument[];
  questions?: Question[] | undefined;
  maker: Maker | undefined;
  /** What whoever uses it must know to be safe. */
  warnings: string[];
  updated: string | undefined;
  /** The day since which it is sold, YYYY-MM-DD. */
  added?: string | undefined;
  /** True only on the dev server: builds omit drafts. */
  draft: boolean;
  /**
   * Compatible products, which of their versions are with which of its own, and why: a text that is true in both
   * directions, unless only one of the two has it. Some only are together with a third one.
   */
  worksWith: { product: Product; variants: Variant[]; own: Variant[]; reason: string; third: Product | undefined }[];
  /** Products that visitors may expect to be compatible, and why they aren't: in the same way true in both directions. */
  doesNotWorkWith: { product: Product; reason: string }[];
  /** Its alternatives, then similar products in its category. */
  similar: Product[];
  entry: CollectionEntry<"products">;
}

/** All products, sorted by slug, and all categories in the order of the navigation, each before those below it. */
export interface Catalogue {
  products: Product[];
  categories: Category[];
  /** What the header and the home page link to: the categories that have none above them, and list products. */
  topCategories: Category[];
  /** The product of each variant's SKU. */
  bySku: Map<string, Product>;
}

let cached: Promise<Catalogue> | undefined;

/** Reads the whole catalogue, once in a build; the dev server loads this module anew when content changes. */
export function readCatalogue(): Promise<Catalogue> {
  cached ??= buildCatalogue();
  return cached;
}

/** The path of some of a product's versions: the page with a single one chosen, where there are others, else the page. */
export function versionsPath({ slug, path, variants }: Product, [version, ...others]: readonly Variant[]): string {
  return version && others.length === 0 && variants.length > 1 ? versionPath(slug, version.sku) : path;
}

/** A category behind those above it, the top one first. */
export const trailTo = (category: Category): Category[] => [...category.above, category];

/** The titles of a category and those above it: `Printers > Label printers` with ` > ` between them. */
export const fullTitle = (category: Category, separator: string): string =>
  trailTo(category)
    .map(({ title }) => title)
    .join(separator);

/** A page of a category, counted from 1. */
export interface PageOfCategory {
  category: Category;
  page: number;
}

/** The routes of all categories' pages from the second one, as Astro asks for them. */
export async function readLaterPages(): Promise<{ params: { slug: string; page: string }; props: PageOfCategory }[]> {
  const { categories } = await readCatalogue();
  return categories.flatMap((category) => {
    const later = Array.from({ length: countPages(category.products.length) - 1 }, (_, index) => index + 2);
    return later.map((page) => ({ params: { slug: category.slug, page: String(page) }, props: { category, page } }));
  });
}

/** The day of a page of a category, counted from 1: the latest day of the category and the products on it. */
export const categoryDay = (category: Category, page: number): string | undefined =>
  latestDay([category, ...onPage(category.products, page)].map(({ updated }) => updated));

/** The day of a page of a category's comparison: the latest day of its products. */
export const comparisonDay = ({ products }: Category, page: number): string | undefined =>
  latestDay(onPage(products, page).map(({ updated }) => updated));

async function buildCatalogue(): Promise<Catalogue> {
  const [entries, makerEntries, changes] = await Promise.all([
    getCollection("categories"),
    getCollection("makers"),
    readLastChanged(),
  ]);
  const makers = new Map(makerEntries.map(({ id, data }) => [id, data]));
  const dayOf: DayOf = ({ data, filePath = "" }) => data.updated ?? changes.get(filePath);
  const categories = arrange(entries.map((entry) => newCategory(entry, dayOf)));
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  const products = (await getCollection("products"))
    .map((entry) => newProduct(entry, { categories: bySlug, makers }, dayOf))
    .sort(compareSlugs);
  listProducts(products, categories);
  relateByContent(products);
  for (const own of Map.groupBy(products, ({ category }) => category).values()) relateByPrice(own);
  for (const category of categories) {
    recommend(category);
    category.own = category.products.filter((product) => product.category === category);
  }
  const topCategories = categories.filter(({ above, products }) => above.length === 0 && products.length > 0);
  const bySku = new Map(products.flatMap((product) => product.variants.map(({ sku }) => [sku, product] as const)));
  return { products, categories, topCategories, bySku };
}

type DayOf = (entry: CollectionEntry<"categories" | "products">) => string | undefined;

function newCategory(entry: CollectionEntry<"categories">, dayOf: DayOf): Category {
  return {
    ...entry.data,
    slug: entry.id,
    path: categoryPath(entry.id),
    updated: dayOf(entry),
    entry,
    name: entry.data.title,
    above: [],
    below: [],
    products: [],
    own: [],
  };
}

/** Puts categories into the order of the navigation, says of each which are above it, and names those of one title apart. */
function arrange(categories: readonly Category[]): Category[] {
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  for (const { slug, above, entry } of categories) {
    for (let { parent } = entry.data; parent !== undefined; parent = above[0]?.entry.data.parent) {
      const found = bySlug.get(parent);
      if (found === undefined) throw new Error(`content/categories/${slug}.md: ${parent} isn't a category`);
      above.unshift(found);
      if (above.length >= MAX_LEVELS)
        throw new Error(`content/categories/${slug}.md: ${MAX_LEVELS} categories are above it, or they form a circle`);
    }
  }
  for (const alike of Map.groupBy(categories, ({ title }) => title).values())
    if (alike.length > 1) for (const category of alike) category.name = fullTitle(category, " › ");
  const sorted = categories.toSorted((a, b) => a.entry.data.order - b.entry.data.order || compareSlugs(a, b));
  const byParent = Map.groupBy(sorted, ({ above }) => above.at(-1));
  const withBelow = (parent: Category | undefined): Category[] =>
    (byParent.get(parent) ?? []).flatMap((category) => [category, ...withBelow(category)]);
  return withBelow(undefined);
}

/** Puts each product once into the list of its own category, of those that it names, and of all above them. */
function listProducts(products: readonly Product[], categories: readonly Category[]): void {
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  const place = new Map(categories.map((category, index) => [category, index]));
  const find = (slug: string, from: string): Category => {
    const found = bySlug.get(slug);
    if (found === undefined) throw new Error(`${from}: also_in names ${slug}, which isn't a category`);
    return found;
  };
  for (const product of products) {
    const { category, entry } = product;
    const named = [category, ...entry.data.also_in.map((slug) => find(slug, entry.id))];
    const listing = new Set(named.flatMap(trailTo));
    for (const each of listing) each.products.push(product);
    listing.delete(category);
    product.listedIn = [category, ...[...listing].sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))];
  }
  for (const category of categories) if (category.products.length > 0) category.above.at(-1)?.below.push(category);
}

interface Named {
  categories: Map<string, Category>;
  makers: Map<string, Maker>;
}

function newProduct(entry: CollectionEntry<"products">, { categories, makers }: Named, dayOf: DayOf): Product {
  const [folder = "", slug = ""] = entry.id.split("/");
  const category = categories.get(folder);
  if (category === undefined)
    throw new Error(`content/categories/${folder}.md is missing, but products/${folder}/ exists`);
  const { specifications, variants, ...data } = entry.data;
  const maker = data.maker === undefined ? undefined : makers.get(data.maker);
  if (data.maker !== undefined && maker === undefined)
    throw new Error(`${entry.id} names the maker ${data.maker}, and content/makers/${data.maker}.md is missing`);
  return {
    ...data,
    maker,
    variants: variants.map(asOffered),
    updated: dayOf(entry),
    slug,
    path: productPath(slug),
    category,
    listedIn: [],
    worksWith: [],
    doesNotWorkWith: [],
    similar: [],
    documents: documentsOf(entry, slug),
    specifications: describeValues(specifications),
    entry,
  };
}

/** Removes an expected day that has passed, so that no page or feed still promises it. */
const withoutPastDay = (variant: Variant): Variant =>
  variant.available_from === null || daysLeft(variant.available_from, new Date()) >= 0
    ? variant
    : { ...variant, available_from: null };

/** A variant as it can be had: where it's counted, by what is left of it, and at the ERP's price where that is in force. */
function asOffered(variant: Variant): Variant {
  const { availability, available_from, few_left, price, currency } = factOf(variant.sku) ?? {};
  // What was a fact before store.yaml changed isn't any more.
  const isInForce = price !== undefined && currency === shop.currency && shop.erp.owns.includes("price");
  return withoutPastDay({
    ...variant,
    ...(availability && { availability, available_from: available_from ?? null }),
    ...(few_left && { few_left }),
    ...(isInForce && { price }),
  });
}

/** A product's variants as content/ has them, even where they are counted or priced by the ERP. */
export const writtenVariants = ({ entry }: Product): Variant[] => entry.data.variants.map(withoutPastDay);

/** By code unit, so that the order is the same on every machine. */
function compareSlugs(a: { slug: string }, b: { slug: string }): number {
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0;
}

/** Number of similar products on a product page: one row. */
const similarProducts = 3;

/**
 * Fills in `worksWith` and `doesNotWorkWith`, which either of two files may declare, in the order of `products`, and begins
 * `similar` with a file's own alternatives.
 */
function relateByContent(products: readonly Product[]): void {
  const bySlug = new Map(products.map((product) => [product.slug, product]));
  const place = new Map(products.map((product, index) => [product, index]));
  const find = (slug: string, from: string): Product => {
    const found = bySlug.get(slug);
    if (found === undefined) throw new Error(`${from} names ${slug}, which isn't a product`);
    return found;
  };
  for (const product of products) {
    const { id, data } = product.entry;
    for (const [slug, relation] of Object.entries(data.works_with)) {
      const other = find(slug, `${id}: works_with`);
      const third = relation.with === undefined ? undefined : find(relation.with, `${id}: works_with`);
      const reason = third
        ? words.product.together({ product: third.title, reason: relation.reason })
        : relation.reason;
      const own = variantsAmong(product, relation.versions);
      const variants = variantsAmong(other, relation.versions);
      product.worksWith.push({ product: other, variants, own, reason, third });
      if (!relation.one_way) other.worksWith.push({ product, variants: own, own: variants, reason, third });
    }
    for (const [slug, { reason, one_way }] of Object.entries(data.does_not_work_with)) {
      const other = find(slug, `${id}: does_not_work_with`);
      product.doesNotWorkWith.push({ product: other, reason });
      if (!one_way) other.doesNotWorkWith.push({ product, reason });
    }
    product.similar = data.alternatives.map((slug) => find(slug, `${id}: alternatives`));
  }
  const inOrder = (a: { product: Product }, b: { product: Product }) =>
    (place.get(a.product) ?? 0) - (place.get(b.product) ?? 0);
  for (const { worksWith, doesNotWorkWith } of products) {
    worksWith.sort(inOrder);
    doesNotWorkWith.sort(inOrder);
  }
}

/** The variants with these SKUs, or all if there are none. */
function variantsAmong({ variants }: Product, skus: readonly string[]): Variant[] {
  const found = variants.filter(({ sku }) => skus.includes(sku));
  return found.length > 0 ? found : variants;
}

/** Fills up each product's `similar` with the products of its folder with the nearest prices, cheapest first. */
function relateByPrice(category: readonly Product[]): void {
  const byPrice = category.toSorted(compareOffers);
  for (const [index, product] of byPrice.entries()) {
    const from = Math.min(index - Math.floor(similarProducts / 2), byPrice.length - similarProducts - 1);
    const neighbours = byPrice.slice(Math.max(0, from), Math.max(0, from) + similarProducts + 1);
    const all = new Set([...product.similar, ...neighbours.filter((each) => each !== product)]);
    product.similar = [...all].slice(0, similarProducts);
  }
}

/** Sorts a category's products: those that its file recommends, then those that work with the most others. */
function recommend({ entry, products }: Category): void {
  const { recommended } = entry.data;
  const place = ({ slug }: Product) => (recommended.includes(slug) ? recommended.indexOf(slug) : recommended.length);
  products.sort((a, b) => place(a) - place(b) || b.worksWith.length - a.worksWith.length);
}

/** The first product of a category that works with the most others; undefined if the category is empty. */
export const mostConnected = (category: readonly Product[]): Product | undefined =>
  category.reduce<Product | undefined>(
    (best, product) => (best && best.worksWith.length >= product.worksWith.length ? best : product),
    undefined,
  );

/** The products that work with others, those that work with the most first, without those that illustrate a top category. */
export function mostConnectedOfAll({ categories, topCategories }: Catalogue): Product[] {
  const representatives = new Set(topCategories.map(({ products }) => mostConnected(products)));
  const others = categories.flatMap(({ own }) =>
    own.filter((product) => !representatives.has(product) && product.worksWith.length > 0),
  );
  return others.sort((a, b) => b.worksWith.length - a.worksWith.length);
}

/** The products of which a day is known since which they are sold, the newest first. */
export const newestFirst = (products: readonly Product[]): Product[] =>
  products
    .filter(({ added }) => added !== undefined)
    .sort(({ added: a = "" }, { added: b = "" }) => (a < b ? 1 : a > b ? -1 : 0));
