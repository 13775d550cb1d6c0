import { z } from "astro/zod";
import { currencyDigits, payableDigits } from "../../api/contract/currencies.ts";
import { formatMoney, parseMoney } from "../../api/contract/money.ts";
import { describeWrongInput, editedAs, quoted } from "./fields.ts";

/**
 * A price: a decimal string above zero with exactly the currency's decimals, or without any where nobody can pay a fraction:
 * `12990` and `12990.00` in HUF. Without a currency, decimals aren't checked.
 */
export function price(currency: string | undefined) {
  const digits = currency === undefined ? undefined : payableDigits(currency);
  const amount = z.string({ error: ({ input }) => missingOrUnquoted(input, digits ?? 2) });
  const price = amount.superRefine((text, context) => {
    const isZero = zero.test(text);
    const rule = isZero || text.startsWith("-") ? " A price must be above zero." : "";
    const problem = isZero ? "is zero." : amountProblem(text, currency);
    if (problem !== undefined) context.addIssue({ code: "custom", message: `${quoted(text)} ${problem}${rule}` });
  });
  return editedAs("amount", price);
}

/** Nothing, with any separators. */
const zero = /^(?=.*0)[0 .,'’\u00a0\u2009\u202f]+$/;

/** Orders two amounts of one currency, exactly: negative when `a` is the smaller. Both have the currency's digits, and none is negative. */
export function compareAmounts(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** A valid amount with the currency's digits by ISO 4217, as programs get it: `12990` is `12990.00` in HUF. */
export const withDigits = (amount: string, currency: string): string =>
  formatMoney(parseMoney(amount), currencyDigits(currency));

/** `1,299.00`, `1.299,00`, `1 299,00` or `1'299.00`: groups of three digits, the sign between them, the decimal sign, decimals. */
const separated = /^(\d{1,3}(?:([ .,'’\u00a0\u2009\u202f])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/;

/** Before the point. */
const MOST_DIGITS = 12;

/** Why an amount, which may be zero, isn't valid in a currency: the rest of a sentence, or undefined when it is. */
export function amountProblem(text: string, currency: string | undefined): string | undefined {
  const digits = currency === undefined ? undefined : payableDigits(currency);
  const [, before, after = ""] = /^(\d+),(\d+)$/.exec(text) ?? [];
  // In a currency without decimals, the comma of `1,299` separates thousands.
  if (before !== undefined && (digits !== 0 || after.length !== 3))
    return `has a comma. ${withPoint(before, after, digits ?? after.length)}`;
  const [, groups, separator, point, cents = ""] = separated.exec(text) ?? [];
  // `1.299` is a valid decimal number.
  if (groups !== undefined && point !== separator && !/^\d+\.\d+$/.test(text)) {
    const advice = sameAmount(groups.replaceAll(/\D/g, ""), cents, digits ?? cents.length);
    return `has separators. ${advice.replace("Write", `Write digits ${digits === 0 ? "" : "and one point "}only:`)}`;
  }
  if (!/^-?\d+(\.\d*)?$/.test(text))
    return "isn't a valid price. Use digits and a decimal point only, without a currency sign.";
  if (text.startsWith("-")) return "is negative.";
  const [whole = "", decimals = ""] = text.split(".");
  if (currency !== undefined && digits !== undefined) {
    const all = currencyDigits(currency);
    if (digits === 0 && text.endsWith(".")) return `ends with a point. ${sameAmount(whole, "", digits)}`;
    // A point may separate thousands where nobody pays a fraction. With three digits, `12.000` is a valid amount.
    if (digits === 0 && /^[1-9]\d{0,2}\.\d{3}$/.test(text) && (all !== 3 || decimals !== "000"))
      return `has 3 decimals; ${currency} has 0. Which price is meant? Write "${whole}${decimals}" if the point separates thousands. Otherwise ${wholeAmounts(whole, decimals).replace("Write", "write")}`;
    if (digits < all && /[1-9]/.test(decimals))
      return `has a fraction, which nobody can pay in ${currency}. ${wholeAmounts(whole, decimals)}`;
    const hasPoint = text.includes(".");
    if (decimals.length !== (hasPoint ? all : digits) || (hasPoint && all === 0))
      return `has ${decimals.length} decimal${decimals.length === 1 ? "" : "s"}; ${currency} has ${digits}. ${sameAmount(whole, decimals, digits)}`;
  }
  if (/^0\d/.test(text)) return `starts with a zero. Write "${text.replace(/^0+(?=\d)/, "")}".`;
  return whole.length > MOST_DIGITS ? "is too long for a price." : undefined;
}

/** Advises the whole amounts on both sides of one with decimals, or the same one if those are zeros. */
function wholeAmounts(whole: string, decimals: string): string {
  const choices = /[1-9]/.test(decimals) ? [BigInt(whole), BigInt(whole) + 1n] : [BigInt(whole)];
  return `Write ${choices.flatMap((each) => (each === 0n ? [] : `"${each}"`)).join(" or ")}.`;
}

/** Advises an amount with the right decimals, unless that would change its value. */
function sameAmount(whole: string, decimals: string, digits: number): string {
  if (/[1-9]/.test(decimals.slice(digits))) return "Which price is meant?";
  const kept = decimals.slice(0, digits).padEnd(digits, "0");
  const number = whole.replace(/^0+(?=\d)/, "");
  if (number.length > MOST_DIGITS) return "Which price is meant?";
  return `Write "${digits === 0 ? number : `${number}.${kept}`}".`;
}

/** Advises a point instead of a comma. `1,000` may be a thousand. */
const withPoint = (whole: string, decimals: string, digits: number): string =>
  decimals.length > digits ? "Which price is meant?" : sameAmount(whole, decimals, digits);

function missingOrUnquoted(input: unknown, digits: number): string {
  const [, whole, decimals = ""] = /^(\d+)(?:\.(\d+))?$/.exec(typeof input === "number" ? String(input) : "") ?? [];
  if (whole !== undefined && !/[1-9]/.test(whole + decimals))
    return `${quoted(input)} is zero. A price must be above zero.`;
  if (whole !== undefined) return `${quoted(input)} must be text in quotes. ${sameAmount(whole, decimals, digits)}`;
  return `${describeWrongInput(input, "must be text in quotes.")} Write, for example, \`price: "${(189).toFixed(digits)}"\`.`;
}
