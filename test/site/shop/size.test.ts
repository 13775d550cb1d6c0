import { expect, test } from "vitest";
import { compareSize, drawSize, readSize } from "../../../site/src/shop/size.ts";

const sizeOf = (value: string) => readSize([{ value: "USB" }, { value }]);

test("three edges in one unit are a size, whatever the specification is called", () => {
  expect(sizeOf("172 × 98 × 68 mm")).toEqual({ width: 172, depth: 98, height: 68 });
  expect(sizeOf("17,2 x 9.8 x 6.8 cm")).toEqual({ width: 172, depth: 98, height: 68 });
  for (const value of ["10.1″, 252 × 96 × 178 mm", "58 × 40 mm", "0 × 5 × 5 mm", "1280 × 800 × 3 pixels", "1.5 m"])
    expect([value, sizeOf(value)]).toEqual([value, undefined]);
});

test("small products are compared with a bank card, others with a sheet of A4, by their largest side", () => {
  expect(compareSize({ width: 85.6, depth: 20, height: 53.98 })).toEqual({ reference: "card", count: 1 });
  expect(compareSize({ width: 38, depth: 84, height: 21 })).toEqual({ reference: "card", count: 0.69 });
  expect(compareSize({ width: 172, depth: 98, height: 68 })).toEqual({ reference: "sheet", count: 0.27 });
  expect(compareSize({ width: 380, depth: 380, height: 1560 })).toEqual({ reference: "sheet", count: 9.5 });
});

test("a drawing has the box and its reference to scale, on one ground and within the view", () => {
  const { viewBox, path } = drawSize({ width: 172, depth: 98, height: 68 });
  // The depth is 98 / 2 at 45°: 35 to the right and 35 up.
  expect(viewBox).toBe("-1 -1 445 299");
  expect(path).toBe("M0 229h172v68H0zl35-35h172v68l-35 35M172 229l35-35M233 0h210v297h-210z");
});
