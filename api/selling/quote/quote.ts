import type { ShopFacts } from "../../contract/built-files/store.ts";
import { currencyDigits, payableDigits } from "../../contract/currencies.ts";
import { deliveryPrice, type Parcel, PICKUP } from "../../contract/delivery-methods.ts";
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
import { workingDays } from "../../contract/working-days.ts";
import type { Variant } from "../catalogue/variants.ts";
import { allocate, roundMoney, sum } from "../orders/money.ts";
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
  tax: Tax;
  net_total: string;
  tax_total: string;
  total: string;
}

/** How goods can reach the customer, and what that costs. */
export interface Way {
  /** PICKUP where the customer collects them. */
  code: string;
  title: string;
  /** With tax where `prices_include_tax`. */
  price: string;
  net: string;
  total: string;
  /** Working days from payment to arrival, or until they can be collected, for what is in stock. */
  days: { min: number; max: number };
}

/** What an order would cost, to the last digit; amounts are decimal strings with the currency's digits. */
export interface Quote {
  treatment: TaxTreatment;
  currency: string;
  prices_include_tax: boolean;
  lines: QuotedLine[];
  /** All lines together, with tax where `prices_include_tax`. */
  goods: string;
  shipping: Way;
  /** All that the goods can be had by, in the shop's order, with what is in `shipping`. */
  ways: Way[];
  tax_lines: (Tax & { amount: string; taxable: string })[];
  totals: Omit<Order["totals"], "refunded" | "due">;
  all_in_stock: boolean;
  /** The part of a NewOrder that follows from the quote. */
  order: Pick<NewOrder, "currency" | "prices_include_tax" | "lines" | "shipping_lines" | "discounts"> & {
    tax_treatment: TaxTreatment;
  };
}

/**
 * The day, as YYYY-MM-DD, that is so many of the shop's working days after today in UTC. What is paid at a weekend is dealt with
 * from the next working day on.
 */
export function workingDayAfter({ tax: { home } }: Pick<ShopFacts, "tax">, count: number, today = new Date()): string {
  const day = new Date(today);
  const days = workingDays(home);
  const isWorkingDay = () => days.includes(day.getUTCDay());
  const next = () => day.setUTCDate(day.getUTCDate() + 1);
  while (!isWorkingDay()) next();
  for (let left = count; left > 0; left -= isWorkingDay() ? 1 : 0) next();
  return day.toISOString().slice(0, 10);
}

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

type Wanted = readonly { variant: Variant; quantity: number }[];

/** Where customers collect goods, as they are taxed there: nobody's VAT number changes that. */
function collectedAt({ country_code: country, postal_code }: Pickup): Destination {
  return { country, postal_code: placeOf(country, postal_code) === undefined ? null : postal_code, vat_check: null };
}

type Pickup = NonNullable<NonNullable<ShopFacts["shipping"]>["pickup"]>;

/** Prices of a shop at a destination; those of goods of a class change from its home rate to the one there. */
function pricesAt(shop: ShopFacts, to: Destination) {
  const payable = payableDigits(shop.currency);
  const known = new Map<string | null, Terms>();
  const termsOf = (taxClass: string | null): Terms => {
    const terms = known.get(taxClass) ?? makeTerms(taxClass);
    known.set(taxClass, terms);
    return terms;
  };
  const makeTerms = (taxClass: string | null) => {
    const { tax } = taxAt(shop, to, taxClass);
    return { tax, from: parseRate(homeRate(shop.tax, taxClass)), rate: parseRate(tax.rate) };
  };
  const convert = (price: bigint, { from, rate }: Terms) =>
    formatMoney(
      shop.prices_include_tax ? replaceRate(price, from, rate, payable) : roundMoney(price, payable),
      currencyDigits(shop.currency),
    );
  return {
    treatment: taxAt(shop, to).treatment,
    priceLines: (lines: Wanted) =>
      lines.map(({ variant, quantity }) => {
        const terms = termsOf(variant.tax_class);
        return { variant, quantity, unit_price: convert(parseMoney(variant.price), terms), taxes: [terms.tax] };
      }),
    /** A price of delivery, spread over the classes of the goods by their value. */
    priceParts(price: string, lines: Wanted) {
      const values = valuesByClass(lines);
      const amount = parseMoney(price);
      const shares =
        values.length === 1
          ? [amount]
          : allocate(
              roundMoney(amount, payable),
              values.map(({ value }) => value),
              payable,
            );
      return values.map(({ taxClass }, at) => {
        const terms = termsOf(taxClass);
        return { price: convert(shares[at] ?? 0n, terms), taxes: [terms.tax] };
      });
    },
  };
}

