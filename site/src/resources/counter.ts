import type { BuiltCounter } from "../../../api/contract/built-files/counter.ts";
import type { Variant } from "../../content-schema/product.ts";
import { shop } from "../settings/shop.ts";
import { type Category, type Product, readCatalogue } from "../shop/catalogue.ts";

/** The endpoint that private-pages/ takes over into the API's folder. */
export const GET = async () => Response.json(await describeCounter());

/**
 * What the API must know of “Build your counter”, for .session/counter.json; null if the shop has no counter.
 */
async function describeCounter(): Promise<BuiltCounter | null> {
  const { counter } = shop;
  if (counter === undefined) return null;
  const { categories } = await readCatalogue();
  const describe = (slug: string) => describeCategory(findCategory(categories, slug));
  const first = { ...describe(counter.begins_with), fits: [] };
  const others = Object.entries(counter.offers).map(([slug, fits]) => ({ ...describe(slug), fits }));
  const named = [counter.begins_with, ...Object.keys(counter.offers), ...counter.extras];
  const products = named.flatMap((slug) => findCategory(categories, slug).products);
  /** Whether a pair is in the counter, and not taken from the other product, which may have it too. */
  const isOwn = (product: Product, other: Product, back: readonly { product: Product }[]) =>
    named.includes(other.category.slug) &&
    (product.slug < other.slug || back.every((each) => each.product !== product));
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

const describeCategory = ({ slug, title, products }: Category) => ({
  slug,
  title,
  products: products.map(({ summary, variants }) => ({ summary, skus: skusOf(variants) })),
});
