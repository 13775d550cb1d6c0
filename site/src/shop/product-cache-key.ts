import type { CollectionEntry } from "astro:content";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Catalogue, Category, Product } from "./catalogue.ts";
import type { Guide } from "./guides.ts";

/**
 * Returns a function that computes a product page's cache key. A build reuses the page of the last build while the key is the
 * same, so it covers all content on the page: the product, the products and guides that it links to, and, for header, footer and
 * breadcrumbs, the names of all categories and pages. When code or settings change, renderer/build-cache.ts discards all pages.
 */
export function productCacheKeys(
  { products, categories }: Catalogue,
  pages: readonly CollectionEntry<"pages">[],
  guides: readonly Guide[],
): (product: Product, about: readonly Guide[]) => string {
  const facts = new Map(products.map((product) => [product, digest(factsOf(product))]));
  const names = pages.map(({ id, data }) => [id, data.title]);
  const frame = digest([categories.map(nameOf), names, guides.length > 0]);
  return (product, about) => {
    const worksWith = product.worksWith.map((other) => [facts.get(other.product), other.reason, other.variants]);
    const doesNotWorkWith = product.doesNotWorkWith.map((other) => [facts.get(other.product), other.reason]);
    const similar = product.similar.map((other) => facts.get(other));
    return digest([
      frame,
      facts.get(product),
      worksWith,
      doesNotWorkWith,
      similar,
      about.map(({ id, data }) => [id, data]),
    ]);
  };
}

/** The product's own content. Pictures are identified by their hashed names, those in its text by their content. */
function factsOf({ category, worksWith: _, doesNotWorkWith: __, similar: ___, images, entry, ...facts }: Product) {
  return [
    facts,
    category.slug,
    images.map(({ src, alt }) => [src.src, alt]),
    entry.rendered?.html,
    picturesInText(entry),
  ];
}

/** Hashes of the pictures in the text, whose names Astro inserts only when it renders. `filePath` is relative to site/, where Astro runs. */
function picturesInText({ filePath = "", rendered }: CollectionEntry<"products">): string[] {
  const hash = (path: string) => createHash("sha256").update(readFileSync(join(dirname(filePath), path)));
  return (rendered?.metadata?.imagePaths ?? []).map((path) => hash(path).digest("base64url"));
}

const nameOf = ({ products: _, entry: __, ...facts }: Category) => facts;

const digest = (facts: unknown): string => createHash("sha256").update(JSON.stringify(facts)).digest("base64url");
