import type { CollectionEntry } from "astro:content";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isCompared, onPage } from "../../urls/pagination.ts";
import { cardFacts } from "./card-facts.ts";
import { type Category, type PageOfCategory, type Product, readCatalogue } from "./catalogue.ts";
import { readFilters, withoutFilters } from "./filters.ts";
import { type Guide, readGuides } from "./guides.ts";
import { readTextPages, type TextPage } from "./text-pages.ts";
import { specificationNamesIn } from "./version-specifications.ts";

type Text = TextPage | Guide;

/**
 * Functions that compute pages' cache keys. A build reuses a page of the last build while its key is the same, so a key covers all
 * content on its page; a page without one is rendered each time. When code or settings change, all pages are rendered
 * (build/build-cache.ts, quick-build/quick-build.ts).
 */
export interface PageKeys {
  /** A product's page, with the guides about it. */
  ofProduct(product: Product, about: readonly Guide[]): string;
  ofCategory(page: PageOfCategory): string;
  ofComparison(page: PageOfCategory): string;
  /** A guide or a page of text; undefined for .mdx, whose components may show anything. */
  ofText(entry: Text): string | undefined;
}

let cached: Promise<PageKeys> | undefined;

/** Reads what pages' keys are made of, once in a build. */
export function readPageKeys(): Promise<PageKeys> {
  cached ??= makePageKeys();
  return cached;
}

async function makePageKeys(): Promise<PageKeys> {
  const [{ products, categories }, guides, pages] = await Promise.all([readCatalogue(), readGuides(), readTextPages()]);
  const facts = new Map(products.map((product) => [product, digest([factsOf(product), cardFacts(product)])]));
  const names = pages.map(({ id, data }) => [id, data.title]);
  /** Header, footer and breadcrumbs. */
  const frame = digest([categories.map(nameOf), names, guides.length > 0]);
  const factsOn = (list: readonly Product[], page: number) => onPage(list, page).map((product) => facts.get(product));

  return {
    ofProduct(product, about) {
      const worksWith = product.worksWith.map((other) => [facts.get(other.product), other.reason, other.variants]);
      const doesNotWorkWith = product.doesNotWorkWith.map((other) => [facts.get(other.product), other.reason]);
      const similar = product.similar.map((other) => facts.get(other));
      const texts = about.map(({ id, data }) => [id, data]);
      return digest([frame, facts.get(product), worksWith, doesNotWorkWith, similar, texts]);
    },
    ofCategory({ category, page }) {
      const { products, below, entry } = category;
      const { filters, orders, choices } = isCompared(products.length)
        ? readFilters(category)
        : withoutFilters(products);
      const places = onPage(choices, page).map(({ tokens, offers, isMixed }) => [
        tokens,
        isMixed,
        offers.map(({ variants, tokens, places }) => [variants, tokens, places]),
      ]);
      const text = page === 1 ? textOf(entry) : [];
      return digest([
        frame,
        nameOf(category),
        text,
        page,
        products.length,
        page === 1 ? below.map(({ slug, products }) => [slug, products.length]) : [],
        filters,
        orders,
        places,
        factsOn(products, page),
      ]);
    },
    ofComparison({ category, page }) {
      const rows = specificationNamesIn(category);
      return digest([frame, nameOf(category), page, category.products.length, rows, factsOn(category.products, page)]);
    },
    ofText(entry) {
      return entry.filePath?.endsWith(".md") ? digest([frame, entry.id, entry.data, textOf(entry)]) : undefined;
    },
  };
}

/** The product's own content. Pictures are identified by their hashed names, those in its text by their content. */
function factsOf({
  category,
  listedIn: _,
  worksWith: __,
  doesNotWorkWith: ___,
  similar: ____,
  images,
  entry,
  ...facts
}: Product) {
  return [facts, category.slug, images.map(({ src, alt }) => [src.src, alt]), textOf(entry)];
}

const textOf = (entry: CollectionEntry<"products" | "categories"> | Text) => [
  entry.rendered?.html,
  picturesInText(entry),
];

/** Hashes of the pictures in the text, whose names Astro inserts only when it renders. `filePath` is relative to site/, where Astro runs. */
function picturesInText({ filePath = "", rendered }: CollectionEntry<"products" | "categories"> | Text): string[] {
  const hash = (path: string) => createHash("sha256").update(readFileSync(join(dirname(filePath), path)));
  return (rendered?.metadata?.imagePaths ?? []).map((path) => hash(path).digest("base64url"));
}

/** What other pages say of a category, which they name only if it lists products. */
function nameOf({ above, below: _, products, own: __, entry: ___, ...facts }: Category) {
  return [facts, above.map(({ slug }) => slug), products.length > 0];
}

const digest = (facts: unknown): string => createHash("sha256").update(JSON.stringify(facts)).digest("base64url");
