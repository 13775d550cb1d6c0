import { expect, test } from "vitest";
import {
  countryOfVatNumber,
  EU_VAT_AREA,
  readForeignVatNumber,
  readVatNumber,
} from "../../../../api/selling/quote/vat-number.ts";

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
  ["DE 136–695–976", "DE136695976"], // en dash
  ["DE\u00A0136\u2009695\u202F976", "DE136695976"],
  ["DE 136\u2212695\u2011976\t", "DE136695976"],
  ["ＤＥ１３６６９５９７６", "DE136695976"], // full-width
  ["\u200BDE136\u00AD695976", "DE136695976"],
  ["VAT NL123456789B01", "NL123456789B01"],
  ["VATNL123456789B01", "NL123456789B01"],
  ["Btw-nr. NL1234.56.789.B.01", "NL123456789B01"],
  ["USt-IdNr.: DE 136 695 976", "DE136695976"],
  ["N° TVA FR XX 123 456 789", "FRXX123456789"],
  ["Numéro de TVA : FR 12 123456789", "FR12123456789"],
  ["P. IVA IT12345678901", "IT12345678901"],
  ["EU VAT No. IE1234567WA", "IE1234567WA"],
  ["DIČ: CZ12345678", "CZ12345678"],
  ["ΑΦΜ EL123456789", "EL123456789"],
  ["CIF: RO12345", "RO12345"],
  ["DE DE136695976", "DE136695976"],
  ["GR EL123456789", "EL123456789"],
  ["BE 428.759.497", "BE0428759497"],
  ["BTW BE-0428.759.497", "BE0428759497"],
  ["SE 556677-8899/01", "SE556677889901"],
])("“%s” is %s", (text, read) => {
  expect(readVatNumber(text)).toEqual({ country: read.slice(0, 2), number: read.slice(2) });
});

test.each([
  ["12345678901", "IT", "IT12345678901"],
  ["P.IVA 12345678901", "IT", "IT12345678901"],
  ["0428.759.497", "BE", "BE0428759497"],
  ["123456789B01", "NL", "NL123456789B01"],
  ["DE136695976", "IT", "DE136695976"],
  ["136695976", "DE", undefined], // in Germany they are always written
  ["123456789", "LT", undefined], // could as well be the number of a company
  ["DE12345678", "DK", undefined],
  ["EU123456789", "PT", undefined], // of the One Stop Shop: a seller outside the EU
  ["136695976", "US", undefined],
])("“%s” of a buyer in %s is %s", (text, home, read) => {
  expect(readVatNumber(text, home)).toEqual(read && { country: read.slice(0, 2), number: read.slice(2) });
});

test.each([
  "",
  "DE",
  "123456789",
  "DE12345678",
  "DE1234567890",
  "VAT NRO 12345",
  "DE 136695976, AT U12345678",
  "GB123456789",
  "CHE123456789",
  "NL123456789A01",
  "__12",
])("“%s” isn't a VAT number of the EU", (text) => {
  expect(readVatNumber(text)).toBeUndefined();
});

test.each([
  ["gb 123 4567 89", "", "GB 123 4567 89"],
  ["VAT Reg. No. GB123456789", "DE", "GB123456789"],
  ["GBGD123", "DE", "GBGD123"],
  ["che–123.456.789 mwst", "CH", "CHE-123.456.789 MWST"],
  ["UID: CHE-123.456.789 TVA", "FR", "CHE-123.456.789 TVA"],
  ["no 123 456 789 mva", "DE", "NO 123 456 789 MVA"],
  ["NO 123 456 789", "NO", "123 456 789"],
  ["US 12-3456789", "DE", "US 12-3456789"],
  ["EIN 12-3456789", "US", "EIN 12-3456789"],
  ["52\u00A0123", "LI", "52 123"],
])("“%s” of a buyer in %s is kept as “%s”", (text, home, kept) => {
  expect([readVatNumber(text, home), readForeignVatNumber(text, home)]).toEqual([undefined, kept]);
});

test.each([
  ["none", "US"],
  ["12", "CH"],
  ["DE12345678", "CH"], // a number of the EU with a digit missing
  ["<b>12345</b>", "US"],
  [`1${"\uFDFA".repeat(20)}23`, "US"], // 360 characters once they are spelled out
  ["136695976", "DE"],
  ["136695976", ""],
  ["Nr. 136695976", "DE"], // NR is also Nauru
  ["NO 136695976", "DE"],
  ["QQ 123456789", "DE"],
  ["DE12", "DE"],
])("“%s” of a buyer in %s is no VAT number", (text, home) => {
  expect([readVatNumber(text, home), readForeignVatNumber(text, home)]).toEqual([undefined, undefined]);
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
