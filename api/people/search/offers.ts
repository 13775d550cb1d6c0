import type { Version } from "../../contract/built-files/search.ts";
import { parseMoney } from "../../contract/money.ts";
import type { OrderQuantity } from "../../contract/order-quantity.ts";
import { describeOutage } from "../../platform/database/outage.ts";
import type { Db } from "../../platform/database/pool.ts";
import { findVariants, soldIn } from "../../selling/catalogue/variants.ts";
import { type PerUnitView, perUnit, priceAtHome } from "../../selling/quote/unit-price.ts";
import { findShopFacts } from "../../selling/shop/queries.ts";
import type { Entry, SearchIndex } from "./search-index.ts";

/** What a version costs now and whether it can be had. */
interface Offer extends Pick<Version, "price" | "availability" | "available_from"> {
  per_unit: PerUnitView;
  /** In which numbers it is sold. */
  sold_in: OrderQuantity;
}

/** Offers by SKU. What isn't there is offered as the build has it. */
export type Offers = ReadonlyMap<string, Offer>;

/** SKUs in a statement. */
const AT_ONCE = 1_000;

/** What versions cost now and whether they can be had. Without the database, results are as the build has them. */
export async function readOffers(db: Db, skus: readonly string[]): Promise<Offers> {
  const offers = new Map<string, Offer>();
  try {
    const shop = skus.length > 0 ? await findShopFacts(db) : undefined;
    if (!shop) return offers;
    for (let first = 0; first < skus.length; first += AT_ONCE)
      for (const [sku, variant] of await findVariants(db, skus.slice(first, first + AT_ONCE))) {
        const { availability, available_from } = variant;
        // Until the import of the build that has it.
        if (availability === "archived") continue;
        const price = priceAtHome(shop, [variant]);
        const { net, gross } = price;
        const per_unit = perUnit(shop.currency, variant, price);
        offers.set(sku, { price: { net, gross }, availability, available_from, per_unit, sold_in: soldIn(variant) });
      }
    return offers;
  } catch (error) {
    if (describeOutage(error) === undefined) throw error;
    return offers;
  }
}

/** A version as it's offered now. */
export function offered(version: Version, offers: Offers): Version {
  const { price, availability, available_from } = offers.get(version.sku) ?? version;
  return { ...version, price, availability, available_from };
}

/** Whether the version with a number in the index can be had now. */
export const availabilityOf = (index: SearchIndex, version: number, offers: Offers): Version["availability"] =>
  offers.get(index.skuOf(version))?.availability ?? index.availabilityOf(version);

/** What the version with a number in the index costs now: one piece at home; `gross` is net where no tax is charged. */
export function priceOf(index: SearchIndex, version: number, offers: Offers): { net: bigint; gross: bigint } {
  const price = offers.get(index.skuOf(version))?.price;
  if (price === undefined) return index.priceOf(version);
  const net = parseMoney(price.net);
  return { net, gross: price.gross === null ? net : parseMoney(price.gross) };
}

/** The SKUs of all versions of what was found. */
export const skusOf = (index: SearchIndex, entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === "product" ? entry.versions.map((version) => index.skuOf(version)) : []));
