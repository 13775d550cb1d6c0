import { type CollectionEntry, getCollection } from "astro:content";
import type { Product } from "./catalogue.ts";
import { productPath } from "./paths.ts";

export type Guide = CollectionEntry<"guides">;

/** All guides, the one changed last first. */
export async function readGuides(): Promise<Guide[]> {
  const guides = await getCollection("guides");
  return guides.sort((a, b) => order(b, a) || (a.id < b.id ? -1 : 1));
}

/** The guides that link to a product or show its card. */
export function guidesAbout(product: Product, guides: readonly Guide[]): Guide[] {
  const skus = product.variants.map(({ sku }) => `sku="${sku}"`);
  const link = new RegExp(`\\(${productPath(product.slug)}[)#\\s]`);
  return guides.filter(({ body = "" }) => link.test(body) || skus.some((sku) => body.includes(sku)));
}

const order = (a: Guide, b: Guide) => (a.data.updated < b.data.updated ? -1 : a.data.updated > b.data.updated ? 1 : 0);
