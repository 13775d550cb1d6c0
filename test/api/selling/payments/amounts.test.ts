import fc from "fast-check";
import { expect, test } from "vitest";
import { currencyDigits } from "../../../../api/contract/currencies.ts";
import { fromMinor, isChargeable, isPayable, toMinor } from "../../../../api/selling/payments/amounts.ts";
import { seedFor } from "../../../depth.ts";

test("fault 14: amounts are in the provider's minor units, whatever the currency's digits", () => {
  expect(toMinor("12.30", "EUR")).toBe(1_230);
  expect(toMinor("12.3000", "EUR")).toBe(1_230);
  expect(toMinor("1230", "JPY")).toBe(1_230);
  expect(toMinor("1230", "ISK")).toBe(123_000);
  expect([fromMinor(1_230, "EUR"), fromMinor(1_230, "JPY"), fromMinor(123_000, "ISK")]).toEqual([
    "12.30",
    "1230",
    "1230",
  ]);
});

test("fault 14: currencies whose amounts the provider can't all take are refused", () => {
  const refused = ["KWD", "BHD", "JOD", "OMR", "TND", "IQD", "LYD", "MGA", "UGX", "CLF", "UYW"];
  expect(refused.filter(isPayable)).toEqual([]);
  for (const currency of refused) expect(() => toMinor("1", currency)).toThrow(RangeError);
  const taken = ["EUR", "CZK", "GBP", "JPY", "KRW", "XOF", "ISK", "HUF"];
  expect(taken.filter(isPayable)).toEqual(taken);
});

test("amounts that can't be charged are refused: negative, finer than the currency, too large to count", () => {
  for (const [amount, currency] of [
    ["-1", "EUR"],
    ["0.001", "EUR"],
    ["0.5", "JPY"],
    ["900000000000000", "EUR"],
  ] as const)
    expect(() => toMinor(amount, currency)).toThrow(RangeError);
});

test("fault 14: every amount comes back from minor units as it was", () => {
  const currencies = fc.constantFrom("EUR", "USD", "JPY", "ISK", "KRW", "SEK");
  fc.assert(
    fc.property(currencies, fc.integer({ min: 0, max: 99_999_999 }), (currency, units) => {
      const digits = currencyDigits(currency);
      const text = String(units).padStart(digits + 1, "0");
      const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
      expect(fromMinor(toMinor(amount, currency), currency)).toBe(amount);
    }),
    { seed: seedFor("api/selling/payments") },
  );
});

test("a card is offered from the least to the most that the provider takes in a currency, and for nothing to pay", () => {
  for (const [currency, ...amounts] of [
    ["EUR", "0.49", "0.50", "999999.99", "1000000.00"],
    ["GBP", "0.29", "0.30", "999999.99", "1000000.00"],
    ["CZK", "14.99", "15.00", "999999.99", "1000000.00"],
    ["HUF", "174.00", "175.00", "9999999999.00", "10000000000.00"],
    ["JPY", "49", "50", "9999999999", "10000000000"],
    ["INR", "0.49", "0.50", "9999999.99", "10000000.00"],
    ["ISK", "-1", "1", "999999", "1000000"],
    ["KRW", "-1", "1", "99999999", "100000000"],
    ["IDR", "-1", "1.00", "9999999999.00", "10000000000.00"],
  ] as const)
    expect([currency, amounts.map((amount) => isChargeable(amount, currency))]).toEqual([
      currency,
      [false, true, true, false],
    ]);
  expect([isChargeable("0.00", "EUR"), isChargeable("5.000", "KWD")]).toEqual([true, false]);
});
