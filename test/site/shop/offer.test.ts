import { expect, test } from "vitest";
import type { Availability } from "../../../api/contract/availability.ts";
import { offerOf } from "../../../site/src/shop/offer.ts";

const version = (price: string, availability: Availability, available_from: string | null = null) => ({
  price,
  tax_class: null,
  availability,
  available_from,
});

test.each([
  ["in stock before cheaper ones on back-order", ["369.00 backorder", "449.00 in_stock"], "449.00 in_stock"],
  ["the cheapest of those in stock", ["1249.00 in_stock", "219.00 in_stock", "90.00 out_of_stock"], "219.00 in_stock"],
  ["a pre-order before a back-order", ["10.00 backorder", "20.00 preorder"], "20.00 preorder"],
  ["a back-order before what can't be ordered", ["10.00 out_of_stock", "20.00 backorder"], "20.00 backorder"],
])("a list shows %s", (_what, written, shown) => {
  const versions = written.map((text) => {
    const [price = "", availability] = text.split(" ");
    return version(price, availability as Availability);
  });
  const { best } = offerOf(versions);
  expect(`${best.price} ${best.availability}`).toBe(shown);
});

test("of two versions at one price the one that arrives first is shown, and an unknown day is last", () => {
  const days = [null, "2099-03-01", "2099-02-01"].map((day) => version("10.00", "backorder", day));
  expect(offerOf(days).best.available_from).toBe("2099-02-01");
});

test("a price is a lowest price only if another version costs more", () => {
  const [cheap, dear] = [version("369.00", "backorder"), version("449.00", "in_stock")];
  expect(offerOf([cheap, dear]).isFrom).toBe(false);
  expect(offerOf([cheap, cheap]).isFrom).toBe(false);
  expect(offerOf([dear, version("1449.00", "in_stock")]).isFrom).toBe(true);
});

test("a cheaper version is named if it can be ordered", () => {
  const dear = version("449.00", "in_stock");
  const waiting = version("369.00", "backorder");
  expect(offerOf([dear, version("99.00", "out_of_stock"), waiting, version("400.00", "backorder")]).cheaper).toBe(
    waiting,
  );
  expect(offerOf([dear, version("99.00", "out_of_stock")]).cheaper).toBeUndefined();
  expect(offerOf([dear, version("500.00", "backorder")]).cheaper).toBeUndefined();
});
