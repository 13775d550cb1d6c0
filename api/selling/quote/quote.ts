import type { ShopFacts } from "../../contract/built-files/store.ts";
import { currencyDigits, payableDigits } from "../../contract/currencies.ts";
import { deliveryPrice } from "../../contract/delivery-methods.ts";
import { formatMoney, parseMoney, parseRate, replaceRate } from "../../contract/money.ts";
import {
  addressCountry,
  findZone,
  placeCode,
  placeOf,
  servedParts,
  TERRITORIES,
  unservedParts,
} from "../../contract/territories.ts";
import type { Variant } from "../catalogue/variants.ts";
import { roundMoney, sum } from "../orders/money.ts";
import type { NewOrder } from "../orders/place-order.ts";
import type { Order } from "../orders/schema.ts";
import { priceBasket, type Tax } from "../orders/totals-and-tax.ts";
import { type Destination, homeRate, isTaxedLike, type TaxTreatment, taxAt } from "./tax.ts";

/** A variant and how many pieces of it; amounts as Quote has them. */
export interface QuotedLine {
  variant: Variant;
  quantity: number;
  /** With tax where `prices_include_tax`. */
  unit_price: string;
  net_total: string;
  tax_total: string;
  total: string;
}

/** What an order would cost, to the last digit; amounts are decimal strings with the currency's digits. */
export interface Quote {
  treatment: TaxTreatment;
  currency: string;
  prices_include_tax: boolean;
  /** On everything. */
  tax: Tax;
  lines: QuotedLine[];
  /** All lines together, with tax where `prices_include_tax`. */
  goods: string;
  /** `price` is with tax where `prices_include_tax`, `total` always. */
  shipping: { code: string; title: string; price: string; total: string };
  tax_lines: (Tax & { amount: string })[];
  totals: Omit<Order["totals"], "refunded" | "due">;
  /** Working days from payment to arrival, for what is in stock. */
  delivery_days: { min: number; max: number };
  all_in_stock: boolean;
  /** The part of a NewOrder that follows from the quote. */
  order: Pick<NewOrder, "currency" | "prices_include_tax" | "lines" | "shipping_lines" | "discounts"> & {
    tax_treatment: TaxTreatment;
  };
}

/**
 * The day, as YYYY-MM-DD, that is so many working days, Monday to Friday, after today in UTC. What is paid at a weekend
 * is dealt with from Monday on.
 */
export function workingDayAfter(workingDays: number, today = new Date()): string {
  const day = new Date(today);
  const isWorkingDay = () => day.getUTCDay() % 6 !== 0;
  const next = () => day.setUTCDate(day.getUTCDate() + 1);
  while (!isWorkingDay()) next();
  for (let left = workingDays; left > 0; left -= isWorkingDay() ? 1 : 0) next();
  return day.toISOString().slice(0, 10);
}

const STANDARD = { code: "standard", title: "Standard delivery" };

export const isOrderable = ({ availability }: Variant) =>
  availability !== "out_of_stock" && availability !== "archived";

/** The countries and territories that the shop's zones name, in their order; none if nothing can be ordered online. */
export const deliveryPlaces = ({ shipping }: ShopFacts): string[] =>
  shipping?.zones.flatMap(({ countries }) => countries.map(placeCode)) ?? [];

/** The countries that addresses of delivery have, as `deliveryPlaces`. */
export const deliveryCountries = (shop: ShopFacts): string[] => [...new Set(deliveryPlaces(shop).map(addressCountry))];

/** The zone of an address; undefined if the shop doesn't deliver there, or its postal code can't be read. */
export function deliveryZone({ shipping }: ShopFacts, { country, postal_code }: Omit<Destination, "vat_check">) {
  const place = placeOf(country, postal_code);
  return place === undefined ? undefined : findZone(shipping?.zones ?? [], place);
}

/** What the pages of a basket and a checkout say of where the shop delivers. */
interface Deliveries {
  /**
   * `deliveryPlaces` and `deliveryCountries` by their names in the shop's language; a territory after its country. The
   * places have those territories too that are delivered to with their country, but have another tax.
   */
  places: string[];
  countries: string[];
  /** Of each country of delivery, the territories that no zone reaches, if there are any. */
  unserved: Map<string, string[]>;
  /** Of each country of addresses that isn't delivered to itself, the territories that are. */
  only: Map<string, string[]>;
}

