import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { formatMoney, parseRate } from "../../contract/money.ts";
import { pricePerUnit, unitShown } from "../../contract/price-per-unit.ts";
import { readJson } from "../../platform/database/columns.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import type { Variant } from "../catalogue/variants.ts";
import { priceBasket, type Tax } from "../orders/totals-and-tax.ts";
import { taxAt } from "./tax.ts";

/** What something costs as pages show it: net, which businesses compare, and then with tax. */
export const PriceView = Type.Object({
  net: Type.String(),
  /** Null where no tax is charged. */
  gross: nullable(Type.String()),
  /** The tax in `gross`. */
  tax: Type.String(),
});

export type PriceView = Static<typeof PriceView>;

/** What one unit of what a piece holds costs, by Directive 98/6/EC: `€2.18 / m`; null where nobody wrote what it holds. */
export const PerUnitView = nullable(Type.Object({ ...PriceView.properties, unit: Type.String() }));
export type PerUnitView = Static<typeof PerUnitView>;

/** The price of a unit at this price of one piece, from which it follows. */
export function perUnit(currency: string, { content }: Pick<Variant, "content">, price: PriceView): PerUnitView {
  if (content === null) return null;
  const held = readJson(content);
  const { net, gross, tax } = price;
  const { many, text: unit } = unitShown(net, held, currency);
  const priceOf = (amount: string) => pricePerUnit(amount, held, currency, many);
  return { net: priceOf(net), gross: gross && priceOf(gross), tax, unit };
}

/** An amount without and with a tax, which is called `title` beside it. */
export const viewPrice = (net: string, total: string, isTaxed: boolean, title: string): PriceView => ({
  net,
  gross: isTaxed ? total : null,
  tax: title,
});

export const isTaxedAt = ({ rate }: Tax): boolean => parseRate(rate) > 0n;

/** One piece at each of these unit prices, together, by the arithmetic of an order. */
export function pricePieces(
  { currency, prices_include_tax }: Pick<ShopFacts, "currency" | "prices_include_tax">,
  pieces: readonly { unit_price: string; tax: Tax }[],
  title: string,
): PriceView {
  const lines = pieces.map(({ unit_price, tax }) => ({ quantity: 1, unit_price, taxes: [tax] }));
  const { totals, digits } = priceBasket({ currency, prices_include_tax, lines, shipping_lines: [], discounts: [] });
  const isTaxed = pieces.some(({ tax }) => isTaxedAt(tax));
  return viewPrice(formatMoney(totals.items_net, digits), formatMoney(totals.total, digits), isTaxed, title);
}

/** The same of variants at home, as lists show it. */
export function priceAtHome(shop: ShopFacts, variants: readonly Pick<Variant, "price" | "tax_class">[]): PriceView {
  const home = { country: shop.tax.home, postal_code: null, vat_check: null };
  const pieces = variants.map(({ price, tax_class }) => {
    return { unit_price: price, tax: taxAt(shop, home, tax_class).tax };
  });
  return pricePieces(shop, pieces, shop.tax.name);
}
