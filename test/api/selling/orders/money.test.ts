import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, parseMoney } from "../../../../api/contract/money.ts";
import { allocate, roundMoney, showMoney, sum } from "../../../../api/selling/orders/money.ts";
import { seedFor } from "../../../depth.ts";

test("a stored amount is shown as it would be formatted", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n }),
      fc.constantFrom(0, 2, 3, 4),
      (amount, digits) => {
        expect(showMoney(formatMoney(amount, 4), digits)).toBe(formatMoney(amount, digits));
      },
    ),
    { seed: seedFor("api/selling/orders") },
  );
  const table = [
    ["0.0000", "0"],
    ["1200.0000", "1200"],
    ["-10.0000", "-10"],
    ["100.5000", "100.5"],
  ] as const;
  for (const [stored, shown] of table) expect(showMoney(stored, 0)).toBe(shown);
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
    { seed: seedFor("api/selling/orders") },
  );
});

test("what is left goes to the largest remainders, and to the first of equal ones", () => {
  const cents = (total: bigint, ...weights: bigint[]) =>
    allocate(total * 100n, weights, 2).map((share) => share / 100n);
  expect(cents(1n, 5n, 5n)).toEqual([1n, 0n]);
  expect(cents(5n, 1n, 1n, 1n)).toEqual([2n, 2n, 1n]);
  expect(cents(10n, 1n, 2n, 1n)).toEqual([3n, 5n, 2n]);
  expect(cents(1n, 1n, 2n, 2n)).toEqual([0n, 1n, 0n]);
  expect(cents(1n, 0n, 0n)).toEqual([1n, 0n]);
});

test("half of the smallest unit is rounded up, less is rounded down", () => {
  const rounded = (amount: string, digits: number) => formatMoney(roundMoney(parseMoney(amount), digits), digits);
  expect(["0.005", "0.0049", "2.675", "2.665"].map((amount) => rounded(amount, 2))).toEqual([
    ...["0.01", "0.00", "2.68", "2.67"],
  ]);
  expect(["0.5", "0.4999", "1.5"].map((amount) => rounded(amount, 0))).toEqual(["1", "0", "2"]);
});
