import { type CollectionEntry, getCollection } from "astro:content";
import type { ImageMetadata } from "astro";
import { daysLeft } from "../../content-schema/fields.ts";
import type { Variant } from "../../content-schema/product.ts";
import type { Question } from "../../content-schema/questions.ts";
import { productsPerPage } from "../../urls/page-numbers.ts";
import { categoryPath, productPath } from "../../urls/paths.ts";
import { newest, readChanges } from "./changes.ts";
import { relateByContent, relateByPrice } from "./relations.ts";

/** A category with its products; `path` is its first page, `updated` the day of its own file. */
export interface Category {
  slug: string;
  path: string;
  formerly: string[];
  title: string;
  summary: string;
  updated: string | undefined;
  /** Other words for these things. */
  alsoCalled: string[];
  entry: CollectionEntry<"categories">;
  products: Product[];
}

/** A product of the shop, with one or more variants. `updated`, `YYYY-MM-DD`, is its front matter's, else its file's last commit's. */
export interface Product {
  slug: string;
  path: string;
  formerly: string[];
  title: string;
  brand: string;
  summary: string;
  category: Category;
  images: { src: ImageMetadata; alt: string }[];
  specifications: { name: string; value: string }[];
  variants: Variant[];
  questions?: Question[] | undefined;
  updated: string | undefined;
  /** True only in the dev server: a build has no drafts. */
  draft: boolean;
  /** Products that go with it, and why: a text that reads right from both sides. */
  worksWith: { product: Product; reason: string }[];
  /** What else to look at in its category. */
  similar: Product[];
  entry: CollectionEntry<"products">;
}

/** All products, sorted by slug, and all categories in the order of the navigation. */
export interface Catalogue {
  products: Product[];
  categories: Category[];
  /** Finds the product that has a variant with this SKU. */
  bySku: Map<string, Product>;
}

let remembered: Promise<Catalogue> | undefined;

/** The whole catalogue. A build reads it once, however many pages ask for it; the dev server reads it anew each time. */
export function readCatalogue(): Promise<Catalogue> {
  if (import.meta.env.DEV) return buildCatalogue();
  remembered ??= buildCatalogue();
  return remembered;
}

/** What a page of a category shows, from 1: as new as the newest of its products, whose names and prices it shows. */
export function readCategoryPage(category: Category, page: number): { shown: Product[]; updated: string | undefined } {
  const shown = category.products.slice((page - 1) * productsPerPage, page * productsPerPage);
  return { shown, updated: newest([category, ...shown].map(({ updated }) => updated)) };
}

/** The day of a category's comparison: it shows its products, and is as new as the newest of them. */
export const comparisonDay = ({ products }: Category): string | undefined =>
  newest(products.map(({ updated }) => updated));

async function buildCatalogue(): Promise<Catalogue> {
  const [entries, changes] = await Promise.all([getCollection("categories"), readChanges()]);
  const dayOf: DayOf = ({ data, filePath = "" }) => data.updated ?? changes.get(filePath);
  const categories = entries
    .map((entry) => newCategory(entry, dayOf))
    .sort((a, b) => a.entry.data.order - b.entry.data.order || compareSlugs(a, b));
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  const products = (await getCollection("products"))
    .map((entry) => newProduct(entry, bySlug, dayOf))
    .sort(compareSlugs);
  for (const product of products) product.category.products.push(product);
  relateByContent(products);
  for (const category of categories) relateByPrice(category.products);
  const bySku = new Map(products.flatMap((product) => product.variants.map(({ sku }) => [sku, product] as const)));
  return { products, categories, bySku };
}

type DayOf = (entry: CollectionEntry<"categories" | "products">) => string | undefined;

function newCategory(entry: CollectionEntry<"categories">, dayOf: DayOf): Category {
  return {
    ...entry.data,
    alsoCalled: entry.data.also_called,
    slug: entry.id,
    path: categoryPath(entry.id),
    updated: dayOf(entry),
    entry,
    products: [],
  };
}

function newProduct(entry: CollectionEntry<"products">, categories: Map<string, Category>, dayOf: DayOf): Product {
  const [folder = "", slug = ""] = entry.id.split("/");
  const category = categories.get(folder);
  if (category === undefined)
    throw new Error(`content/categories/${folder}.md is missing, but products/${folder}/ exists`);
  const { specifications, variants, ...data } = entry.data;
  return {
    ...data,
    variants: variants.map(withoutPastDay),
    updated: dayOf(entry),
    slug,
    path: productPath(slug),
    category,
    worksWith: [],
    similar: [],
    specifications: Object.entries(specifications).map(([name, value]) => ({ name, value: [value].flat().join(", ") })),
    entry,
  };
}

/** A day that has passed is no longer expected: no page, list or feed may go on promising it. */
const withoutPastDay = (variant: Variant): Variant =>
  variant.available_from === null || daysLeft(variant.available_from, new Date()) >= 0
    ? variant
    : { ...variant, available_from: null };

/** By code unit, so that every machine sorts alike. */
function compareSlugs(a: { slug: string }, b: { slug: string }): number {
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0;
}
