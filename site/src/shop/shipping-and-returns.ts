import { deliveryPrice, type Measure } from "../../../api/contract/delivery-methods.ts";
import { townLines } from "../../../api/contract/postal-address.ts";
import { addressCountry, findZone, placeCode, servedParts, unservedParts } from "../../../api/contract/territories.ts";
import { workingDays } from "../../../api/contract/working-days.ts";
import { compareAmounts } from "../../content-schema/money.ts";
import type { Variant } from "../../content-schema/product.ts";
import {
  deliveryDays,
  leastParcel,
  methodsOf,
  type ShopMethod,
  shippingPlaces,
} from "../../content-schema/shipping.ts";
import { shop } from "../settings/shop.ts";
import { isolate } from "../words/isolate.ts";
import { placeNames, words } from "../words/words.ts";
import { describePrice } from "./display-text.ts";
import { priceWithTax } from "./tax.ts";

const zones = (shop.shipping?.zones ?? []).map((zone) => ({ ...zone, methods: methodsOf(zone) }));

/** Whether customers choose how something is delivered. */
export const hasMethods = shop.shipping?.zones.some(({ methods }) => methods !== undefined) ?? false;

/**
 * The price and time of delivering one piece, or as many as have to be ordered, in short, and where it can be collected;
 * undefined if store.yaml has no `shipping`, or no price for it.
 */
export function describeDelivery(variants: readonly Variant[]): string | undefined {
  const { shipping } = shop;
  if (shipping === undefined) return undefined;
  const ways = zones
    .flatMap(({ methods }) => methods)
    .flatMap((method) =>
      variants.flatMap((variant) => {
        const price = deliveryPrice(method, leastParcel(variant));
        return price === undefined ? [] : { price, days: deliveryDays(shipping, method) };
      }),
    );
  const { pickup } = shipping;
  const [lowest, ...others] = ways.map(({ price }) => price).sort(compareAmounts);
  if (lowest === undefined) return pickup && words.delivery.collectOnly({ city: isolate(pickup.city) });
  const highest = others.at(-1) ?? lowest;
  const spans = ways.map(({ days }) => days);
  const days = { min: Math.min(...spans.map(({ min }) => min)), max: Math.max(...spans.map(({ max }) => max)) };
  const delivery = describeRange(lowest, highest, describeDays(days));
  return pickup ? words.delivery.orCollect({ delivery, city: isolate(pickup.city) }) : delivery;
}

function describeRange(lowest: string, highest: string, days: string): string {
  const { always, between, betweenMethods, freeOrUpTo, freeOrUpToByMethod } = words.delivery;
  if (lowest === highest) return always({ price: describeRate(lowest), days });
  const most = { highest: describePrice(highest), days };
  return isFree(lowest)
    ? (hasMethods ? freeOrUpToByMethod : freeOrUpTo)(most)
    : (hasMethods ? betweenMethods : between)({ lowest: describePrice(lowest), ...most });
}

/** The cheapest delivery to the first zone, for the home page; undefined if store.yaml has no `shipping`. */
export function describeFirstDelivery(): string | undefined {
  const { shipping } = shop;
  const [zone] = zones;
  if (shipping === undefined || zone === undefined) return undefined;
  const prices = zone.methods.flatMap((method) => method.tiers.map(({ price }) => ({ price, method })));
  const [cheapest, ...others] = prices.sort((a, b) => compareAmounts(a.price, b.price));
  if (cheapest === undefined) return undefined;
  const { price: lowest, method } = cheapest;
  const isFrom = others.some(({ price }) => price !== lowest);
  const price = isFrom && !isFree(lowest) ? words.price.from({ price: describePrice(lowest) }) : describeRate(lowest);
  const inDays = describeInDays(deliveryDays(shipping, method));
  const values = { countries: isolate(describeCountries(zone.countries)), price: isolate(price), inDays };
  return method.free_from === null
    ? words.delivery.first(values)
    : words.delivery.firstFreeOver({ ...values, value: isolate(describePrice(method.free_from)) });
}

/**
 * What delivering one piece at home, or as many as have to be ordered, costs by each method of a zone that has several, with
 * the tax of the goods.
 */
export function deliveryAtHome(variant: Variant): { service: string; price: string }[] {
  const zone = findZone(shop.shipping?.zones ?? [], shop.tax.home);
  if (zone?.methods === undefined) return [];
  return methodsOf(zone).flatMap((method) => {
    const price = deliveryPrice(method, leastParcel(variant));
    return price === undefined
      ? []
      : { service: method.name, price: priceWithTax({ price, tax_class: variant.tax_class }, shop) };
  });
}

/** A method's name. A zone with one price has none of its own. */
export const nameMethod = (zone: { methods?: unknown }, { name }: { name: string }): string =>
  zone.methods === undefined ? words.delivery.standard : name;

