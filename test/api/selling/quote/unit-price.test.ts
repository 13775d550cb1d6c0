import { expect, test } from "vitest";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { quote } from "../../../../api/selling/quote/quote.ts";
import { priceAtHome } from "../../../../api/selling/quote/unit-price.ts";
import { unitPrice } from "../../../../site/src/shop/tax.ts";
import { shopFacts, variantAt } from "./shop.ts";

/** The same shop as the build knows it. */
const built = ({ currency, prices_include_tax, tax }: ShopFacts) => ({
  currency,
  prices_include_tax,
  tax: { ...tax, registration: tax.registration ?? "" },
});

const home = { country: "NL", postal_code: null, vat_check: null };
/** Every cent up to €30, where rounding shows most, and steps up to €30,000. */
const prices = Array.from({ length: 3_000 }, (_, at) => at + 1)
  .flatMap((cents) => [cents, cents * 997])
  .map((cents) => (cents / 100).toFixed(2));

test.each(["0.21", "0.19", "0.055", "0.255", "0.0725", "0.5"])(
  "pages of the build, lists of the API and an order of one piece agree to the cent at a rate of %s",
  (rate) => {
    for (const prices_include_tax of [true, false]) {
      const { tax } = shopFacts();
      const shop = shopFacts({ prices_include_tax, tax: { ...tax, rates: { ...tax.rates, NL: rate } } });
      for (const price of prices) {
        const shown = unitPrice({ price, tax_class: null }, built(shop));
        expect(priceAtHome(shop, [{ price, tax_class: null }])).toEqual({ ...shown, tax: "VAT" });
        const [line] = quote(shop, [{ variant: variantAt(price), quantity: 1 }], home).lines;
        expect([price, line?.net_total, line?.total]).toEqual([price, shown.net, shown.gross]);
      }
    }
  },
);

test("in a currency without decimals, both round to whole units", () => {
  const shop = shopFacts({ currency: "JPY" });
  expect(priceAtHome(shop, [{ price: "24800", tax_class: null }])).toEqual({
    net: "20496",
    gross: "24800",
    tax: "VAT",
  });
  expect(unitPrice({ price: "24800", tax_class: null }, built(shop)).net).toBe("20496");
});

test("where a fraction can't be paid, both round to whole units, and write them with the currency's digits", () => {
  const shop = shopFacts({ currency: "HUF" });
  expect(priceAtHome(shop, [{ price: "24800.0000", tax_class: null }])).toEqual({
    net: "20496.00",
    gross: "24800.00",
    tax: "VAT",
  });
  expect(unitPrice({ price: "24800.00", tax_class: null }, built(shop)).net).toBe("20496.00");
  expect(unitPrice({ price: "20496.00", tax_class: null }, built({ ...shop, prices_include_tax: false })).gross).toBe(
    "24800.00",
  );
});

test("where no tax is charged, there is one price", () => {
  const { tax } = shopFacts();
  const shop = shopFacts({ tax: { ...tax, rates: { ...tax.rates, NL: "0" } } });
  expect(priceAtHome(shop, [{ price: "12.50", tax_class: null }])).toEqual({ net: "12.50", gross: null, tax: "VAT" });
  expect(unitPrice({ price: "12.50", tax_class: null }, built(shop))).toEqual({
    net: "12.50",
    gross: null,
  });
});
