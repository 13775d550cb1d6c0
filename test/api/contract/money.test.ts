import fc from "fast-check";
import { expect, test } from "vitest";
import { payableDigits } from "../../../api/contract/currencies.ts";
import { displayMoney, displayRate, formatMoney, parseMoney, readAmount } from "../../../api/contract/money.ts";

test("an amount of any size is formatted and parsed without loss", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n }), (amount) => {
      expect(parseMoney(formatMoney(amount, 4))).toBe(amount);
    }),
  );
});

test("invalid amounts are refused, and so are amounts with more digits than the currency has", () => {
  for (const bad of ["", "1.", ".5", "01", "1e2", "+1", "1,5", " 1", "1.00000", "NaN", "1000000000000000", "٣"]) {
    expect(() => parseMoney(bad)).toThrow(RangeError);
  }
  expect(() => parseMoney("1.5", 0)).toThrow(RangeError);
  expect(parseMoney("1.5000", 1)).toBe(15_000n);
});

test("money and rates of locales from right to left have no marks of direction", () => {
  expect(displayMoney("1189.00", "ILS", "he-IL")).toBe("1,189.00\u00a0₪");
  expect(displayMoney("-12.90", "ILS", "he-IL")).toBe("-12.90\u00a0₪");
  for (const locale of ["he-IL", "ar-EG", "fa-IR"])
    expect(displayMoney("-1189.00", "EUR", locale) + displayRate("-0.18", locale)).not.toMatch(/[\u061c\u200e\u200f]/);
});

test("money is shown exactly, even where a float would round", () => {
  expect(displayMoney("9007199254740993.01", "EUR", "en-GB")).toBe("€9,007,199,254,740,993.01");
  expect(displayMoney("1189.00", "EUR", "de-DE")).toBe("1.189,00\u00a0€");
  expect(displayRate("0.21", "en-GB")).toBe("21%");
  expect(displayRate("0.055", "en-GB")).toBe("5.5%");
});

test.each([
  ["EUR", "89.90", ["89,90", "89.90", " 89.9 ", "89,9", "€ 89,90", "89,90 €", "EUR 89.90", "８９，９０"]],
  [
    "EUR",
    "1089.00",
    ["1089", "1089.", "1.089,00", "1,089.00", "1 089,00", "1\u202f089", "1’089.00", "1.089,-", "1089,--"],
  ],
  ["EUR", "1234567.80", ["1.234.567,8", "1,234,567.80"]],
  ["EUR", "0.50", ["0,50", "00.5"]],
  ["CHF", "1089.50", ["Fr. 1'089.50", "CHF 1089.5"]],
  ["CHF", "89.00", ["89.–", "89.—"]],
  ["DKK", "89.90", ["kr. 89,90", "89,90 kr."]],
  ["JPY", "1089", ["1089", "1,089", "1.089", "¥1,089", "￥1089"]],
  ["KWD", "1.089", ["1.089", "1,089"]],
  ["KWD", "1089.500", ["1089.5", "1,089.500"]],
  ["HUF", "12990", ["12990", "12.990", "12 990 Ft", "12.990,00"]],
  ["IQD", "12500", ["12.500"]],
])("in %s, %s is read from each way in which people type it", (currency, amount, ways) => {
  for (const typed of ways) expect([typed, readAmount(typed, currency)]).toEqual([typed, [amount]]);
});

test.each([
  ["EUR", "1.089", ["1089.00", "1.09"]],
  ["EUR", "89,999", ["89999.00", "90.00"]],
  ["IQD", "12.000", ["12000", "12"]],
  ["CLF", "1.089", ["1089.0000", "1.0890"]],
])("in %s, %s has two readings", (currency, typed, readings) => {
  expect(readAmount(typed, currency)).toEqual(readings);
});

test.each([
  [
    "EUR",
    ["", "abc", "-5", "$ 89.90", "1.08,90", "12 34", "1,089,00", "0.089", "1234.567", "89,90,-", "9999999999999"],
  ],
  ["JPY", ["10.5", "1,089.00"]],
  ["HUF", ["12990,50", "12.5"]],
])("in %s, what isn't an amount has no reading", (currency, texts) => {
  for (const typed of texts) expect([typed, readAmount(typed, currency)]).toEqual([typed, []]);
});

test("an amount that the shop shows is read as that amount", () => {
  const currencies = fc.constantFrom("EUR", "CHF", "USD", "GBP", "SEK", "JPY", "KWD", "HUF", "IQD");
  const locales = fc.constantFrom("en-GB", "en-US", "de-DE", "de-CH", "de-AT");
  fc.assert(
    fc.property(currencies, locales, fc.nat({ max: 10 ** 9 }), (currency, locale, units) => {
      const digits = payableDigits(currency);
      const amount = formatMoney(BigInt(units) * 10n ** BigInt(4 - digits), digits);
      const shown = displayMoney(amount, currency, locale);
      // Thousands of a currency with three digits that nobody pays.
      if (currency !== "IQD" || units >= 10 ** 6 || units < 1000)
        expect([shown, readAmount(shown, currency)]).toEqual([shown, [amount]]);
      else expect(readAmount(shown, currency)).toContain(amount);
    }),
  );
});
