import fc from "fast-check";
import { expect, test } from "vitest";
import { allocate, currencyDigits, formatMoney, parseMoney, showMoney, sum } from "../../../api/orders/money.ts";

test("a currency's digits follow ISO 4217, not CLDR", () => {
  const codes = ["EUR", "JPY", "KWD", "IQD", "ISK", "HUF", "CLF"];
  expect(codes.map(currencyDigits)).toEqual([2, 0, 3, 3, 0, 2, 4]);
  expect(() => currencyDigits("eur")).toThrow(RangeError);
});

test("an amount of any size is formatted and parsed without loss", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n }), (amount) => {
      expect(parseMoney(formatMoney(amount, 4))).toBe(amount);
    }),
  );
});

test("a stored amount is shown as it would be formatted", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n }),
      fc.constantFrom(0, 2, 3, 4),
      (amount, digits) => {
        expect(showMoney(formatMoney(amount, 4), digits)).toBe(formatMoney(amount, digits));
      },
    ),
  );
  const table = [
    ["0.0000", "0"],
    ["1200.0000", "1200"],
    ["-10.0000", "-10"],
    ["100.5000", "100.5"],
  ] as const;
  for (const [stored, shown] of table) expect(showMoney(stored, 0)).toBe(shown);
});

test("invalid amounts are refused, and so are amounts with more digits than the currency has", () => {
  for (const bad of ["", "1.", ".5", "01", "1e2", "+1", "1,5", " 1", "1.00000", "NaN", "1000000000000000", "٣"]) {
    expect(() => parseMoney(bad)).toThrow(RangeError);
  }
  expect(() => parseMoney("1.5", 0)).toThrow(RangeError);
  expect(parseMoney("1.5000", 1)).toBe(15_000n);
});

test("shares are whole steps, differ from the exact share by less than one step, and add up", () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.constantFrom(0, 2, 3),
      fc.bigInt({ min: 0n, max: 10n ** 10n }),
      weights,
      (digits, steps, weights) => {
        const step = 10n ** BigInt(4 - digits);
        const shares = allocate(steps * step, weights, digits);
        const whole = sum(weights);
        expect(sum(shares)).toBe(steps * step);
        for (const [index, part] of shares.entries()) {
          expect(part % step).toBe(0n);
          const error = part * whole - steps * step * (weights[index] ?? 0n);
          if (whole > 0n) expect(error < step * whole && -error < step * whole).toBe(true);
        }
      },
    ),
  );
});
