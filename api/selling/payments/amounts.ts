import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";

/** Currencies whose amounts Stripe counts in whole units (docs.stripe.com/currencies, "Zero-decimal currencies"). */
export const ZERO_DECIMAL = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/** Those that it counts in thousandths (the same page, "Three-decimal currencies"). */
const THREE_DECIMAL = new Set("BHD JOD KWD OMR TND".split(" "));

/** The digits after the point of the amounts that Stripe takes. ISK has two, which are always 00. */
const stripeDigits = (currency: string): number =>
  ZERO_DECIMAL.has(currency) ? 0 : THREE_DECIMAL.has(currency) ? 3 : 2;

/**
 * Whether Stripe can take every amount of a currency: not of those with three digits, whose last one must be 0, nor of
 * MGA: its totals are whole, but a payment that the ERP records may leave a fraction due, which Stripe can't count; nor of
 * UGX, on which its documents contradict each other.
 */
export const isPayable = (currency: string): boolean =>
  currencyDigits(currency) <= stripeDigits(currency) && !THREE_DECIMAL.has(currency) && currency !== "UGX";

/**
 * The least that Stripe charges, for an account with a bank account in the same currency (docs.stripe.com/currencies,
 * "Minimum and maximum charge amounts"). In any other currency it's the equivalent of that of the account's currency,
 * at a rate of the day, which we don't know.
 */
const LEAST: Readonly<Record<string, string>> = {
  ...{ AED: "2.00", AUD: "0.50", BGN: "1.00", BRL: "0.50", CAD: "0.50", CHF: "0.50", CZK: "15.00", DKK: "2.50" },
  ...{ EUR: "0.50", GBP: "0.30", HKD: "4.00", HUF: "175.00", INR: "0.50", JPY: "50", MXN: "10.00", MYR: "2.00" },
  ...{ NOK: "3.00", NZD: "0.50", PLN: "2.00", RON: "2.00", SEK: "3.00", SGD: "0.50", THB: "10.00", USD: "0.50" },
};

/**
 * The most that Stripe charges to cards, in minor units, from the same page: eight digits but for these. Some networks
 * take less (American Express 9,999,999.99 IDR, JCB 99,999,999 JPY in Japan), which Stripe's page says when it happens.
 */
const MOST: Readonly<Record<string, number>> = {
  COP: 999_999_999_999, // 9,999,999,999.99
  HUF: 999_999_999_999, // 9,999,999,999.99
  IDR: 999_999_999_999, // 9,999,999,999.99
  INR: 999_999_999, // 9,999,999.99
  JPY: 9_999_999_999,
  LBP: 99_999_999_999_999, // 999,999,999,999.99
};
const MOST_IN_OTHERS = 99_999_999;

/** Whether Stripe can take an amount by card, as far as its limits are known; nothing has to be taken for 0. */
export function isChargeable(amount: string, currency: string): boolean {
  const least = parseMoney(LEAST[currency] ?? "0");
  const given = parseMoney(amount);
  if (given === 0n) return true;
  return isPayable(currency) && given >= least && given / scale(currency) <= BigInt(MOST[currency] ?? MOST_IN_OTHERS);
}

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
