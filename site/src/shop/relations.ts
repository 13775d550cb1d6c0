import { compareLowestPrices } from "../../content-schema/money.ts";
import type { Category, Product } from "./catalogue.ts";

/** How many similar products a product's page shows: a whole row. */
const similarProducts = 3;
/** How many well-connected products the home page shows: whole rows of two and of three. */
const connectedProducts = 6;

/** Fills in each product's `worksWith`, from whichever of the two files says so. They stand in the order of `products`. */
export function relateByContent(products: readonly Product[]): void {
  const bySlug = new Map(products.map((product) => [product.slug, product]));
  for (const product of products)
    for (const [slug, reason] of Object.entries(product.entry.data.works_with)) {
      const other = bySlug.get(slug);
      if (other === undefined) throw new Error(`${product.entry.id}: works_with names ${slug}, which is no product`);
      product.worksWith.push({ product: other, reason });
      other.worksWith.push({ product, reason });
    }
  const place = new Map(products.map((product, index) => [product, index]));
  for (const { worksWith } of products)
    worksWith.sort((a, b) => (place.get(a.product) ?? 0) - (place.get(b.product) ?? 0));
}

/** Fills in each product's `similar`: those of its category whose prices are nearest, the cheapest first. */
export function relateByPrice(category: readonly Product[]): void {
  const byPrice = category.toSorted(compareLowestPrices);
  for (const [index, product] of byPrice.entries()) {
    const from = Math.min(index - Math.floor(similarProducts / 2), byPrice.length - similarProducts - 1);
    const neighbours = byPrice.slice(Math.max(0, from), Math.max(0, from) + similarProducts + 1);
    product.similar = neighbours.filter((each) => each !== product);
  }
}

/** The product of a category that goes with the most others, the first of several; undefined where there is none. */
export const mostConnected = (category: readonly Product[]): Product | undefined =>
  category.reduce<Product | undefined>(
    (best, product) => (best && best.worksWith.length >= product.worksWith.length ? best : product),
    undefined,
  );

/** The products of all categories that go with the most others, six at most, without those that stand for their category. */
export function mostConnectedOfAll(categories: readonly Category[]): Product[] {
  const others = categories.flatMap(({ products }) => {
    const representative = mostConnected(products);
    return products.filter((product) => product !== representative && product.worksWith.length > 0);
  });
  return others.sort((a, b) => b.worksWith.length - a.worksWith.length).slice(0, connectedProducts);
}
