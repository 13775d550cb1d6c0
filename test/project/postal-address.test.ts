import { expect, test } from "vitest";
import { TOWN_FIRST, townLines } from "../../api/selling/order-view/postal-address.ts";
import { TOWN_FIRST as onPages, townLine } from "../../site/content-schema/postal-address.ts";

test("pages, orders and mails write town and postcode in the same order", () => {
  expect(onPages).toEqual(TOWN_FIRST);
  for (const country_code of ["GB", "NL"]) {
    const place = { city: "Leeds", postal_code: "LS1", country_code };
    expect(townLines({ ...place, region: null })[0]).toBe(townLine(place));
  }
});
