import type { AssistantFile } from "../../contract/built-files/assistant.ts";
import type { Product, Version } from "../../contract/built-files/search.ts";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { cleanQuery, find, findVariant } from "../../people/search/find.ts";
import type { ProductEntry, SearchIndex } from "../../people/search/search-index.ts";
import type { ToolContext } from "./tool.ts";

/** A version with its product. */
export interface Sold {
  product: Product;
  variant: Version;
}

/** What the shop sells, as its pages show it. */
export interface Catalogue {
  search: SearchIndex;
  file: AssistantFile;
  /** By SKU. */
  variants: ReadonlyMap<string, Sold>;
  /** By slug. */
  products: ReadonlyMap<string, ProductEntry>;
}

/** The catalogue of the newest build. */
export async function readCatalogue(context: Pick<ToolContext, "search" | "facts">): Promise<Catalogue> {
  const [search, file] = await Promise.all([context.search.current(), context.facts.current()]);
  const known = cached.get(search) ?? byName(search);
  cached.set(search, known);
  return { search, file, ...known };
}

const cached = new WeakMap<SearchIndex, Pick<Catalogue, "variants" | "products">>();

function byName({ entries }: SearchIndex): Pick<Catalogue, "variants" | "products"> {
  const sold = entries.filter((entry) => entry.kind === "product");
  return {
    variants: new Map(
      sold.flatMap(({ product }) => product.versions.map((variant) => [variant.sku, { product, variant }] as const)),
    ),
    products: new Map(sold.map((entry) => [entry.product.slug, entry])),
  };
}

/** A version in a result. Prices are of one piece at home. */
export function describeVariant(shop: ShopFacts, { product, variant }: Sold) {
  const { sku, title, price, availability, available_from, path } = variant;
  const { net, gross } = price;
  return {
    ...{ sku, title: product.title, version: title, price_net: net, price_gross: gross, currency: shop.currency },
    ...{ availability, available_from, url: shop.base_url + path },
  };
}

/** A product with the version where there are several, as orders name it. */
export const nameSold = ({ product, variant }: Sold): string =>
  variant.title === null ? product.title : `${product.title}, ${variant.title}`;

/** What to do about a SKU or slug that the shop doesn't have, with those that are most like it. */
export function adviseOnUnknown({ search, variants }: Catalogue, text: string): string {
  const query = cleanQuery(text);
  const alike = findVariant(search, query);
  const skus = alike ? [alike.sku] : mostSimilar(search, query);
  const names = skus.flatMap((sku) => {
    const sold = variants.get(sku);
    return sold ? [`${sku} (${nameSold(sold)})`] : [];
  });
  return names.length === 0
    ? "Look it up with find_products."
    : `Did you mean ${names.join(", ")}? Otherwise look it up with find_products.`;
}

const SUGGESTIONS = 3;

function mostSimilar(search: SearchIndex, query: string): string[] {
  const { hits, variantOf } = find(search, query);
  return hits.flatMap((entry) => variantOf(entry)?.sku ?? []).slice(0, SUGGESTIONS);
}
