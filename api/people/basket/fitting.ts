import type { ShopFacts } from "../../contract/built-files/store.ts";
import type { Db } from "../../platform/database/pool.ts";
import { findVariants, type Variant } from "../../selling/catalogue/variants.ts";
import { isOrderable } from "../../selling/quote/quote.ts";
import { perUnit, priceAtHome } from "../../selling/quote/unit-price.ts";
import type { FittingView } from "./views.ts";

/** What the shop's content says of versions that go together, by SKU. */
export interface Relations {
  /** Versions of one product that go with a version, for one reason; first what has a step of the counter. */
  findPartners: (sku: string) => readonly Partner[];
  /** Why two versions don't go together; undefined if nobody says so. */
  findCaution: (one: string, other: string) => string | undefined;
  /** Categories of which a counter has one version each. */
  steps: readonly { slug: string }[];
  choices: ReadonlyMap<string, { category: string }>;
}

interface Partner {
  skus: readonly string[];
  category: string;
  /** Whether the product has no other versions, so that there is nothing to choose. */
  isWhole: boolean;
  reason: string;
}

const MOST = 4;
/** Some of which may be sold out. */
const CANDIDATES = 12;

/**
 * At most four products that go with what was just added and can be ordered, of as many categories as there are. None
 * that the basket has, or has another of where one is enough, and none that doesn't go with something in it.
 */
export async function findFitting(
  db: Db,
  shop: ShopFacts,
  { findPartners, findCaution, steps, choices }: Relations,
  added: readonly string[],
  inBasket: readonly string[],
): Promise<FittingView[]> {
  const taken = new Set(inBasket.map((sku) => choices.get(sku)?.category));
  const isTaken = (category: string) => taken.has(category) && steps.some(({ slug }) => slug === category);
  const goes = ({ skus, category }: Partner) =>
    !isTaken(category) &&
    skus.every((sku) => !inBasket.includes(sku) && inBasket.every((each) => findCaution(sku, each) === undefined));
  // What goes with several is one card.
  const partners = new Map(
    added
      .flatMap((sku) => findPartners(sku).map((partner) => ({ ...partner, with: sku })))
      .filter(goes)
      .map((partner) => [partner.skus.join(" "), partner]),
  );
  const candidates = takeInTurns(Map.groupBy(partners.values(), ({ category }) => category)).slice(0, CANDIDATES);
  if (candidates.length === 0) return [];
  const variants = await findVariants(db, [...added, ...candidates.flatMap(({ skus }) => skus)]);
  return candidates
    .flatMap(({ skus, isWhole, reason, with: partner }) => {
      const best = bestOf(skus.flatMap((sku) => variants.get(sku) ?? []));
      if (best === undefined) return [];
      const { sku, product_title: name, path, picture, availability, available_from } = best;
      const price = priceAtHome(shop, [best]);
      return {
        ...{ name, path, picture, availability, available_from, reason },
        with: added.length > 1 ? (variants.get(partner)?.product_title ?? partner) : null,
        price,
        per_unit: perUnit(shop.currency, best, price),
        sku: isWhole && skus.length === 1 ? sku : null,
        quantity: best.order_least,
      };
    })
    .slice(0, MOST);
}

/** The first of each group, then the second of each, and so on. */
function takeInTurns<T>(groups: ReadonlyMap<string, readonly T[]>): T[] {
  const turns = Math.max(0, ...[...groups.values()].map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => [...groups.values()].flatMap((group) => group[turn] ?? [])).flat();
}

/** The version to show: what can be had now before what comes later, then the cheapest. */
const bestOf = (variants: readonly Variant[]): Variant | undefined =>
  variants
    .filter(isOrderable)
    .toSorted(
      (a, b) =>
        Number(b.availability === "in_stock") - Number(a.availability === "in_stock") ||
        Number(a.price) - Number(b.price),
    )[0];
