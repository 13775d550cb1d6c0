import { expect, test } from "vitest";
import { checkDigit } from "../../../api/contract/gtin.ts";

test("the check digit follows GS1's rule", () => {
  // GS1's own example, two books and a drink.
  expect(["629104150021", "978020137962", "978030640615", "544900000099"].map(checkDigit)).toEqual([3, 4, 7, 6]);
});
