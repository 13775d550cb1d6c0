import type { Shop } from "../../content-schema/shop.ts";
import { homeRate } from "../../content-schema/tax.ts";

/**
 * The net amount of a price that includes tax: `removeTax("379.00", "0.21")` is `313.22`. Exact, then rounded half up to
 * the digits that the price has.
 *
 * @param rate a decimal fraction: `0.21` for 21%
 */
export function removeTax(amount: string, rate: string): string {
  const { whole, taxed } = shares(rate);
  return scale(amount, whole, taxed);
}

/** The price including tax, for a price without it; rounded as in `removeTax`. */
export function addTax(amount: string, rate: string): string {
  const { whole, taxed } = shares(rate);
  return scale(amount, taxed, whole);
}

/** What a customer at home pays for one piece: the price in content/, plus tax if the shop's prices don't include it. */
export const priceWithTax = (price: string, shop: Pick<Shop, "prices_include_tax" | "tax">): string =>
  shop.prices_include_tax ? price : addTax(price, homeRate(shop.tax));

/** Whether tax is charged at home. */
export const isTaxed = ({ tax }: Pick<Shop, "tax">): boolean => Number(homeRate(tax)) > 0;

/**
 * The price of one piece at home, for a price in content/: net, which businesses compare, and with tax, to the last digit what
 * the basket shows (api/selling/quote/unit-price.ts). `gross` is null where no tax is charged.
 */
export function unitPrice(
  price: string,
  shop: Pick<Shop, "prices_include_tax" | "tax">,
): { net: string; gross: string | null } {
  return {
    net: shop.prices_include_tax ? removeTax(price, homeRate(shop.tax)) : price,
    gross: isTaxed(shop) ? priceWithTax(price, shop) : null,
  };
}

/** 1 and 1 + rate as integers of the same scale: 100 and 121 for `0.21`. */
function shares(rate: string): { whole: bigint; taxed: bigint } {
  const decimals = rate.split(".")[1] ?? "";
  const whole = 10n ** BigInt(decimals.length);
  return { whole, taxed: whole + BigInt(decimals) };
}

function scale(amount: string, multiplier: bigint, divisor: bigint): string {
  const digits = amount.split(".")[1]?.length ?? 0;
  const units = BigInt(amount.replace(".", ""));
  const scaled = String((2n * units * multiplier + divisor) / (2n * divisor)).padStart(digits + 1, "0");
  return digits === 0 ? scaled : `${scaled.slice(0, -digits)}.${scaled.slice(-digits)}`;
}