interface Terms {
  tax: Tax;
  /** The rate in prices at home, and the one there. */
  from: bigint;
  rate: bigint;
}

const homeValue = (lines: Wanted): bigint =>
  sum(lines.map(({ variant, quantity }) => parseMoney(variant.price) * BigInt(quantity)));

/** The home value of the goods of each class, in an order that doesn't depend on that of the lines. */
const valuesByClass = (lines: Wanted) =>
  [...Map.groupBy(lines, ({ variant }) => variant.tax_class)]
    .map(([taxClass, ofClass]) => ({ taxClass, value: homeValue(ofClass) }))
    .sort(({ taxClass: a }, { taxClass: b }) => ((a ?? "") < (b ?? "") ? -1 : 1));

/** What a method's price depends on. A weight that isn't known of one piece isn't known of all. */
const parcelOf = (lines: Wanted): Parcel => ({
  weight_g: lines.every(({ variant }) => variant.weight_g !== null)
    ? lines.reduce((all, { variant, quantity }) => all + (variant.weight_g ?? 0) * quantity, 0)
    : null,
  value: formatMoney(homeValue(lines), 4),
  pieces: lines.reduce((all, { quantity }) => all + quantity, 0),
});

type PricedWay = Way & { parts: NewOrder["shipping_lines"][number]["parts"] };

/** How goods can be had, in the shop's order, collection last: `to` is null where no address is known. */
export const findWays = (shop: ShopFacts, lines: Wanted, to: Destination | null): Way[] =>
  priceWays(shop, lines, to).map(toWay);

function priceWays(shop: ShopFacts, lines: Wanted, to: Destination | null): PricedWay[] {
  const { shipping } = shop;
  if (!shipping) return [];
  const { handling_days, pickup } = shipping;
  const parcel = parcelOf(lines);
  const methods = (to && deliveryZone(shop, to)?.methods) ?? [];
  const there = to && methods.length > 0 ? pricesAt(shop, to) : undefined;
  const delivered = methods.flatMap((method) => {
    const price = deliveryPrice(method, parcel);
    if (price === undefined || !there) return [];
    const { transit_days } = method;
    const days = { min: handling_days.min + transit_days.min, max: handling_days.max + transit_days.max };
    return priceWay(shop, { code: method.code, title: method.name, days }, there.priceParts(price, lines));
  });
  if (!pickup) return delivered;
  const parts = pricesAt(shop, collectedAt(pickup)).priceParts("0", lines);
  return [...delivered, priceWay(shop, { code: PICKUP, title: pickup.name, days: handling_days }, parts)];
}

function priceWay(
  { currency, prices_include_tax }: ShopFacts,
  way: Pick<Way, "code" | "title" | "days">,
  parts: PricedWay["parts"],
): PricedWay {
  const line = { parts };
  const { digits, totals } = priceBasket({
    currency,
    prices_include_tax,
    lines: [],
    shipping_lines: [line],
    discounts: [],
  });
  const [net, total] = [formatMoney(totals.shipping_net, digits), formatMoney(totals.total, digits)];
  return { ...way, price: prices_include_tax ? total : net, net, total, parts };
}

/** The chosen way if it's there, or else the cheapest delivery. Nobody is sent to collect what they didn't choose to. */
function pickWay<T extends Way>(ways: readonly T[], chosen: string | null): T | undefined {
  const [first, ...others] = ways.filter(({ code }) => code !== PICKUP);
  const isCheaper = (a: Way, b: Way) => parseMoney(a.total) < parseMoney(b.total);
  const cheapest = first && others.reduce((best, way) => (isCheaper(way, best) ? way : best), first);
  return ways.find(({ code }) => code === chosen) ?? cheapest;
}

/**
 * Whether the goods can be had in the chosen way or, if none was chosen or it isn't there, by any delivery: they may be
 * heavier, or more, than any takes.
 */
export const canDeliver = (shop: ShopFacts, lines: Wanted, to: Destination | null, chosen: string | null): boolean =>
  pickWay(priceWays(shop, lines, to), chosen) !== undefined;

/** What goods cost without their delivery. Throws RangeError for a place whose tax isn't known. */
export const quoteGoods = (
  shop: ShopFacts,
  lines: Wanted,
  to: Destination,
  chosen: string | null = null,
): QuotedLine[] => toQuoted(priceLinesOnly(shop, pricesAt(shop, placeOfTax(shop, chosen, to)).priceLines(lines)));

