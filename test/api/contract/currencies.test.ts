import { expect, test } from "vitest";
import { currencyDigits } from "../../../api/contract/currencies.ts";

test("a currency's digits follow ISO 4217, not CLDR", () => {
  const codes = ["EUR", "JPY", "KWD", "IQD", "ISK", "HUF", "CLF"];
  expect(codes.map(currencyDigits)).toEqual([2, 0, 3, 3, 0, 2, 4]);
  expect(() => currencyDigits("eur")).toThrow(RangeError);
});
