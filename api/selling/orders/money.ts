import { payableDigits } from "../../contract/currencies.ts";
import { divideTo, parseRate, replaceRate, stepOf } from "../../contract/money.ts";

/**
 * Shows a stored DECIMAL(19,4) such as 12.3000 with the currency's digits and no further zeros. It works on the text: a
 * page has a thousand amounts, and BigInt would double its cost.
 */
export function showMoney(stored: string, digits: number): string {
  const least = stored.length - 4 + (digits === 0 ? -1 : digits);
  let end = stored.length;
  while (end > least && (stored[end - 1] === "0" || stored[end - 1] === ".")) end -= 1;
  return stored.slice(0, end);
}

/** What all rates are measured by. */
const ONE = parseRate("1");

/** amount × rate, rounded once to `digits` after the point: those that can be paid. */
export const applyRate = (amount: bigint, rate: bigint, digits: number) => divideTo(amount * rate, ONE, digits);

/** The net amount in a price that includes taxes of `rate`, rounded to `digits` after the point. */
export const removeRate = (amount: bigint, rate: bigint, digits: number) => replaceRate(amount, rate, 0n, digits);

/** Rounds to `digits` after the point, half up. */
export const roundMoney = (amount: bigint, digits: number) => divideTo(amount, 1n, digits);

/** What of an amount can be paid, without the fraction that can't: what is 0.50 HUF too much is exact. */
export const surplusOf = (amount: bigint, currency: string): bigint => {
  const step = stepOf(payableDigits(currency));
  return amount > 0n ? amount - (amount % step) : amount;
};

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/**
 * Splits `total` in proportion to `weights` into amounts with `digits` after the point that add up to it exactly.
 * The rest goes to the largest remainders, the first among equals.
 */
export function allocate(total: bigint, weights: readonly bigint[], digits: number): bigint[] {
  const step = stepOf(digits);
  const whole = sum(weights);
  if (whole === 0n) return weights.map((_, index) => (index === 0 ? total : 0n));
  const exact = weights.map((weight) => (total / step) * weight);
  const shares = exact.map((value) => value / whole);
  const left = Number(total / step - sum(shares));
  const byRemainder = exact.map((value, index) => ({ index, remainder: value % whole }));
  byRemainder.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const rounded = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return shares.map((value, index) => (value + (rounded.has(index) ? 1n : 0n)) * step);
}
