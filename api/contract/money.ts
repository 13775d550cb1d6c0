import { currencyDigits, payableDigits } from "./currencies.ts";

/** Money is a BigInt of ten-thousandths of the currency's unit (DECIMAL(19,4)), never a float: 12.30 EUR is 123000n. */
const SCALE = 10_000n;
/** Rates are BigInts of millionths: 21 % is 210000n. */
const RATE_SCALE = 1_000_000n;
const LIMIT = 10n ** 19n;
/** Longer than any amount that people type. */
const LONGEST = 64;

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

/** Writes an amount as a decimal string with at least `digits` digits after the point, and more if it needs them. */
export function formatMoney(amount: bigint, digits: number): string {
  const size = amount < 0n ? -amount : amount;
  if (size >= LIMIT) throw new RangeError("An amount has more than 15 digits before the point.");
  const fraction = String(size % SCALE).padStart(4, "0");
  const shown = fraction.slice(0, digits) + fraction.slice(digits).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${size / SCALE}${shown && "."}${shown}`;
}

/**
 * The amounts that somebody may mean by what they have typed, as they're stored: one, two to choose from, or none. Signs of the
 * currency, spaces, and the `,-` of whole amounts don't count. One separator with exactly the currency's digits after it is
 * decimal; others only separate groups of three: `1.089` in EUR is 1089.00, or 1.09 with a digit too many.
 */
export function readAmount(typed: string, currency: string): string[] {
  if (typed.length > LONGEST) return [];
  const [digits, payable] = [currencyDigits(currency), payableDigits(currency)];
  const [, number = "", dash] = /^(.*?)(?:[.,] ?(-{1,2}|[–—]))?$/.exec(withoutSign(typed, currency)) ?? [];
  const [, whole = "", decimals = ""] = /^(\d+)(?:[.,](\d*))?$/.exec(number) ?? [];
  const [, groups = "", separator, point, cents = ""] =
    /^([1-9]\d{0,2}(?:([ .,'’])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(number) ?? [];
  const isAmount = (whole: string, decimals: string) =>
    whole !== "" &&
    decimals.length <= (dash === undefined ? digits : 0) &&
    !/[1-9]/.test(decimals.slice(payable)) &&
    BigInt(whole) < LIMIT / SCALE / 1000n;
  const store = (whole: string, decimals: string) =>
    formatMoney(parseMoney(`${BigInt(whole)}${decimals && `.${decimals}`}`), payable);
  if (isAmount(whole, decimals) && decimals.length === payable) return [store(whole, decimals)];
  const grouped = groups.replaceAll(/\D/g, "");
  const amounts = groups !== "" && point !== separator && isAmount(grouped, cents) ? [store(grouped, cents)] : [];
  if (isAmount(whole, decimals)) amounts.push(store(whole, decimals));
  else if (amounts.length > 0 && whole !== "" && payable > 0 && dash === undefined)
    amounts.push(formatMoney(divideTo(parseMoney(`${whole}.${decimals}`), 1n, payable), payable));
  return amounts;
}

/** What people write and CLDR doesn't have in English. */
const SIGNS: Readonly<Record<string, string>> = { CHF: "Fr" };

/** A typed amount without the currency's code or sign before or after it, and with plain spaces. */
function withoutSign(typed: string, currency: string): string {
  const signs = [currency, SIGNS[currency], ...signsOf(currency)]
    .flatMap((sign) => (sign === undefined ? [] : sign.normalize("NFKC").replaceAll(/\W/g, "\\$&")))
    .join("|");
  // Compatibility makes one character of narrow spaces, of wide digits, and of both signs for yen.
  const text = typed.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
  const [, before, number = "", after] =
    new RegExp(`^((?:${signs})\\.? ?)?(.*?)( ?(?:${signs})\\.?)?$`, "i").exec(text) ?? [];
  return before !== undefined && after !== undefined ? text : number;
}

/** A currency's signs, with and without its country: `$`, `US$`. */
const signsOf = (currency: string): string[] =>
  ["en", "en-001"].flatMap((locale) =>
    (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay })
        .formatToParts(0)
        .flatMap(({ type, value }) => (type === "currency" ? value : [])),
    ),
  );

/** Parses a rate such as "0.21" or "0.055", at most six digits after the point. Throws RangeError. */
export function parseRate(rate: string): bigint {
  const [, whole = "", fraction = ""] = /^([01])(?:\.([0-9]{1,6}))?$/.exec(rate) ?? [];
  if (!whole) throw new RangeError("A rate is a decimal fraction such as 0.21.");
  return BigInt(whole) * RATE_SCALE + BigInt(fraction.padEnd(6, "0"));
}

/** A price that includes taxes of one rate, with the taxes of another rate instead; rounded once. */
export const replaceRate = (amount: bigint, from: bigint, to: bigint, digits: number): bigint =>
  divideTo(amount * (RATE_SCALE + to), RATE_SCALE + from, digits);

/** The smallest amount with so many digits after the point. */
export const stepOf = (digits: number): bigint => 10n ** BigInt(4 - digits);

/** Divides and rounds to so many digits after the point, half up. Amounts to be rounded are never negative: prices and discounts are refused if they are. */
export function divideTo(numerator: bigint, denominator: bigint, digits: number): bigint {
  const step = stepOf(digits);
  const divisor = denominator * step;
  return ((2n * numerator + divisor) / (2n * divisor)) * step;
}

/** Whether people of a locale write half as `0,5`. */
export const hasDecimalComma = (locale: string): boolean => new Intl.NumberFormat(locale).format(0.5).includes(",");

const formats = new Map<string, Intl.NumberFormat>();

// Kept, because making a format takes Intl 40 times as long as using it.
function keepFormat(key: string, make: () => Intl.NumberFormat): Intl.NumberFormat {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}

/**
 * Shows an amount to people: `displayMoney("1189.00", "EUR", "en-GB")` is `€1,189.00`. In a currency whose fraction can't
 * be paid it has decimals only if it has a fraction all the same, such as a payment from elsewhere. Throws RangeError for
 * what isn't a decimal. Without marks of direction.
 */
export function displayMoney(amount: string, currency: string, locale: string): string {
  const make = () => {
    const digits = currencyDigits(currency);
    const trailingZeroDisplay = payableDigits(currency) < digits ? "stripIfInteger" : "auto";
    const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits, trailingZeroDisplay } as const;
    return new Intl.NumberFormat(locale, { style: "currency", currency, ...decimals });
  };
  return withoutMarks(keepFormat(`${currency} ${locale}`, make).format(requireDecimal(amount)));
}

/** Shows a rate to people: `displayRate("0.055", "en-GB")` is `5.5%`. Throws RangeError for what isn't a decimal. */
export function displayRate(rate: string, locale: string): string {
  const make = () => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 });
  return withoutMarks(keepFormat(`% ${locale}`, make).format(requireDecimal(rate)));
}

/**
 * A text of Intl without the marks of direction that it has in Hebrew, Arabic and Persian (U+061C, U+200E, U+200F): they would be in
 * data and in what people copy. Pages isolate prices by CSS.
 */
export const withoutMarks = (text: string): string => text.replaceAll(/[\u061c\u200e\u200f]/g, "");

/** Intl reads decimal strings exactly. */
function requireDecimal(text: string): `${number}` {
  const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);
  if (!isDecimal(text)) throw new RangeError(`"${text}" isn't a decimal number.`);
  return text;
}
