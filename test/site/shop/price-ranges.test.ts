import { expect, test } from "vitest";
import { isInRange, priceRanges } from "../../../site/src/shop/price-ranges.ts";

test.each([
  [["39.00", "89.00", "149.00"], "-50 50-100 100-"],
  [["100.00", "199.99"], "-"],
  [["99.99", "100.00"], "-100 100-"],
  [["1.00", "2.00", "5.00", "10.00", "20.00", "50.00", "100.00"], "-5 5-10 10-50 50-100 100-"],
  [["1.00", "5000.00"], "-2 2-"],
  [["0.10", "0.90", "3.00"], "-1 1-"],
  [["80.00"], "-"],
  [[], "-"],
])("prices of %j are divided into %s: round numbers, at most six ranges, none empty", (prices, ranges) => {
  const found = priceRanges(prices);
  expect(found.map(({ from = "", to = "" }) => `${from}-${to}`).join(" ")).toBe(ranges);
  for (const price of prices) expect(found.filter((range) => isInRange(price, range))).toHaveLength(1);
  if (prices.length > 0) for (const range of found) expect(prices.some((price) => isInRange(price, range))).toBe(true);
});
