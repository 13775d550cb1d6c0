import fc from "fast-check";
import { expect, test } from "vitest";
import { countryOfVatNumber, readForeignVatNumber, readVatNumber } from "../../../../api/selling/quote/vat-number.ts";

const VALID = [
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
];

test.each(VALID)("%s has the form of its country's VAT numbers", (text) => {
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
  ["GB XI123456789", "XI123456789"],
  ["BE0123.456.789 RPR Brussel", "BE0123456789"],
  ["USt-IdNr. gem. § 27 a UStG: DE136695976", "DE136695976"],
  ["SE-nr. DK12345678", "DK12345678"],
  ["VAT No. IE1A12345W (Dublin)", "IE1A12345W"],
])("“%s” is %s", (text, read) => {
  expect(readVatNumber(text)).toEqual({ country: read.slice(0, 2), number: read.slice(2) });
});

test.each([
  ["12345678901", "IT", "IT12345678901"],
  ["P.IVA 12345678901", "IT", "IT12345678901"],
  ["0428.759.497", "BE", "BE0428759497"],
  ["123456789B01", "NL", "NL123456789B01"],
  ["DE136695976", "IT", "DE136695976"],
  ["C.F. e P.IVA 12345678901", "IT", "IT12345678901"],
  ["IT P.IVA 12345678901", "IT", "IT12345678901"],
  ["NIF n.º 501 234 567", "PT", "PT501234567"],
  ["VAT No. 501234567", "PT", "PT501234567"],
  ["BTW-id: 123456789B01", "NL", "NL123456789B01"],
  ["501234567 PT", "PT", "PT501234567"],
  ["Número de IVA 501234567", "PT", "PT501234567"],
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
  "IE 1234567W A", // or IE1234567WA
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
  ["NO 123 456 789", "NO", "NO 123 456 789"],
  ["NO 999999999", "DE", "NO 999999999"],
  ["NO999999999", "PT", "NO999999999"],
  ["999 999 999 MVA", "PT", "999 999 999 MVA"],
  ["IDE CHE-123.456.789 TVA", "CH", "CHE-123.456.789 TVA"],
  ["IDI CHE-123.456.789", "CH", "CHE-123.456.789"],
  ["IDE CHE-123.456.789", "DE", "CHE-123.456.789"],
  ["REGON 123456789", "CH", "REGON 123456789"],
  ["NIPT K12345678A", "CH", "NIPT K12345678A"],
  ["N.I.T. 900.123.456-7", "CO", "N.I.T. 900.123.456-7"],
  ["C.U.I.T. 20-12345678-6", "AR", "C.U.I.T. 20-12345678-6"],
  ["GADE680524123", "MX", "GADE680524123"], // Mexican; not DE680524123
  ["GB 123 4567 89", "FR", "GB 123 4567 89"],
  ["CH123456789", "FR", "CH123456789"],
  ["US123456789", "FR", "US123456789"],
  ["NO 501234567", "PT", "NO 501234567"],
  ["US EIN 12-3456789", "PT", "US EIN 12-3456789"],
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
  ["No. 136695976", "DE"],
  ["№ 136695976", "DE"],
  ["Nº 136695976", "DE"],
  ["NR 303265045", "FR"], // the number of a company, not FRNR303265045
  ["EIN 12-3456789", "PT"],
  ["Norway 501234567", "PT"],
  ["My VAT 136695976", "DE"], // MY is also Malaysia
  ["My VAT number is 136695976", "DE"],
  ["501234567 GB", "PT"],
  ["501234567 DE", "PT"],
  ["DE 12345678", "DK"],
  ["SE 12345678", "DK"],
  ["VAT NO 501234567", "PT"], // or Norwegian
  ["ATU1234567", "CH"],
  ["AT12345678", "GB"],
  ["ESB1234567", "NO"],
  ["ESX123456L", "CH"],
  ["ES X-123.456 L", "CH"],
  ["FRXX12345678", "CH"],
  ["XIGD12", "GB"],
  ["EU372022452", "DE"],
  ["EU 372022452", "CH"],
  ["VATDE12345678", "CH"],
  ["UID: DE 12345678", "CH"],
  ["DEO36695976", "CH"], // the letter
  ["DЕ136695976", "CH"], // a Cyrillic Е
  ["ЕЕ 123456789", "CH"], // two of them
  ["GB 123456789, DE 136695976", "CH"],
  ["DE 136695976 12", "CH"],
  [`CHE${"-".repeat(40)}123456789`, "CH"],
  [`Registration ${"x".repeat(30)} 123`, "CH"],
  ["QQ 123456789", "DE"],
  ["DE12", "DE"],
])("“%s” of a buyer in %s is no VAT number", (text, home) => {
  expect([readVatNumber(text, home), readForeignVatNumber(text, home)]).toEqual([undefined, undefined]);
});

