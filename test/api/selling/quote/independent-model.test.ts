import { expect, test } from "vitest";
import { seededRandom } from "../../../../api/operation/demo/random.ts";
import type { Variant } from "../../../../api/selling/catalogue/variants.ts";
import { canDeliver, quote } from "../../../../api/selling/quote/quote.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { type Basket, inventBasket, priceByRules, shopOf, variantsOf } from "./by-the-rules.ts";

/** The same by the shop. */
function priceByShop(basket: Basket) {
  const { place, number, lines, chosen } = basket;
  const shop = shopOf(basket);
  const variants = variantsOf(basket);
  const checked = { checked_at: "2026-11-22T12:00:00.000Z", consultation_number: null };
  const vat_check = number && { vat_id: number.vat_id, result: number.result, ...checked };
  const wanted = lines.map(({ quantity }, at) => ({ variant: variants[at] as Variant, quantity }));
  const destination = { country: place.country, postal_code: place.postal_code, vat_check };
  if (!canDeliver(shop, wanted, destination, chosen)) return undefined;
  const quoted = quote(shop, wanted, destination, chosen);
  return {
    treatment: quoted.treatment,
    way: quoted.shipping.code,
    ways: quoted.ways.map(({ code, total }) => [code, total]),
    lines: quoted.lines.map((line) => [line.unit_price, line.net_total, line.tax_total, line.total]),
    shipping: [quoted.shipping.price, quoted.shipping.total],
    taxes: quoted.tax_lines.map(({ title, amount, taxable }) => [title, amount, taxable]),
    totals: quoted.totals,
  };
}

test("baskets cost what the rules say, to the last digit, in each kind of currency, for each place and home", () => {
  const random = seededRandom(seedFor("api/selling", "api/contract"));
  for (let nth = 0; nth < byDepth({ usual: 500, deep: 2_000 }); nth += 1) {
    const basket = inventBasket(random, nth);
    expect({ basket, ...priceByShop(basket) }).toEqual({ basket, ...priceByRules(basket) });
  }
});
