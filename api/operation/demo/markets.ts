import { currencyDigits, payableDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney, parseRate } from "../../contract/money.ts";
import { removeRate, roundMoney } from "../../selling/orders/money.ts";
import type { Tax } from "../../selling/orders/totals-and-tax.ts";
import type { Shop } from "./articles.ts";

/** The terms of an order. */
export interface Market {
  currency: string;
  prices_include_tax: boolean;
  taxes: readonly Tax[];
  shipping: readonly [standard: string, express: string];
  /** From the price in the catalogue to the price here. */
  priceOf: (price: string) => string;
}

/** At home the shop's tax applies; exports and reverse-charge customers order at net prices. */
export function listMarkets({ currency, prices_include_tax, tax_rate, usualPrice }: Shop): {
  home: Market;
  abroad: Market;
} {
  const [digits, payable] = [currencyDigits(currency), payableDigits(currency)];
  const rate = parseRate(tax_rate);
  const percent = formatMoney(rate, 0);
  const shipping = (parts: readonly [bigint, bigint]) =>
    [
      formatMoney(roundMoney(usualPrice / parts[0], payable), digits),
      formatMoney(roundMoney(usualPrice / parts[1], payable), digits),
    ] as const;
  const net = (price: string) =>
    prices_include_tax ? formatMoney(removeRate(parseMoney(price), rate, payable), digits) : price;
  const taxes = rate === 0n ? [] : [{ code: `TAX-${percent}`, title: `Tax ${percent} %`, rate: tax_rate }];
  return {
    home: { currency, prices_include_tax, taxes, shipping: shipping([25n, 12n]), priceOf: (price) => price },
    abroad: { currency, prices_include_tax: false, taxes: [], shipping: shipping([8n, 4n]), priceOf: net },
  };
}
