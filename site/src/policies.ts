import { compareAmounts } from "./content/money.ts";
import type { Variant } from "./content/product.ts";
import { shippingRate } from "./content/shipping.ts";
import { pageLanguage, store } from "./store.ts";
import { describePrice } from "./wording.ts";

/** What delivery of one piece costs and how long it is on its way, in short; undefined where store.yaml says nothing. */
export function describeDelivery(variants: readonly Variant[]): string | undefined {
  const { shipping } = store;
  if (shipping === undefined) return undefined;
  const rates = shipping.zones.flatMap((zone) => variants.map(({ price }) => shippingRate(zone, price)));
  const [lowest = "", ...others] = rates.sort(compareAmounts);
  const highest = others.at(-1) ?? lowest;
  const days = {
    min: Math.min(...shipping.zones.map(({ transit_days }) => transit_days.min)),
    max: Math.max(...shipping.zones.map(({ transit_days }) => transit_days.max)),
  };
  return `${describeRates(lowest, highest)}, ${describeDays(days)} on the way`;
}

function describeRates(lowest: string, highest: string): string {
  const [low, high] = [describeRate(lowest), describeRate(highest)];
  if (low === high) return low;
  return low === free ? `${free} or up to ${high} by country` : `${low} to ${high} by country`;
}

/** When things leave and what the first zone pays: what the home page promises; undefined where store.yaml says nothing. */
export function describeFirstDelivery(): string | undefined {
  const { shipping } = store;
  const zone = shipping?.zones[0];
  if (shipping === undefined || zone === undefined) return undefined;
  const free = zone.free_from === undefined ? "" : `, free from ${describePrice(zone.free_from)}`;
  return `${describeCountries(zone.countries)}: ${describeDays(zone.transit_days)} on the way, ${describeRate(zone.price)}${free}`;
}

/** Until when things may go back and who pays for it, in short; undefined where store.yaml says nothing. */
export function describeReturns(): string | undefined {
  const { returns } = store;
  return returns && `within ${countDays(returns.days)} of delivery; ${wayBack[returns.paid_by].brief}`;
}

/** Who pays for the way back, by `paid_by` of store.yaml: of what is not faulty, and of everything. */
export const wayBack = {
  customer: {
    brief: "you pay the way back",
    whole: "you pay, unless it is faulty or not what you ordered; then we do",
  },
  shop: { brief: "we pay the way back", whole: "we pay" },
};

/** A delivery price for people: `€7.50`, or `free`. */
export const describeRate = (amount: string): string => (/[1-9]/.test(amount) ? describePrice(amount) : free);

const free = "free";

/** `1 working day`, `3 to 5 working days` */
export function describeDays({ min, max }: { min: number; max: number }): string {
  return min === max ? `${max} working ${max === 1 ? "day" : "days"}` : `${min} to ${max} working days`;
}

/** `1 day`, `30 days` */
export const countDays = (count: number): string => `${count} ${count === 1 ? "day" : "days"}`;

/** Countries by their names in the shop's language, sorted: `Belgium, Netherlands`. */
export function describeCountries(codes: readonly string[]): string {
  const names = new Intl.DisplayNames(pageLanguage, { type: "region" });
  const sorted = codes.map((code) => names.of(code) ?? code).sort(new Intl.Collator(pageLanguage).compare);
  return sorted.join(", ");
}
