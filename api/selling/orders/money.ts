/** Money is a BigInt of ten-thousandths of the currency's unit (DECIMAL(19,4)), never a float: 12.30 EUR is 123000n. */
const SCALE = 10_000n;
/** Rates are BigInts of millionths: 21 % is 210000n. */
const RATE_SCALE = 1_000_000n;
const LIMIT = 10n ** 19n;

// From ISO 4217 (list one, 2026), since V8's Intl uses CLDR, which differs, such as 0 for IQD.
const DIGITS = new Map<string, number>([
  ...["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF"].map((code) => [code, 0] as const),
  ...["UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"].map((code) => [code, 0] as const),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3] as const),
  ...["CLF", "UYW"].map((code) => [code, 4] as const),
]);

/** A currency's digits after the decimal point by ISO 4217. Throws RangeError for an invalid currency code. */
export function currencyDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError("A currency is three capital letters (ISO 4217).");
  return DIGITS.get(currency) ?? 2;
}

/**
 * Parses a decimal string with at most `digits` digits after the point and 15 before it. Throws RangeError otherwise.
 */
export function parseMoney(decimal: string, digits = 4): bigint {
  const match = /^(-?)(0|[1-9][0-9]{0,14})(?:\.([0-9]{1,4}))?$/.exec(decimal);
  const [, sign = "", whole = "", fraction = ""] = match ?? [];
  // Amounts from the database have four digits: extra zeros are fine.
  if (!match || fraction.replace(/0+$/, "").length > digits)
    throw new RangeError(`The amount isn't a decimal with at most ${digits} digits after the point.`);
  const amount = BigInt(whole) * SCALE + BigInt(fraction.padEnd(4, "0"));
  return sign ? -amount : amount;
}

/** Formats an amount with at least `digits` digits after the point, and more if it needs them. */
export function formatMoney(amount: bigint, digits: number): string {
  const size = amount < 0n ? -amount : amount;
  if (size >= LIMIT) throw new RangeError("An amount has more than 15 digits before the point.");
  const fraction = String(size % SCALE).padStart(4, "0");
  const shown = fraction.slice(0, digits) + fraction.slice(digits).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${size / SCALE}${shown && "."}${shown}`;
}

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

/** Parses a rate such as "0.21" or "0.055", at most six digits after the point. Throws RangeError. */
export function parseRate(rate: string): bigint {
  const [, whole = "", fraction = ""] = /^([01])(?:\.([0-9]{1,6}))?$/.exec(rate) ?? [];
  if (!whole) throw new RangeError("A rate is a decimal fraction such as 0.21.");
  return BigInt(whole) * RATE_SCALE + BigInt(fraction.padEnd(6, "0"));
}

/** amount × rate, exact to the ten-thousandth and then rounded to the currency's digits. */
export const applyRate = (amount: bigint, rate: bigint, digits: number) => divideTo(amount * rate, RATE_SCALE, digits);

/** The net amount in a price that includes taxes of `rate`. */
export const removeRate = (amount: bigint, rate: bigint, digits: number) =>
  divideTo(amount * RATE_SCALE, RATE_SCALE + rate, digits);

/** A price that includes taxes of one rate, with the taxes of another rate instead; rounded once. */
export const replaceRate = (amount: bigint, from: bigint, to: bigint, digits: number) =>
  divideTo(amount * (RATE_SCALE + to), RATE_SCALE + from, digits);

/** Rounds to the currency's digits, half up. */
export const roundMoney = (amount: bigint, digits: number) => divideTo(amount, 1n, digits);

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/**
 * Splits `total` in proportion to `weights` into multiples of the currency's smallest unit that add up to it exactly.
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

const stepOf = (digits: number) => 10n ** BigInt(4 - digits);

/** Half up. Amounts to be rounded are never negative: prices and discounts are refused if they are. */
function divideTo(numerator: bigint, denominator: bigint, digits: number): bigint {
  const step = stepOf(digits);
  const divisor = denominator * step;
  return ((2n * numerator + divisor) / (2n * divisor)) * step;
}
