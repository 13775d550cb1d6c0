import type { CollectionEntry } from "astro:content";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Catalogue, Category, Product } from "./catalogue.ts";
import type { Guide } from "./guides.ts";

/**
 * Gives what makes the key of a product's page. While it stays the same, a build takes the page as the last one wrote
 * it: so it holds all content that the page shows, and more of it rather than less. That is the product, the products and
 * guides that it leads to, and for header, footer and trail the names of all categories and pages. Of code and settings
 * there is nothing in it: where they change, Astro and renderer/last-build.ts see to it that no page is taken over.
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
    const goesWith = product.worksWith.map((other) => [facts.get(other.product), other.reason]);
    const similar = product.similar.map((other) => facts.get(other));
    return digest([frame, facts.get(product), goesWith, similar, about.map(({ id, data }) => [id, data])]);
  };
}

/** A product's own, with its pictures by the names that their contents give them; of those in its text, by their contents. */
function factsOf({ category, worksWith: _, similar: __, images, entry, ...facts }: Product) {
  return [
    facts,
    category.slug,
    images.map(({ src, alt }) => [src.src, alt]),
    entry.rendered?.html,
    picturesInText(entry),
  ];
}

/** Astro puts their names into the text as late as a page is made. It runs in site/, from where `filePath` goes. */
function picturesInText({ filePath = "", rendered }: CollectionEntry<"products">): string[] {
  const hash = (path: string) => createHash("sha256").update(readFileSync(join(dirname(filePath), path)));
  return (rendered?.metadata?.imagePaths ?? []).map((path) => hash(path).digest("base64url"));
}

const nameOf = ({ products: _, entry: __, ...facts }: Category) => facts;

const digest = (facts: unknown): string => createHash("sha256").update(JSON.stringify(facts)).digest("base64url");
