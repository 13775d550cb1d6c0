import { deliveryPrice } from "../../../api/contract/delivery-methods.ts";
import { addressCountry, placeCode, servedParts, unservedParts } from "../../../api/contract/territories.ts";
import { compareAmounts } from "../../content-schema/money.ts";
import type { Variant } from "../../content-schema/product.ts";
import { deliveryDays, methodsOf, shippingPlaces, workingDays } from "../../content-schema/shipping.ts";
import { shop } from "../settings/shop.ts";
import { placeNames, words } from "../words/words.ts";
import { describePrice } from "./display-text.ts";

/** The price and time of delivering one piece, in short; undefined if store.yaml has no `shipping`. */
export function describeDelivery(variants: readonly Variant[]): string | undefined {
  const { shipping } = shop;
  if (shipping === undefined) return undefined;
  const rates = shipping.zones
    .flatMap(methodsOf)
    .flatMap((method) =>
      variants.flatMap(({ price: value, weight_g }) => deliveryPrice(method, { weight_g, value, pieces: 1 }) ?? []),
    );
  const [lowest = "", ...others] = rates.sort(compareAmounts);
  const highest = others.at(-1) ?? lowest;
  const spans = shipping.zones.flatMap(methodsOf).map((method) => deliveryDays(shipping, method));
  const days = { min: Math.min(...spans.map(({ min }) => min)), max: Math.max(...spans.map(({ max }) => max)) };
  const time = { days: describeDays(days) };
  if (lowest === highest) return words.delivery.always({ price: describeRate(lowest), ...time });
  const most = { highest: describePrice(highest), ...time };
  return isFree(lowest)
    ? words.delivery.freeOrUpTo(most)
    : words.delivery.between({ lowest: describePrice(lowest), ...most });
}

/** Delivery to the first zone, for the home page; undefined if store.yaml has no `shipping`. */
export function describeFirstDelivery(): string | undefined {
  const { shipping } = shop;
  const zone = shipping?.zones[0];
  const method = zone && methodsOf(zone)[0];
  if (shipping === undefined || method === undefined) return undefined;
  const {
    tiers: [{ price } = { price: "0" }],
    free_from,
  } = method;
  const inDays = describeInDays(deliveryDays(shipping, method));
  const values = { countries: describeCountries(zone?.countries ?? []), price: describeRate(price), inDays };
  return free_from === null
    ? words.delivery.first(values)
    : words.delivery.firstFreeOver({ ...values, value: describePrice(free_from) });
}

interface Span {
  min: number;
  max: number;
}

/** Working days: `3 working days`, `1 to 3 working days`. */
export const describeDays = ({ min, max }: Span): string =>
  min === max ? words.delivery.days({ count: max }) : words.delivery.daysBetween({ min, max });

const describeInDays = ({ min, max }: Span) =>
  min === max ? words.delivery.inDays({ count: max }) : words.delivery.inDaysBetween({ min, max });

/** When products in stock are dispatched. */
export function describeHandling({ min, max }: Span): string {
  if (max === 0) return words.delivery.leavesSameDay;
  return min === 0
    ? words.delivery.leavesWithin({ count: max })
    : words.delivery.leavesIn({ inDays: describeInDays({ min, max }) });
}

/** Which days are working days, by name. */
export function describeWorkingDays(): string {
  const { format } = new Intl.DateTimeFormat(shop.locale, { weekday: "long", timeZone: "UTC" });
  // 1 January 2024 was a Monday.
  const nameOf = (day: number) => format(Date.UTC(2024, 0, 1 + day));
  return words.delivery.workingDays({ first: nameOf(0), last: nameOf(workingDays.length - 1) });
}

/** The return period and who pays return postage, in short; undefined if store.yaml has no `returns`. */
export function describeReturns(): string | undefined {
  const { returns } = shop;
  return returns && words.returns[returns.paid_by === "shop" ? "shopPays" : "customerPays"]({ count: returns.days });
}

const isFree = (amount: string) => !/[1-9]/.test(amount);

/** A delivery price as shown: `€7.50`, or `free`. */
export const describeRate = (amount: string): string => (isFree(amount) ? words.delivery.free : describePrice(amount));

const regions = new Intl.DisplayNames(shop.locale, { type: "region" });
const collator = new Intl.Collator(shop.locale);
const enumeration = new Intl.ListFormat(shop.locale);

/** The sorted names of countries and territories in the shop's language: `Belgium and Netherlands`. */
export const describeCountries = (codes: readonly string[]): string =>
  enumeration.format(codes.map(nameOfPlace).sort(collator.compare));

const nameOfPlace = (code: string) => placeNames[placeCode(code)] ?? regions.of(placeCode(code)) ?? code;

/** What the zones' countries don't say: territories that aren't delivered to with them, and those that are without them. */
export function describeUnserved(): string[] {
  const zones = shop.shipping?.zones ?? [];
  const countries = [...new Set(shippingPlaces({ zones }).map(addressCountry))];
  const unserved = describeCountries(countries.flatMap((country) => unservedParts(zones, country)));
  const only = countries.flatMap((country) => {
    const parts = servedParts(zones, country);
    if (parts.length === 0) return [];
    return words.delivery.onlyTo({ country: nameOfPlace(country), places: describeCountries(parts) });
  });
  return [...(unserved === "" ? [] : [words.delivery.notTo({ places: unserved })]), ...only];
}
