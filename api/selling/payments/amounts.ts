import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";

/** Currencies whose amounts Stripe counts in whole units (docs.stripe.com/currencies, "Zero-decimal currencies"). */
export const ZERO_DECIMAL = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/** The digits after the point of the amounts that Stripe takes. ISK has two, which are always 00. */
const stripeDigits = (currency: string): number => (ZERO_DECIMAL.has(currency) ? 0 : 2);

/**
 * Whether Stripe can take every amount of a currency: not of those with three digits, whose last one must be 0, nor of
 * MGA: its totals are whole, but a payment that the ERP records may leave a fraction due, which Stripe can't count; nor of
 * UGX, on which its documents contradict each other.
 */
export const isPayable = (currency: string): boolean =>
  currencyDigits(currency) <= stripeDigits(currency) && currency !== "UGX";

/** Ten-thousandths of the currency's unit in one of Stripe's minor units. */
const scale = (currency: string): bigint => 10n ** BigInt(4 - stripeDigits(currency));

/** A decimal string in Stripe's minor units: "12.30" EUR is 1230. Throws RangeError unless isPayable. */
export function toMinor(amount: string, currency: string): number {
  const minor = parseMoney(amount, currencyDigits(currency)) / scale(currency);
  if (!isPayable(currency) || minor < 0n || minor > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError("Stripe can't take this amount.");
  return Number(minor);
}

/** The same back, in the currency's digits: 1230 EUR is "12.30". */
export const fromMinor = (minor: number, currency: string): string =>
  formatMoney(BigInt(minor) * scale(currency), currencyDigits(currency));
