import { currencyDigits, payableDigits } from "../../../api/contract/currencies.ts";
import { formatMoney, parseMoney, parseRate, replaceRate } from "../../../api/contract/money.ts";
import type { Shop } from "../../content-schema/shop.ts";
import { homeRate } from "../../content-schema/tax.ts";
import type { Priced } from "./offer.ts";

/**
 * The net amount of a price that includes tax: `removeTax("379.00", "0.21", "EUR")` is `313.22`. Exact, then rounded half up
 * to what can be paid in the currency.
 *
 * @param rate a decimal fraction: `0.21` for 21%
 */
export const removeTax = (amount: string, rate: string, currency: string): string =>
  replaceTax(amount, rate, "0", currency);

/** The price including tax, for a price without it; rounded as in `removeTax`. */
export const addTax = (amount: string, rate: string, currency: string): string =>
  replaceTax(amount, "0", rate, currency);

function replaceTax(amount: string, from: string, to: string, currency: string): string {
  const replaced = replaceRate(parseMoney(amount), parseRate(from), parseRate(to), payableDigits(currency));
  return formatMoney(replaced, currencyDigits(currency));
}

/** What a price in content/ depends on besides. */
type Terms = Pick<Shop, "currency" | "prices_include_tax" | "tax">;

/** What a customer at home pays for one piece: the price in content/, plus tax if the shop's prices don't include it. */
export const priceWithTax = ({ price, tax_class }: Priced, shop: Terms): string =>
  shop.prices_include_tax ? price : addTax(price, homeRate(shop.tax, tax_class), shop.currency);

/** Whether tax is charged at home on goods of a class; null for the usual rate. */
export const isTaxed = ({ tax }: Pick<Shop, "tax">, taxClass: string | null = null): boolean =>
  Number(homeRate(tax, taxClass)) > 0;

/**
 * The price of one piece at home, for a price in content/: net, which businesses compare, and with tax, to the last digit what
 * the basket shows (api/selling/quote/unit-price.ts). `gross` is null where no tax is charged.
 */
export function unitPrice(priced: Priced, shop: Terms): { net: string; gross: string | null } {
  const { price, tax_class } = priced;
  return {
    net: shop.prices_include_tax ? removeTax(price, homeRate(shop.tax, tax_class), shop.currency) : price,
    gross: isTaxed(shop, tax_class) ? priceWithTax(priced, shop) : null,
  };
}