/** Where goods are taxed that are had in a way. */
const placeOfTax = <To extends Destination | null>({ shipping }: ShopFacts, way: string | null, to: To) =>
  way === PICKUP && shipping?.pickup ? collectedAt(shipping.pickup) : to;

const priceLinesOnly = ({ currency, prices_include_tax }: ShopFacts, lines: PricedVariant[]) =>
  priceBasket({ currency, prices_include_tax, lines, shipping_lines: [], discounts: [] });

type PricedVariant = ReturnType<ReturnType<typeof pricesAt>["priceLines"]>[number];

function toQuoted({ digits, lines }: Pick<ReturnType<typeof priceLinesOnly>, "digits" | "lines">): QuotedLine[] {
  const show = (amount: bigint) => formatMoney(amount, digits);
  return lines.map(({ variant, quantity, unit_price, taxes: [tax], net, tax: taxTotal, total }) => {
    if (tax === undefined) throw new Error(`${variant.sku} has no tax.`);
    return {
      ...{ variant, quantity, unit_price, tax },
      ...{ net_total: show(net), tax_total: show(taxTotal), total: show(total) },
    };
  });
}

/**
 * Prices a basket for a place of delivery, null where none is known, and the way that was chosen, by the same arithmetic
 * as the order that follows. Where prices include tax, each unit price and the delivery price change from the home
 * country's tax to that of the destination, rounded once; otherwise the tax is added. The price of delivery depends on
 * the prices at home, so that a tax doesn't decide it. Where no way was chosen, or it isn't there, it is the cheapest
 * delivery. Throws RangeError without lines, for a variant that can't be ordered, for a place that the shop doesn't
 * deliver to and where no way takes the goods (canDeliver).
 */
export function quote(shop: ShopFacts, lines: Wanted, to: Destination | null, chosen: string | null = null): Quote {
  const { currency, prices_include_tax } = shop;
  if (lines.length === 0) throw new RangeError("There is nothing to price.");
  const unorderable = lines.find(({ variant }) => !isOrderable(variant));
  if (unorderable) throw new RangeError(`${unorderable.variant.sku} can't be ordered.`);
  const ways = priceWays(shop, lines, to);
  const way = pickWay(ways, chosen);
  const at = way && placeOfTax(shop, way.code, to);
  if (!way || !at)
    throw new RangeError(
      to && !deliveryZone(shop, to) ? `The shop doesn't deliver to ${to.country}.` : "No delivery takes these goods.",
    );
  const there = pricesAt(shop, at);
  const { code, title, parts } = way;
  const basket = {
    ...{ currency, prices_include_tax },
    lines: there.priceLines(lines),
    shipping_lines: [{ code, title, parts }] as const,
    discounts: [],
  };
  const priced = priceBasket(basket);
  const show = (amount: bigint) => formatMoney(amount, priced.digits);
  const { items_net, items_tax, shipping_net, shipping_tax, discount, tax, total } = priced.totals;
  return {
    ...{ treatment: there.treatment, currency, prices_include_tax },
    lines: toQuoted(priced),
    goods: show(prices_include_tax ? items_net + items_tax : items_net),
    shipping: toWay(way),
    ways: ways.map(toWay),
    tax_lines: priced.tax_lines.map((line) => ({ ...line, amount: show(line.amount), taxable: show(line.taxable) })),
    totals: {
      items_net: show(items_net),
      items_tax: show(items_tax),
      shipping_net: show(shipping_net),
      shipping_tax: show(shipping_tax),
      discount: show(discount),
      tax: show(tax),
      total: show(total),
    },
    all_in_stock: lines.every(({ variant }) => variant.availability === "in_stock"),
    order: {
      ...basket,
      lines: basket.lines.map(({ variant, ...line }) => {
        const { product_id, sku, gtin } = variant;
        const may_go_short = variant.availability !== "in_stock";
        return { product_id, sku, gtin, name: nameOf(sku, variant), ...line, may_go_short };
      }),
      tax_treatment: there.treatment,
    },
  };
}

const toWay = ({ code, title, price, net, total, days }: Way): Way => ({ code, title, price, net, total, days });

/** The product, and the version where its title says more; the SKU of what the catalogue doesn't know. */
export function nameOf(sku: string, variant: Variant | undefined): string {
  if (variant === undefined) return sku;
  const { product_title, title } = variant;
  return title === product_title ? product_title : `${product_title}, ${title}`;
}
