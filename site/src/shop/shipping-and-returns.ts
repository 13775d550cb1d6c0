import { compareAmounts } from "../../content-schema/money.ts";
import type { Variant } from "../../content-schema/product.ts";
import { deliveryDays, shippingRate, workingDays } from "../../content-schema/shipping.ts";
import { shop } from "../settings/shop.ts";
import type { Span } from "../words/grammar.ts";
import { words } from "../words/words.ts";
import { describePrice } from "./display-text.ts";

/** The price and time of delivering one piece, in short; undefined if store.yaml has no `shipping`. */
export function describeDelivery(variants: readonly Variant[]): string | undefined {
  const { shipping } = shop;
  if (shipping === undefined) return undefined;
  const rates = shipping.zones.flatMap((zone) => variants.map(({ price }) => shippingRate(zone, price)));
  const [lowest = "", ...others] = rates.sort(compareAmounts);
  const highest = others.at(-1) ?? lowest;
  const spans = shipping.zones.map((zone) => deliveryDays(shipping, zone));
  const days = { min: Math.min(...spans.map(({ min }) => min)), max: Math.max(...spans.map(({ max }) => max)) };
  if (lowest === highest) return words.delivery.always(describeRate(lowest), days);
  return isFree(lowest)
    ? words.delivery.freeOrUpTo(describePrice(highest), days)
    : words.delivery.between(describePrice(lowest), describePrice(highest), days);
}

/** Delivery to the first zone, for the home page; undefined if store.yaml has no `shipping`. */
export function describeFirstDelivery(): string | undefined {
  const { shipping } = shop;
  const zone = shipping?.zones[0];
  if (shipping === undefined || zone === undefined) return undefined;
  const { countries, price, free_from } = zone;
  const [where, rate, days] = [describeCountries(countries), describeRate(price), deliveryDays(shipping, zone)];
  return free_from === undefined
    ? words.delivery.first(where, rate, days)
    : words.delivery.firstFreeOver(where, rate, days, describePrice(free_from));
}

/** When products in stock are dispatched. */
export function describeHandling({ min, max }: Span): string {
  if (max === 0) return words.delivery.leavesSameDay;
  return min === 0 ? words.delivery.leavesWithin({ min: max, max }) : words.delivery.leavesIn({ min, max });
}

/** Which days are working days, by name. */
export function describeWorkingDays(): string {
  const { format } = new Intl.DateTimeFormat(shop.locale, { weekday: "long", timeZone: "UTC" });
  // 1 January 2024 was a Monday.
  const nameOf = (day: number) => format(Date.UTC(2024, 0, 1 + day));
  return words.delivery.workingDays(nameOf(0), nameOf(workingDays.length - 1));
}

/** The return period and who pays return postage, in short; undefined if store.yaml has no `returns`. */
export function describeReturns(): string | undefined {
  const { returns } = shop;
  return returns && words.returns[returns.paid_by === "shop" ? "shopPays" : "customerPays"](returns.days);
}

const isFree = (amount: string) => !/[1-9]/.test(amount);

/** A delivery price as shown: `€7.50`, or `free`. */
export const describeRate = (amount: string): string => (isFree(amount) ? words.delivery.free : describePrice(amount));

const regions = new Intl.DisplayNames(shop.locale, { type: "region" });
const collator = new Intl.Collator(shop.locale);
const enumeration = new Intl.ListFormat(shop.locale);

/** The sorted names of countries in the shop's language: `Belgium and Netherlands`. */
export const describeCountries = (codes: readonly string[]): string =>
  enumeration.format(codes.map((code) => regions.of(code) ?? code).sort(collator.compare));
