import { expect, test } from "vitest";
import { countryOfVatNumber, EU_VAT_AREA, readVatNumber } from "../../../../api/selling/quote/vat-number.ts";

test.each([
  "ATU12345678",
  "BE0123456789",
  "BG123456789",
  "CY12345678X",
  "CZ1234567890",
  "DE123456789",
  "DK12345678",
  "EE123456789",
  "EL123456789",
  "ESX12345678",
  "ES12345678X",
  "FI12345678",
  "FRXX123456789",
  "HR12345678901",
  "HU12345678",
  "IE1234567WA",
  "IE1A12345W",
  "IT12345678901",
  "LT123456789012",
  "LU12345678",
  "LV12345678901",
  "MT12345678",
  "NL123456789B01",
  "PL1234567890",
  "PT123456789",
  "RO12",
  "SE123456789012",
  "SI12345678",
  "SK1234567890",
  "XI123456789",
  "XIGD123",
])("%s has the form of its country's VAT numbers", (text) => {
  expect(readVatNumber(text)).toEqual({ country: text.slice(0, 2), number: text.slice(2) });
});

test("blanks, dots, hyphens and lower case are forgiven, and GR for Greece", () => {
  expect(readVatNumber(" nl 1234.56.789-b01 ")).toEqual({ country: "NL", number: "123456789B01" });
  expect(readVatNumber("gr123456789")).toEqual({ country: "EL", number: "123456789" });
});

test.each([
  "",
  "DE",
  "123456789",
  "DE12345678",
  "DE1234567890",
  "GB123456789",
  "CHE123456789",
  "NL123456789A01",
  "__12",
])("“%s” isn't a VAT number of the EU", (text) => {
  expect(readVatNumber(text)).toBeUndefined();
});

test("a number's country is an ISO code", () => {
  expect(["EL123456789", "XI123456789", "DE123456789", "DE1"].map(countryOfVatNumber)).toEqual([
    "GR",
    "XI",
    "DE",
    undefined,
  ]);
  expect(EU_VAT_AREA.size).toBe(28);
  expect(EU_VAT_AREA.has("GR")).toBe(true);
});
