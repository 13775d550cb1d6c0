import { payableDigits } from "../../../api/contract/currencies.ts";
import { freeOf } from "../../../api/contract/delivery-methods.ts";
import { formatMoney, parseMoney, stepOf } from "../../../api/contract/money.ts";
import { addressCountry, placeCode } from "../../../api/contract/territories.ts";
import { workingDays } from "../../../api/contract/working-days.ts";
import { compareAmounts } from "../../content-schema/money.ts";
import { methodsOf, type ShopMethod } from "../../content-schema/shipping.ts";
import { shop } from "../settings/shop.ts";
import { hasMethods, nameMethod } from "../shop/shipping-and-returns.ts";
import { priceWithTax } from "../shop/tax.ts";

/**
 * `shipping` of store.yaml as the shop's ShippingService, or where customers choose one for each method and for collecting: the
 * price, including tax, and time of delivering an order, by its country, value, weight and pieces; undefined if it isn't there.
 * Territories without a country code of their own are left out, since search engines would take their price for the country's.
 *
 * @see https://developers.google.com/search/docs/appearance/structured-data/shipping-policy
 */
export function shippingService() {
  const { shipping } = shop;
  if (shipping === undefined) return undefined;
  const handlingTime = period(shipping.handling_days);
  const ways = shipping.zones.flatMap((zone) => methodsOf(zone).map((method) => ({ zone, method })));
  const conditionsOf = (some: typeof ways) => some.flatMap(({ zone, method }) => conditions(method, zone.countries));
  const { pickup } = shipping;
  if (!hasMethods && pickup === undefined)
    return { "@type": "ShippingService", handlingTime, shippingConditions: conditionsOf(ways) };
  const delivered = [...Map.groupBy(ways, ({ method }) => method.code).values()].map((some) => ({
    "@type": "ShippingService",
    name: some.slice(0, 1).map(({ zone, method }) => nameMethod(zone, method))[0],
    fulfillmentType: "https://schema.org/FulfillmentTypeDelivery",
    handlingTime,
    shippingConditions: conditionsOf(some),
  }));
  const collected = pickup && {
    "@type": "ShippingService",
    name: pickup.name,
    fulfillmentType: "https://schema.org/FulfillmentTypePickupInStore",
    handlingTime,
    shippingConditions: [
      { "@type": "ShippingConditions", ...destination([pickup.country_code]), ...rate(formatMoney(0n, digits)) },
    ],
  };
  return collected ? [...delivered, collected] : delivered;
}

/** What delivering to some places by a method costs: a part of all orders each, and no order is in two. */
function conditions({ by, tiers, free_from, transit_days }: ShopMethod, places: readonly string[]): object[] {
  const countries = places.map(placeCode).filter((code) => addressCountry(code) === code);
  if (countries.length === 0) return [];
  const condition = (limits: object, price: string) => ({
    "@type": "ShippingConditions",
    ...destination(countries),
    ...limits,
    ...rate(price),
    transitTime: period(transit_days),
  });
  const free = free_from === null ? undefined : withTax(free_from);
  const paid = tiers.flatMap(({ up_to, price }, index) => {
    const above = tiers[index - 1]?.up_to ?? undefined;
    if (by !== "value")
      return condition({ ...orderValue(undefined, free && justBelow(free)), ...sizes[by](above, up_to) }, price);
    const least = above && justAbove(withTax(above));
    if (free !== undefined && least !== undefined && compareAmounts(least, free) >= 0) return [];
    const most = up_to === null ? undefined : withTax(up_to);
    const isCut = free !== undefined && (most === undefined || compareAmounts(most, free) >= 0);
    return condition(orderValue(least, isCut ? justBelow(free) : most), price);
  });
  const [{ price } = { price: "0" }] = tiers;
  const last = tiers.at(-1)?.up_to ?? null;
  if (free === undefined) return paid;
  const upTo = last === null ? undefined : withTax(last);
  // Nothing as dear is carried.
  if (by === "value" && upTo !== undefined && compareAmounts(upTo, free) < 0) return paid;
  const limits =
    by === "value" ? orderValue(free, upTo) : { ...orderValue(free, undefined), ...sizes[by](undefined, last) };
  return [...paid, condition(limits, freeOf(price))];
}

const destination = (countries: readonly string[]) => ({
  shippingDestination: countries.map((code) => ({ "@type": "DefinedRegion", addressCountry: code })),
});

const rate = (price: string) => ({ shippingRate: { ...money, value: withTax(price) } });

/** Amounts of delivery and of goods have the usual tax at home. */
const withTax = (price: string) => priceWithTax({ price, tax_class: null }, shop);

/** The values of orders from `least` to `most`, inclusive; nothing for all. */
const orderValue = (least: string | undefined, most: string | undefined) =>
  least === undefined && most === undefined
    ? {}
    : {
        orderValue: {
          ...money,
          ...(least !== undefined && { minValue: least }),
          ...(most !== undefined && { maxValue: most }),
        },
      };

/** The weights or pieces above one limit and up to another, inclusive; nothing for all. */
const sizes = {
  weight: (above: string | undefined, upTo: string | null) => limited("weight", above, upTo, { unitCode: "GRM" }),
  pieces: (above: string | undefined, upTo: string | null) => limited("numItems", above, upTo, {}),
};

const limited = (name: string, above: string | undefined, upTo: string | null, unit: object) =>
  above === undefined && upTo === null
    ? {}
    : {
        [name]: {
          "@type": "QuantitativeValue",
          ...(above !== undefined && { minValue: Number(above) + 1 }),
          ...(upTo !== null && { maxValue: Number(upTo) }),
          ...unit,
        },
      };

const money = { "@type": "MonetaryAmount", currency: shop.currency };

const digits = payableDigits(shop.currency);

/** The next lower amount that can be paid. */
const justBelow = (amount: string) => formatMoney(parseMoney(amount) - stepOf(digits), digits);

/** The next higher amount that can be paid. */
const justAbove = (amount: string) => formatMoney(parseMoney(amount) + stepOf(digits), digits);

/** A span of working days. */
const period = ({ min, max }: { min: number; max: number }) => ({
  "@type": "ServicePeriod",
  duration: { "@type": "QuantitativeValue", minValue: min, maxValue: max, unitCode: "DAY" },
  businessDays: businessDays.map((day) => `https://schema.org/${day}`),
});

/** schema.org's names, which are the English ones. 7 January 2024 was a Sunday. */
const businessDays = workingDays(shop.tax.home).map((day) =>
  new Date(Date.UTC(2024, 0, 7 + day)).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" }),
);
