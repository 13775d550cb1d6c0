import { expect, test } from "vitest";
import { greatestQuantity, isSoldIn, nearestQuantities, quantityRule } from "../../../api/contract/order-quantity.ts";

const packs = { least: 12, step: 6 };
const odd = { least: 5, step: 6 };

test("what is sold from 12 in packs of 6 can be ordered 12, 18 and 24 times, and no other", () => {
  const allowed = Array.from({ length: 30 }, (_, index) => index).filter((number) => isSoldIn(packs, number));
  expect(allowed).toEqual([12, 18, 24]);
  expect([5, 11, 17].every((number) => isSoldIn(odd, number))).toBe(true);
  expect(isSoldIn({ least: 1, step: 1 }, 7)).toBe(true);
});

test.each([
  [7, 999, [12]],
  [13, 999, [12, 18]],
  [18, 999, [18]],
  [13, 13, [12]],
  [999, 999, [996]],
  [7, 11, []],
])("for %i of it, up to %i, the nearest are %j", (quantity, most, nearest) => {
  expect(nearestQuantities(packs, quantity, most)).toEqual(nearest);
});

test("of 13 pieces that are left 12 can be sold, and of 11 none", () => {
  expect([13, 12, 11, 0].map((left) => greatestQuantity(packs, left))).toEqual([12, 12, 0, 0]);
  expect(greatestQuantity(odd, 16)).toBe(11);
});

test("each rule has a word of its own", () => {
  expect([{ least: 1, step: 1 }, { least: 3, step: 1 }, { least: 6, step: 6 }, packs, odd].map(quantityRule)).toEqual([
    "any",
    "from",
    "packs",
    "packs_from",
    "steps",
  ]);
});
