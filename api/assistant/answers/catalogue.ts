import type { AssistantFile } from "../../contract/built-files/assistant.ts";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { cleanQuery, find, findVariant } from "../../people/search/find.ts";
import { offered, readOffers } from "../../people/search/offers.ts";
import type { FoundVariant, SearchIndex } from "../../people/search/search-index.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { ToolContext } from "./tool.ts";

/** A version with its product. */
export type Sold = Pick<FoundVariant, "product" | "variant">;

/** What the shop sells, as its pages show it. */
export interface Catalogue {
  search: SearchIndex;
  file: AssistantFile;
}

/** The catalogue of the newest build. */
export async function readCatalogue(context: Pick<ToolContext, "search" | "facts">): Promise<Catalogue> {
  const [search, file] = await Promise.all([context.search.current(), context.facts.current()]);
  return { search, file };
}

/** Versions as they are offered now. */
export async function offerNow(db: Db, sold: readonly Sold[]): Promise<Sold[]> {
  const offers = await readOffers(
    db,
    sold.map(({ variant }) => variant.sku),
  );
  return sold.map(({ product, variant }) => ({ product, variant: offered(variant, offers) }));
}

/** A version in a result. Prices are of one piece at home. */
export function describeVariant(shop: ShopFacts, { product, variant }: Sold) {
  const { sku, title, price, availability, available_from, path } = variant;
  const { net, gross } = price;
  return {
    ...{ sku, title: product.title, version: title, price_net: net, price_gross: gross, currency: shop.currency },
    ...{ availability, available_from, url: new URL(path, shop.base_url).href },
  };
}

/** A product with the version where there are several, as orders name it. */
export const nameSold = ({ product, variant }: Sold): string =>
  variant.title === null ? product.title : `${product.title}, ${variant.title}`;

/** What to do about a SKU or slug that the shop doesn't have, with those that are most like it. */
export function adviseOnUnknown({ search }: Catalogue, text: string): string {
  const query = cleanQuery(text);
  const alike = findVariant(search, query);
  const sold = alike ? [alike] : mostSimilar(search, query);
  const names = sold.map((each) => `${each.variant.sku} (${nameSold(each)})`);
  return names.length === 0
    ? "Look it up with find_products."
    : `Did you mean ${names.join(", ")}? Otherwise look it up with find_products.`;
}

const SUGGESTIONS = 3;

function mostSimilar(search: SearchIndex, query: string): Sold[] {
  const { hits, variantOf } = find(search, query);
  const entries = hits.filter((entry) => entry.kind === "product").slice(0, SUGGESTIONS);
  return entries.flatMap((entry) => {
    const variant = variantOf(entry, new Map());
    return variant ? [{ product: entry.product, variant }] : [];
  });
}
