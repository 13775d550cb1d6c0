import fc from "fast-check";
import { expect, test } from "vitest";
import { displayMoney, displayRate, formatMoney, parseMoney } from "../../../api/contract/money.ts";

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

test("money is shown exactly, even where a float would round", () => {
  expect(displayMoney("9007199254740993.01", "EUR", "en-GB")).toBe("€9,007,199,254,740,993.01");
  expect(displayMoney("1189.00", "EUR", "de-DE")).toBe("1.189,00\u00a0€");
  expect(displayRate("0.21", "en-GB")).toBe("21%");
  expect(displayRate("0.055", "en-GB")).toBe("5.5%");
});
