import type { BuiltCounter } from "../../../api/contract/built-files/counter.ts";
import type { Variant } from "../../content-schema/product.ts";
import { shop } from "../settings/shop.ts";
import { type Category, type Product, readCatalogue, trailTo } from "../shop/catalogue.ts";

/** The endpoint that private-pages/ takes over into the API's folder. */
export const GET = async () => Response.json(await describeCounter());

/**
 * What the API must know of “Build your counter”, for .session/counter.json; null if the shop has no counter.
 */
async function describeCounter(): Promise<BuiltCounter | null> {
  const { counter } = shop;
  if (counter === undefined) return null;
  const { categories } = await readCatalogue();
  const named = [counter.begins_with, ...Object.keys(counter.offers), ...counter.extras];
  /** The nearest that the counter names: a product's own category, or one above it. Not others that list it too. */
  const placeOf = ({ category }: Product) => trailTo(category).findLast(({ slug }) => named.includes(slug))?.slug;
  const productsAt = (slug: string) =>
    findCategory(categories, slug).products.filter((product) => placeOf(product) === slug);
  const describe = (slug: string) => ({
    slug,
    title: findCategory(categories, slug).title,
    products: productsAt(slug).map(({ summary, variants }) => ({ summary, skus: skusOf(variants) })),
  });
  const first = { ...describe(counter.begins_with), fits: [] };
  const others = Object.entries(counter.offers).map(([slug, fits]) => ({ ...describe(slug), fits }));
  const products = named.flatMap(productsAt);
  /** Whether a pair is in the counter, and not taken from the other product, which may have it too. */
  const isOwn = (product: Product, other: Product, back: readonly { product: Product }[]) =>
    placeOf(other) !== undefined && (product.slug < other.slug || back.every((each) => each.product !== product));
  const relations = products.flatMap((product) =>
    // Two that need a third one are each offered with that one.
    product.worksWith.flatMap(({ product: other, own, variants, reason, third }) =>
      isOwn(product, other, other.worksWith) && third === undefined ? { between: between(own, variants), reason } : [],
    ),
  );
  const cautions = products.flatMap((product) =>
    product.doesNotWorkWith.flatMap(({ product: other, reason }) =>
      isOwn(product, other, other.doesNotWorkWith)
        ? { between: between(product.variants, other.variants), reason }
        : [],
    ),
  );
  return { steps: [first, ...others], extras: counter.extras.map(describe), relations, cautions };
}

const skusOf = (variants: readonly Variant[]): string[] => variants.map(({ sku }) => sku);

const between = (one: readonly Variant[], other: readonly Variant[]): [string[], string[]] => [
  skusOf(one),
  skusOf(other),
];

function findCategory(categories: readonly Category[], slug: string): Category {
  const category = categories.find((each) => each.slug === slug);
  if (category === undefined) throw new Error(`content/store.yaml: counter names ${slug}, which isn't a category`);
  return category;
}