const WORDS = [
  ...["", "VAT", "VAT no.", "VAT Reg. No", "EU VAT ID", "Our VAT number is", "Tax ID", "USt-IdNr.", "UID", "USt-ID"],
  ...["Umsatzsteuer-Identifikationsnummer", "USt-IdNr. gem. § 27 a UStG", "MWST-Nr.", "btw", "btw-nr."],
  ...["btw-identificatienummer", "TVA", "N° TVA", "Numéro de TVA intracommunautaire", "TVA intra", "P. IVA"],
  ...["C.F. e P.IVA", "Partita IVA n.", "NIF-IVA", "N.º IVA", "CIF", "Momsregistreringsnummer", "SE-nr.", "CVR-nr."],
  ...["ALV-numero", "KMKR number", "PVN", "PVM kodas", "NIP", "DIČ", "IČ DPH", "adószám", "ID za DDV", "OIB", "PDV ID"],
  ...["ИН по ДДС", "ΑΦΜ", "Α.Φ.Μ.", "cod fiscal", "Uimhir CBL", "Numru tal-VAT", "№", "Nº"],
];
const words = fc.constantFrom(...WORDS);
const separators = fc.constantFrom(" ", ": ", ":", " – ", "\t", " = ", " (", " / ", ", ", "\u00A0", ".: ");
const homes = fc.constantFrom(..."AT BE DE DK ES FI FR HR IT NL PT SI SE CH GB NO US".split(" "), "");
const asTyped = (number: string, between: string, isLower: boolean) => {
  const spaced = number.slice(0, 2) + number.slice(2).replaceAll(/.(?=.{3})/g, `$&${between}`);
  return isLower ? spaced.toLowerCase() : spaced;
};
const valid = fc
  .tuple(fc.constantFrom(...VALID), fc.constantFrom("", " ", ".", "-", "\u2013", "\u2009"), fc.boolean())
  .map(([number, between, isLower]) => ({ number, typed: asTyped(number, between, isLower) }));

test("whatever label and signs stand around a number of the EU, it is read, and never as a foreign one", () => {
  const property = fc.property(
    valid,
    words,
    separators,
    words,
    homes,
    ({ number, typed }, label, sign, after, home) => {
      const text = `${label}${sign}${typed}${/\d/.test(after) ? "" : ` ${after}`}`;
      expect(readVatNumber(text, home)).toEqual({ country: number.slice(0, 2), number: number.slice(2) });
      expect(readForeignVatNumber(text, home)).toBeUndefined();
    },
  );
  fc.assert(property, { numRuns: 3_000 });
});

test("a number of the EU that lacks a digit, or has one too many, is no number, wherever the invoice goes", () => {
  const wrong = valid.filter(({ number }) => !/^(BG|CZ|LT|RO|XI)/.test(number)); // of several lengths
  const property = fc.property(
    wrong,
    words,
    separators,
    homes,
    fc.boolean(),
    ({ number, typed }, label, sign, home, more) => {
      const changed = more ? `${typed}7` : typed.replace(/(\d)(?=\D*$)|\d(?=[^\d]*[A-Z]+$)/i, "");
      fc.pre(readVatNumber(changed)?.country !== number.slice(0, 2)); // the older Belgian form
      const text = `${label}${sign}${changed}`;
      expect([readVatNumber(text, home), readForeignVatNumber(text, home)]).toEqual([undefined, undefined]);
    },
  );
  fc.assert(property, { numRuns: 3_000 });
});

const FOREIGN = [
  ...["CHE-123.456.789", "CHE-123.456.789 MWST", "NO 501234567 MVA", "NO501234567", "GB 123 4567 89", "GBGD123"],
  ...["US12-3456789", "TR 1234567890", "RS 101134702", "AU 51824753556", "IS 12345", "CH123456789", "US123456789"],
];

test("a number of a country outside the EU is never read as one of the EU, and what is kept is read as the same again", () => {
  const property = fc.property(fc.constantFrom(...FOREIGN), words, separators, homes, (number, label, sign, home) => {
    expect(readForeignVatNumber(number, home)).toBe(number);
    const text = `${label}${sign}${number}`;
    const kept = readForeignVatNumber(text, home);
    expect(readVatNumber(text, home)).toBeUndefined();
    if (kept !== undefined) {
      expect(kept.length).toBeLessThanOrEqual(40);
      expect([readVatNumber(kept, home), readForeignVatNumber(kept, home)]).toEqual([undefined, kept]);
    }
  });
  fc.assert(property, { numRuns: 3_000 });
});

test("a number's country is an ISO code", () => {
  expect(["EL123456789", "XI123456789", "DE123456789", "DE1"].map(countryOfVatNumber)).toEqual([
    "GR",
    "XI",
    "DE",
    undefined,
  ]);
});
