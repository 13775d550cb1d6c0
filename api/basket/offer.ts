import type { Variant } from "../catalogue/variants.ts";
import { currencyDigits, formatMoney, parseMoney, sum } from "../orders/money.ts";
import {
  deliveryCountries,
  deliveryCountriesByName,
  isOrderable,
  type Quote,
  type QuotedLine,
  quote,
} from "../quote/quote.ts";
import { type ShopFacts, sellsOnline } from "../shop/facts.ts";
import type { Item } from "./items.ts";
import type { Delivery, Fault, OfferedLine } from "./views.ts";

/** A version as a page shows it, with its place in the catalogue. */
export type PricedItem<T extends Item> = T & { offered: OfferedLine };

/**
 * Prices what a page shows for a country of delivery, or for the shop's own where it doesn't deliver to that one. What
 * can't be ordered has no price and isn't in the totals.
 */
export function priceItems<T extends Item & { variant: Variant | undefined }>(
  shop: ShopFacts,
  items: readonly T[],
  country: string | undefined,
): { items: PricedItem<T>[]; delivery: Delivery } {
  const countries = deliveryCountries(shop);
  const chosen =
    [country, shop.tax.home].find((code) => code !== undefined && countries.includes(code)) ?? countries[0];
  const sells_online = sellsOnline(shop);
  const orderable = items.flatMap(({ variant, quantity }) =>
    sells_online && variant && isOrderable(variant) ? [{ variant, quantity }] : [],
  );
  const quoted = chosen !== undefined && orderable.length > 0 ? quoteFor(shop, orderable, chosen) : undefined;
  const lines = new Map(quoted?.lines.map((line) => [line.variant.sku, line]));
  return {
    items: items.map((item) => ({ ...item, offered: describe(item, shop, lines.get(item.sku)) })),
    delivery: {
      totals: quoted ? describeTotals(quoted) : null,
      country: chosen ?? "",
      countries: deliveryCountriesByName(shop),
      sells_online,
      sales_email: shop.sales_email,
    },
  };
}

/** Why a version can't be ordered, or undefined. */
export function faultOf(sku: string, variant: Variant | undefined): Fault | undefined {
  if (variant && isOrderable(variant)) return undefined;
  const reason = variant === undefined ? "unknown" : variant.availability === "archived" ? "archived" : "out_of_stock";
  return { reason, name: nameOf(sku, variant), field: null };
}

/** A product and its version, or a SKU that the catalogue doesn't know. */
export const nameOf = (sku: string, variant: Variant | undefined) =>
  variant === undefined || variant.title === variant.product_title
    ? (variant?.product_title ?? sku)
    : `${variant.product_title}, ${variant.title}`;

/** The price of one piece of `variant` in a country, had its price in content/ been `price`. */
export const priceAt = (shop: ShopFacts, variant: Variant, price: string, country: string): string | undefined =>
  quoteFor(shop, [{ variant: { ...variant, price }, quantity: 1 }], country).lines[0]?.unit_price;

const quoteFor = (shop: ShopFacts, lines: Parameters<typeof quote>[1], country: string) =>
  quote(shop, lines, { country, postal_code: null, vat_check: null });

function describe(
  { sku, quantity, variant }: Item & { variant: Variant | undefined },
  { prices_include_tax }: ShopFacts,
  line: QuotedLine | undefined,
): OfferedLine {
  const name = variant?.product_title ?? sku;
  return {
    sku,
    name,
    version: variant && variant.title !== name ? variant.title : null,
    path: variant && variant.availability !== "archived" ? variant.path : null,
    picture: variant?.picture ?? null,
    availability: variant?.availability ?? "archived",
    available_from: variant?.available_from ?? null,
    can_order: line !== undefined,
    quantity: String(quantity),
    price: line?.unit_price ?? null,
    total: line ? (prices_include_tax ? line.total : line.net_total) : null,
  };
}

function describeTotals(quoted: Quote): Delivery["totals"] {
  const { currency, prices_include_tax, lines, shipping, tax_lines, totals, transit_days } = quoted;
  const gross = sum(lines.map(({ total }) => parseMoney(total)));
  return {
    goods: prices_include_tax ? formatMoney(gross, currencyDigits(currency)) : totals.items_net,
    shipping: prices_include_tax ? shipping.total : totals.shipping_net,
    shipping_is_free: parseMoney(shipping.total) === 0n,
    tax_lines: tax_lines.map(({ title, rate, amount }) => ({ title, amount, is_exempt: !/[1-9]/.test(rate) })),
    prices_include_tax,
    total: totals.total,
    transit_min: transit_days.min,
    transit_max: transit_days.max,
  };
}
