import { type CollectionEntry, getCollection } from "astro:content";
import type { Product } from "./catalogue.ts";

export type Guide = CollectionEntry<"guides">;

/** All guides, the latest first. */
export async function readGuides(): Promise<Guide[]> {
  const guides = await getCollection("guides");
  return guides.sort((a, b) => order(b, a) || (a.id < b.id ? -1 : 1));
}

/** Returns a function that finds the guides that link to a product or show its card. */
export function findGuides(guides: readonly Guide[]): (product: Product) => Guide[] {
  const read = guides.map((guide) => {
    const { body = "" } = guide;
    const links = Array.from(body.matchAll(/\((\/products\/[^)#\s]+)[)#\s]/g), ([, path]) => path);
    const cards = Array.from(body.matchAll(/sku="([^"]+)"/g), ([, sku]) => sku);
    return { guide, links: new Set(links), cards: new Set(cards) };
  });
  return ({ path, variants }) =>
    read
      .filter(({ links, cards }) => links.has(path) || variants.some(({ sku }) => cards.has(sku)))
      .map(({ guide }) => guide);
}

const order = (a: Guide, b: Guide) => (a.data.updated < b.data.updated ? -1 : a.data.updated > b.data.updated ? 1 : 0);