/** Making the names and their order takes as long as a quote, and each page of a basket needs them. */
export function describeDeliveries(shop: ShopFacts): Deliveries {
  const known = described.get(shop);
  if (known) return known;
  const names = new Intl.DisplayNames(shop.locale, { type: "region" });
  const { compare } = new Intl.Collator(shop.locale);
  const countryOf = (code: string) => names.of(addressCountry(code)) ?? code;
  const byName = (codes: string[]) => codes.sort((a, b) => compare(countryOf(a), countryOf(b)) || compare(a, b));
  const countries = byName(deliveryCountries(shop));
  const zones = shop.shipping?.zones ?? [];
  const partsBy = (partsOf: typeof unservedParts) =>
    new Map(
      countries.map((country) => [country, partsOf(zones, country)] as const).filter(([, parts]) => parts.length),
    );
  const named = deliveryPlaces(shop);
  const taxedApart = TERRITORIES.filter(
    ({ area, code, country }) =>
      area === "inside" && !named.includes(code) && named.includes(country) && !isTaxedLike(shop, code, country),
  ).map(({ code }) => code);
  const made = {
    places: byName([...named, ...taxedApart]),
    ...{ countries, unserved: partsBy(unservedParts), only: partsBy(servedParts) },
  };
  described.set(shop, made);
  return made;
}

const described = new WeakMap<ShopFacts, Deliveries>();

/**
 * Prices a basket for a country of delivery, by the same arithmetic as the order that follows. Where prices include
 * tax, each unit price and the delivery price change from the home country's tax to that of the destination, rounded
 * once; otherwise the tax is added. Delivery is free by the prices at home, so that a tax doesn't decide it. Throws
 * RangeError without lines, for a variant that can't be ordered and for a place that the shop doesn't deliver to.
 */
export function quote(
  shop: ShopFacts,
  lines: readonly { variant: Variant; quantity: number }[],
  to: Destination,
): Quote {
  const { currency, prices_include_tax } = shop;
  if (lines.length === 0) throw new RangeError("There is nothing to price.");
  const unorderable = lines.find(({ variant }) => !isOrderable(variant));
  if (unorderable) throw new RangeError(`${unorderable.variant.sku} can't be ordered.`);
  const { shipping } = shop;
  const zone = deliveryZone(shop, to);
  if (!shipping || !zone) throw new RangeError(`The shop doesn't deliver to ${to.country}.`);
  const [digits, payable] = [currencyDigits(currency), payableDigits(currency)];
  const { treatment, tax } = taxAt(shop, to);
  const [from, rate] = [parseRate(homeRate(shop.tax)), parseRate(tax.rate)];
  const priceThere = (price: bigint) =>
    formatMoney(prices_include_tax ? replaceRate(price, from, rate, payable) : roundMoney(price, payable), digits);
  const goods = sum(lines.map(({ variant, quantity }) => parseMoney(variant.price) * BigInt(quantity)));
  const method = zone.methods[0];
  const pieces = lines.reduce((all, { quantity }) => all + quantity, 0);
  const price = method && deliveryPrice(method, { weight_g: null, value: formatMoney(goods, 4), pieces });
  if (method === undefined || price === undefined) throw new RangeError(`The shop doesn't deliver to ${to.country}.`);
  const taxes = [tax];
  const basket = {
    currency,
    prices_include_tax,
    lines: lines.map(({ variant, quantity }) => {
      return { variant, quantity, unit_price: priceThere(parseMoney(variant.price)), taxes };
    }),
    shipping_lines: [{ ...STANDARD, price: priceThere(parseMoney(price)), taxes }] as const,
    discounts: [],
  };
  const priced = priceBasket(basket);
  const show = (amount: bigint) => formatMoney(amount, digits);
  const { items_net, items_tax, shipping_net, shipping_tax, discount, tax: allTax, total } = priced.totals;
  return {
    treatment,
    currency,
    prices_include_tax,
    tax,
    lines: priced.lines.map(({ variant, quantity, unit_price, net, tax, total }) => {
      return { variant, quantity, unit_price, net_total: show(net), tax_total: show(tax), total: show(total) };
    }),
    goods: show(prices_include_tax ? items_net + items_tax : items_net),
    shipping: { ...STANDARD, price: basket.shipping_lines[0].price, total: show(shipping_net + shipping_tax) },
    tax_lines: priced.tax_lines.map((line) => ({ ...line, amount: show(line.amount) })),
    totals: {
      items_net: show(items_net),
      items_tax: show(items_tax),
      shipping_net: show(shipping_net),
      shipping_tax: show(shipping_tax),
      discount: show(discount),
      tax: show(allTax),
      total: show(total),
    },
    delivery_days: {
      min: shipping.handling_days.min + method.transit_days.min,
      max: shipping.handling_days.max + method.transit_days.max,
    },
    all_in_stock: lines.every(({ variant }) => variant.availability === "in_stock"),
    order: {
      ...basket,
      lines: basket.lines.map(({ variant, ...line }) => {
        const { product_id, sku, gtin } = variant;
        const may_go_short = variant.availability !== "in_stock";
        return { product_id, sku, gtin, name: nameOf(sku, variant), ...line, may_go_short };
      }),
      tax_treatment: treatment,
    },
  };
}

/** The product, and the version where its title says more; the SKU of what the catalogue doesn't know. */
export function nameOf(sku: string, variant: Variant | undefined): string {
  if (variant === undefined) return sku;
  const { product_title, title } = variant;
  return title === product_title ? product_title : `${product_title}, ${title}`;
}
