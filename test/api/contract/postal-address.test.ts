import { expect, test } from "vitest";
import { townLines } from "../../../api/contract/postal-address.ts";

test("town, region and postcode are in the order of their country, and what is empty has no line", () => {
  const at = (country_code: string, region: string | null = null) =>
    townLines({ city: "Leeds", region, postal_code: "LS1", country_code });
  expect([at("GB"), at("NL"), at("US", "IL"), at("IT", "MI")]).toEqual([
    ["Leeds LS1"],
    ["LS1 Leeds"],
    ["Leeds IL LS1"],
    ["LS1 Leeds", "MI"],
  ]);
  expect(townLines({ city: "Leeds", postal_code: null, country_code: "NL" })).toEqual(["Leeds"]);
});
