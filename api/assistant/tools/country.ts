import Type from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { PLACE } from "../../contract/patterns.ts";
import { placeCode } from "../../contract/territories.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { deliveryZone, describeDeliveries } from "../../selling/quote/quote.ts";

/** The country of delivery. */
export const Country = Type.String({
  pattern: PLACE,
  title: "Write the country's two capital letters by ISO 3166, such as DE.",
  description:
    "The country of delivery: two capital letters by ISO 3166, such as DE; GB for the United Kingdom. Parts of a country with a price or tax of their own have a code: ES-CN for the Canary Islands, XI for Northern Ireland.",
});

/** The place of a country or territory, by its own code. Throws 422 where the shop doesn't deliver to it. */
export function readPlace(shop: ShopFacts, country: string): string {
  const place = placeCode(country);
  if (deliveryZone(shop, { country: place, postal_code: null }) !== undefined) return place;
  const { places } = describeDeliveries(shop);
  throw new ApiError("unprocessable", `The shop doesn't deliver there. Countries: ${places.toSorted().join(", ")}.`, {
    errors: [{ in: "body", field: "arguments.country", detail: "Write a country that the shop delivers to." }],
  });
}
