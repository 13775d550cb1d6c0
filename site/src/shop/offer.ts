import { AVAILABILITIES } from "../../../api/contract/availability.ts";
import { compareAmounts } from "../../content-schema/money.ts";
import type { Variant } from "../../content-schema/product.ts";

/** What is needed of a version to compare offers. */
type Offered = Pick<Variant, "price" | "tax_class" | "availability" | "available_from" | "few_left"> &
  Partial<Pick<Variant, "content">>;

/** A price in content/, and how it is taxed. */
export type Priced = Pick<Variant, "price" | "tax_class">;

/** A product with more versions is given by its lowest and highest price, and by the values of its options. */
export const MAX_LISTED_VERSIONS = 24;

/** What a list says about some versions of a product. */
export interface Offer<Version> {
  /** The version that can be had soonest, and of these the cheapest: its price, availability and day are shown. */
  best: Version;
  /** Whether others cost more. */
  isFrom: boolean;
  /** The cheapest, if it costs less than `best` and can be ordered all the same. */
  cheaper: Version | undefined;
}

/** The offer of one or more versions. */
export function offerOf<Version extends Offered>(versions: readonly Version[]): Offer<Version> {
  const [best, ...others] = versions.toSorted(compareVersions);
  if (best === undefined) throw new Error("an offer without versions");
  const byPrice = others.toSorted((a, b) => compareAmounts(a.price, b.price));
  return {
    best,
    isFrom: others.some(({ price }) => compareAmounts(price, best.price) > 0),
    cheaper: byPrice.find(
      ({ price, availability }) => availability !== "out_of_stock" && compareAmounts(price, best.price) < 0,
    ),
  };
}

/** Orders versions by availability, then price, then day, unknown days last. */
export function compareVersions(a: Offered, b: Offered): number {
  const day = ({ available_from }: Offered) => available_from ?? "9999";
  return (
    AVAILABILITIES.indexOf(a.availability) - AVAILABILITIES.indexOf(b.availability) ||
    compareAmounts(a.price, b.price) ||
    (day(a) < day(b) ? -1 : day(a) > day(b) ? 1 : 0)
  );
}

/** The price that is read of some versions: the best offer's, or of many the lowest and the highest. */
export function pricesOf(versions: readonly Offered[], areMany = versions.length > MAX_LISTED_VERSIONS): Priced[] {
  if (!areMany) return [offerOf(versions).best];
  const [lowest, ...others] = versions.toSorted((a, b) => compareAmounts(a.price, b.price));
  if (lowest === undefined) throw new Error("prices of no versions");
  return [lowest, ...others.slice(-1).filter((highest) => highest.price !== lowest.price)];
}

/** Versions that cost the same and can be had alike, the best offer first. */
export const groupByOffer = <Version extends Offered>(versions: readonly Version[]): Version[][] => [
  ...Map.groupBy(versions.toSorted(compareVersions), offerKey).values(),
];

/** Equal for versions that a list needn't tell apart. */
const offerKey = ({ price, availability, available_from, few_left, content }: Offered): string =>
  [price, availability, available_from, few_left, content && Object.values(content)].join(" ");

/** Orders products, or parts of their versions, by the prices that lists show. */
export const compareOffers = (a: { variants: readonly Variant[] }, b: { variants: readonly Variant[] }): number =>
  compareAmounts(shownPrice(a.variants), shownPrice(b.variants));

/** Sorting a category of thousands asks for each price a dozen times. */
const shownPrices = new WeakMap<readonly Variant[], string>();

function shownPrice(variants: readonly Variant[]): string {
  const price = shownPrices.get(variants) ?? offerOf(variants).best.price;
  shownPrices.set(variants, price);
  return price;
}
