import fc from "fast-check";
import { expect, test } from "vitest";
import { addTax, removeTax } from "../../../site/src/shop/tax.ts";
import { seedFor } from "../../depth.ts";

test("the net price is the gross price without its tax, rounded half up to the currency's digits", () => {
  expect(removeTax("379.00", "0.21", "EUR")).toBe("313.22");
  expect(removeTax("0.05", "0.21", "EUR")).toBe("0.04");
  expect(removeTax("1200", "0.1", "JPY")).toBe("1091");
  expect(removeTax("1.250", "0.05", "KWD")).toBe("1.190");
  expect(removeTax("99.00", "0", "EUR")).toBe("99.00");
  expect(removeTax("0.03", "0.2", "EUR")).toBe("0.03");
});

test("adding the tax gives the gross price", () => {
  expect(addTax("313.22", "0.21", "EUR")).toBe("379.00");
  expect(addTax("0.50", "0.15", "EUR")).toBe("0.58");
  expect(addTax("123456789012.99", "0.0725", "EUR")).toBe("132407406216.43");
});

test("removing and adding the tax returns the price to within its smallest unit, for every price and rate", () => {
  const rates = fc.integer({ min: 0, max: 9999 }).map((rate) => `0.${String(rate).padStart(4, "0")}`);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), rates, (cents, rate) => {
      const gross = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
      const back = addTax(removeTax(gross, rate, "EUR"), rate, "EUR");
      expect(Math.abs(Number(back.replace(".", "")) - cents)).toBeLessThanOrEqual(1);
    }),
    { seed: seedFor("site/src/shop") },
  );
});