/** The price of a method: `€7.50`, or each tier's, `up to 2 kg: €7.50; over 2 kg: €12.50`. */
export function describeTiers({ by, tiers }: ShopMethod): string {
  const texts = tiers.map(({ up_to, price }, index) => {
    const [from, to] = [tiers[index - 1]?.up_to ?? null, up_to].map(
      (limit) => limit && isolate(describeMeasure(by, limit)),
    );
    const rate = isolate(describeRate(price));
    if (from && to) return words.delivery.tierBetween({ from, to, price: rate });
    if (to) return words.delivery.tierUpTo({ to, price: rate });
    return from ? words.delivery.tierOver({ from, price: rate }) : rate;
  });
  return texts.join("; ");
}

/** `2 kg`, `850 g`, `€100.00` or `5 pieces`. */
function describeMeasure(by: Measure, limit: string): string {
  if (by === "value") return describePrice(limit);
  return by === "weight" ? describeWeight(Number(limit)) : words.delivery.pieces({ count: Number(limit) });
}

/** A weight as shown, on one line: `850 g`, `2.5 kg`. */
function describeWeight(grams: number): string {
  const text = grams < 1000 ? weightIn("gram").format(grams) : weightIn("kilogram").format(grams / 1000);
  return text.replaceAll(" ", "\u00a0");
}

const weightIn = (unit: "gram" | "kilogram") =>
  new Intl.NumberFormat(shop.locale, { style: "unit", unit, maximumFractionDigits: 3 });

/** Where customers can collect what they have ordered, and when; undefined if nowhere. */
export function describePickup(): string | undefined {
  const pickup = shop.shipping?.pickup;
  if (pickup === undefined) return undefined;
  const { name, street, hours, country_code } = pickup;
  const address = isolate([street, ...townLines(pickup), describeCountries([country_code])].join(", "));
  const place = { name: isolate(name), address };
  const { collectAt, collectAtWithin } = words.delivery;
  return hours === undefined ? collectAt(place) : collectAtWithin({ ...place, hours: isolate(hours) });
}

interface Span {
  min: number;
  max: number;
}

/** Working days: `3 working days`, `1 to 3 working days`, `up to 3 working days`. */
export function describeDays({ min, max }: Span): string {
  const { days, daysBetween, daysUpTo } = words.delivery;
  if (min === max) return days({ count: max });
  return min === 0 ? daysUpTo({ count: max }) : daysBetween({ min, max });
}

function describeInDays({ min, max }: Span): string {
  const { inDays, inDaysBetween, withinDays } = words.delivery;
  if (min === max) return inDays({ count: max });
  return min === 0 ? withinDays({ count: max }) : inDaysBetween({ min, max });
}

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
  // 7 January 2024 was a Sunday.
  const nameOf = (day = 0) => isolate(format(Date.UTC(2024, 0, 7 + day)));
  const days = workingDays(shop.tax.home);
  return words.delivery.workingDays({ first: nameOf(days[0]), last: nameOf(days.at(-1)) });
}

/** The return period and who pays return postage, in short; undefined if store.yaml has no `returns`. */
export function describeReturns(): string | undefined {
  const { returns } = shop;
  return returns && words.returns[returns.paid_by === "shop" ? "shopPays" : "customerPays"]({ count: returns.days });
}

const isFree = (amount: string) => !/[1-9]/.test(amount);

/** A delivery price as shown: `€7.50`, or `free`. */
const describeRate = (amount: string): string => (isFree(amount) ? words.delivery.free : describePrice(amount));

const regions = new Intl.DisplayNames(shop.locale, { type: "region" });
const collator = new Intl.Collator(shop.locale);
const enumeration = new Intl.ListFormat(shop.locale);

/** The sorted names of countries and territories in the shop's language: `Belgium and Netherlands`. */
export const describeCountries = (codes: readonly string[]): string =>
  enumeration.format(codes.map(nameOfPlace).sort(collator.compare));

const nameOfPlace = (code: string) => placeNames[placeCode(code)] ?? regions.of(placeCode(code)) ?? code;

/** What the zones' countries don't say: territories that aren't delivered to with them, and those that are without them. */
export function describeUnserved(): string[] {
  const countries = [...new Set(shippingPlaces({ zones: shop.shipping?.zones ?? [] }).map(addressCountry))];
  const unserved = describeCountries(countries.flatMap((country) => unservedParts(zones, country)));
  const only = countries.flatMap((country) => {
    const parts = servedParts(zones, country);
    if (parts.length === 0) return [];
    return words.delivery.onlyTo({ country: isolate(nameOfPlace(country)), places: isolate(describeCountries(parts)) });
  });
  return [...(unserved === "" ? [] : [words.delivery.notTo({ places: isolate(unserved) })]), ...only];
}
