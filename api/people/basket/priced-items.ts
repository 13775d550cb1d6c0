import type { ShopFacts } from "../../contract/built-files/store.ts";
import { PICKUP } from "../../contract/delivery-methods.ts";
import { parseMoney } from "../../contract/money.ts";
import { placeCode, territoryOf } from "../../contract/territories.ts";
import { sellsOnline } from "../../contract/ways-to-pay.ts";
import { boundsOf, forPieces, type Variant } from "../../selling/catalogue/variants.ts";
import {
  canDeliver,
  deliveryPlaces,
  deliveryZone,
  describeDeliveries,
  findWays,
  isOrderable,
  nameOf,
  type Quote,
  type QuotedLine,
  quote,
  quoteGoods,
  workingDayAfter,
} from "../../selling/quote/quote.ts";
import type { Destination } from "../../selling/quote/tax.ts";
import { includesTax, netOf, viewTaxLines } from "../../selling/quote/tax-line-view.ts";
import {
  isTaxedAt,
  type PriceView,
  perUnit,
  priceAtHome,
  pricePieces,
  viewPrice,
} from "../../selling/quote/unit-price.ts";
import { viewPickup, viewWay } from "../../selling/quote/way-view.ts";
import { type Fault, fault } from "../product/views.ts";
import type { Item } from "./items.ts";
import type { Delivery, OfferedVariant } from "./views.ts";

/** A version as a page shows it, with its place in the catalogue. */
export type PricedItem<T extends Item> = T & { offered: OfferedVariant };

/** What a page's address asks for. */
export interface Asked {
  /** A country or territory of delivery, in any case and by any of its codes. */
  country?: string | undefined;
  /** The code of a way of delivery. */
  method?: string | undefined;
}

/**
 * Prices what a page shows for the country or territory of delivery that its address asks for; for the shop's own if it
 * asks for none, or for one that the shop doesn't deliver to. What can't be ordered has no price and isn't in the totals.
 */
export function priceItems<T extends Item & { variant: Variant | undefined }>(
  shop: ShopFacts,
  wanted: readonly T[],
  { country = "", method = "" }: Asked,
): { items: PricedItem<T>[]; delivery: Delivery } {
  const items = wanted.map((item) => ({ ...item, variant: item.variant && forPieces(item.variant, item.quantity) }));
  const asked = placeCode(country.toUpperCase());
  const isServed = (code: string) => deliveryZone(shop, { country: code, postal_code: null }) !== undefined;
  const chosen = [asked, shop.tax.home].find(isServed) ?? deliveryPlaces(shop)[0];
  const deliveries = describeDeliveries(shop);
  const sells_online = sellsOnline(shop);
  const orderable = items.flatMap(({ variant, quantity }) =>
    sells_online && variant && isOrderable(variant) ? [{ variant, quantity }] : [],
  );
  const to = chosen !== undefined && orderable.length > 0 ? inCountry(chosen) : undefined;
  const isDelivered = to !== undefined && canDeliver(shop, orderable, to, method);
  const quoted = isDelivered ? quote(shop, orderable, to, method) : undefined;
  const quotedLines = quoted?.lines ?? (to ? quoteGoods(shop, orderable, to) : []);
  const lines = new Map(quotedLines.map((line) => [line.variant.sku, line]));
  const ways = quoted?.ways ?? (to ? findWays(shop, orderable, to) : []);
  const { code = "" } = quoted?.shipping ?? {};
  return {
    items: items.map((item) => ({ ...item, offered: describe(shop, item, lines.get(item.sku)) })),
    delivery: {
      totals: quoted ? { ...describeTotals(shop, quoted), has_rounded_net: hasRoundedNet(shop, quoted) } : null,
      method: code,
      method_choice: method === "" ? "default" : method === code ? "asked" : "refused",
      // One way is no choice.
      methods: ways.length > 1 || !quoted ? ways.map((way) => viewWay(shop, way)) : [],
      pickup: code === PICKUP ? viewPickup(shop) : null,
      is_undeliverable: to !== undefined && !quoted,
      country: chosen ?? "",
      country_choice: asked === "" ? "default" : asked === chosen ? "asked" : "refused",
      countries: chosen === undefined ? [] : withPlace(deliveries.places, chosen),
      sells_online,
      sales_email: shop.sales_email,
      unserved: (chosen !== undefined && deliveries.unserved.get(chosen)) || [],
    },
  };
}

/** The places to choose from with the one that is shown: a territory with its country's price isn't offered unasked. */
const withPlace = (places: readonly string[], shown: string): string[] =>
  places.includes(shown)
    ? [...places]
    : places.toSpliced(places.indexOf(territoryOf(shown)?.country ?? "") + 1, 0, shown);

/** Why a version can't be ordered, or undefined. */
export function faultOf(sku: string, variant: Variant | undefined): Fault | undefined {
  if (variant && isOrderable(variant)) return undefined;
  const reason = variant === undefined ? "unknown" : variant.availability === "archived" ? "archived" : "out_of_stock";
  return fault(reason, nameOf(sku, variant));
}

/**
 * The price of one piece of `variant` in a country, or where it is collected, had its price in content/ been `price`.
 */
export function priceAt(
  shop: ShopFacts,
  variant: Variant,
  price: string,
  { country, method }: Pick<Delivery, "country" | "method">,
): PriceView | undefined {
  const lines = quoteGoods(shop, [{ variant: { ...variant, price }, quantity: 1 }], inCountry(country), method);
  const [line] = lines;
  return line && pricePieces(shop, lines, line.tax.title);
}

const inCountry = (country: string): Destination => ({ country, postal_code: null, vat_check: null });

function describe(
  shop: ShopFacts,
  { sku, quantity, variant }: Item & { variant: Variant | undefined },
  line: QuotedLine | undefined,
): OfferedVariant {
  const name = variant?.product_title ?? sku;
  const price = line ? pricePieces(shop, [line], line.tax.title) : null;
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
    price,
    per_unit: variant && price ? perUnit(shop.currency, variant, price) : null,
    total: line ? viewPrice(line.net_total, line.total, isTaxedAt(line.tax), line.tax.title) : null,
    ...(variant && line ? boundsOf(shop, variant, quantity) : { left: null, most: null, pieces: null }),
  };
}

/**
 * Whether the net prices of lines differ in their last digits from those of the product's page, or from the sum of their
 * pieces: where prices include tax, the price with tax is what is charged, and the tax is taken out of each line.
 */
const hasRoundedNet = (shop: ShopFacts, { prices_include_tax, lines }: Quote): boolean =>
  prices_include_tax &&
  lines.some((line) => {
    const { net } = pricePieces(shop, [line], line.tax.title);
    const isSum = parseMoney(net) * BigInt(line.quantity) === parseMoney(line.net_total);
    return !isSum || net !== priceAtHome(shop, [line.variant]).net;
  });

function describeTotals(shop: ShopFacts, quoted: Quote) {
  const { currency, goods, shipping, tax_lines, totals, all_in_stock } = quoted;
  return {
    goods,
    shipping: shipping.price,
    shipping_is_free: parseMoney(shipping.price) === 0n,
    is_collected: shipping.code === PICKUP,
    net: netOf(totals, currency),
    tax_lines: viewTaxLines(tax_lines),
    includes_tax: includesTax(quoted, totals),
    total: totals.total,
    all_in_stock,
    arrives_by: workingDayAfter(shop, shipping.days.max),
  };
}
