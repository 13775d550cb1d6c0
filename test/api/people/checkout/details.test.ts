import { expect, test } from "vitest";
import { readDetails, toForm } from "../../../../api/people/checkout/details.ts";
import { shippingTo, shopFacts } from "../../selling/quote/shop.ts";
import { filledForm } from "./filled-form.ts";

const shop = shopFacts({
  shipping: shippingTo({ price: "7.50", countries: ["AT", "DE", "GB", "GR", "HK", "NL", "ES", "FR", "RE", "PT"] }),
});

test("a filled form becomes the details, with its optional fields null", () => {
  expect(readDetails(filledForm(), shop)).toEqual({
    details: {
      email: "ada@novak.example",
      first_name: "Ada",
      last_name: "Novák",
      company: "Novák Retail GmbH",
      vat_id: null,
      buyer_reference: null,
      phone: null,
      shipping_address: {
        first_name: "Ada",
        last_name: "Novák",
        company: "Novák Retail GmbH",
        address1: "Lange Straße 12",
        address2: null,
        city: "Köln",
        postal_code: "50667",
        region: null,
        country_code: "DE",
        phone: null,
      },
      billing_address: null,
      note: null,
      method: null,
    },
  });
});

test("an empty form has an error at each required field, in the order of the page", () => {
  const blank = Object.fromEntries(Object.keys(filledForm()).map((name) => [name, " "])) as ReturnType<
    typeof filledForm
  >;
  delete blank.is_business;
  const { faults = {} } = readDetails(blank, shop);
  expect(Object.entries(faults)).toEqual([
    ["email", "missing"],
    ["first_name", "missing"],
    ["last_name", "missing"],
    ["is_business", "missing"],
    ["company", "missing"],
    ["address1", "missing"],
    ["postal_code", "missing"],
    ["city", "missing"],
    ["country_code", "missing"],
  ]);
});

test.each([
  ["de 136.695-976", "DE136695976"],
  ["gr123456789", "EL123456789"],
  ["\tDE\t136695976", "DE136695976"],
  ["U12345678", "ATU12345678"],
  ["che-123.456.789 MWSt", "CHE-123.456.789 MWST"],
  ["Umsatzsteuer-Identifikationsnummer: DE136695976", "DE136695976"],
  ["Numéro de TVA intracommunautaire : FR40 303 265 045", "FR40303265045"],
  ["", null],
])("the VAT number %j is stored as %j", (vat_id, stored) => {
  expect(readDetails(filledForm({ vat_id, country_code: "AT", postal_code: "1010" }), shop).details?.vat_id).toBe(
    stored,
  );
});

test("the country of the invoice, not that of delivery, decides what a VAT number without letters is", () => {
  const billing = { billing_differs: "yes", billing_address1: "Herrengasse 1", billing_city: "Wien" } as const;
  const entered = { ...billing, billing_postal_code: "1010", billing_country_code: "AT", vat_id: "U12345678" };
  const { details } = readDetails(filledForm(entered), shop);
  expect(details?.vat_id).toBe("ATU12345678");
  const { faults } = readDetails(filledForm({ vat_id: "U12345678" }), shop);
  expect(faults).toEqual({ vat_id: "format" });
});

test.each([
  [" bt1  5gs ", "GB", "BT1 5GS"],
  [".BT15GS", "GB", "BT1 5GS"],
  ["D-50667", "DE", "50667"],
  ["1000205", "PT", "1000-205"],
  ["97400", "RE", "97400"],
  ["97400", "FR", "97400"],
  ["nowhere-1", "NL", "NOWHERE-1"],
  ["", "HK", null],
])("the postal code %j in %s is stored as %j", (postal_code, country_code, stored) => {
  const { details } = readDetails(filledForm({ postal_code, country_code }), shop);
  expect(details?.shipping_address?.postal_code).toBe(stored);
});

test.each([
  [{ email: "ada" }, { email: "format" }],
  [{ email: "ada@novak" }, { email: "format" }],
  [{ email: "ada@novak.example, eve@evil.example" }, { email: "format" }],
  [{ email: "ada@novak.example\r\nBcc: eve@evil.example" }, { email: "format" }],
  ...["inv..7@novak.example", ".a@novak.example", "ada@-novak.example", "ada@127.0.0.1", "ada@[127.0.0.1]"].map(
    (email) => [{ email }, { email: "format" }] as const,
  ),
  [{ email: `${"a".repeat(64)}@${"b".repeat(200)}.example` }, { email: "too_long" }],
  [{ first_name: "\u200b\u2060\ufeff\u00ad" }, { first_name: "missing" }],
  [{ last_name: "\u202e\u200d\u3164\ufe0f" }, { last_name: "missing" }],
  [{ company: "half \ud83d emoji" }, { company: "unreadable" }],
  [{ note: "n".repeat(2_001) }, { note: "too_long" }],
  [{ vat_id: "DE12" }, { vat_id: "format" }],
  [{ vat_id: "CHE-123.456" }, { vat_id: "format" }],
  [{ vat_id: "VAT".repeat(20_000) }, { vat_id: "too_long" }],
  [{ vat_id: `VAT${" ".repeat(97)}DE136695976` }, { vat_id: "too_long" }],
  [
    { vat_id: `EIN 12-3456789 ${"Delaware ".repeat(5)}`, country_code: "GB", postal_code: "BA1 1AA" },
    { vat_id: "format" },
  ],
  [{ country_code: "" }, { country_code: "missing" }],
  [{ country_code: "US" }, { country_code: "unserved" }],
  [{ postal_code: "" }, { postal_code: "missing" }],
  [{ postal_code: "ВT1 5GS", country_code: "GB" }, { postal_code: "british" }],
  [{ postal_code: "BT1", country_code: "GB" }, { postal_code: "british" }],
  [{ postal_code: "5066" }, { postal_code: "five_digits" }],
  [{ postal_code: "1000-20", country_code: "PT" }, { postal_code: "portuguese" }],
  [{ postal_code: "27498" }, { postal_code: "unserved" }],
  [{ postal_code: "35001", country_code: "ES" }, { postal_code: "unserved" }],
  [{ postal_code: "JE2 3AB", country_code: "GB" }, { postal_code: "unserved" }],
  [{ postal_code: "75001", country_code: "RE" }, { postal_code: "elsewhere" }],
  [{ postal_code: "98500", country_code: "FR" }, { postal_code: "elsewhere" }],
] as const)("%j is refused: %j", (entered, faults) => {
  expect(readDetails(filledForm(entered), shop)).toEqual({ faults });
});

test.each(["<script>alert(1)</script>", "<!--#include file='x'-->", "مها 🦆 {{ email }}", "O’Brien & Söhne"])(
  "the name %j is kept as it is",
  (last_name) => {
    expect(readDetails(filledForm({ last_name }), shop).details?.last_name).toBe(last_name);
  },
);

test("what nobody sees or turns other characters leaves every text, and a pasted line break becomes a blank", () => {
  const hidden = (text: string) => `\u2067\ufeff${[...text].join("\u200b\u00ad")}\u2069\u0000\u200e `;
  const texts = {
    ...{
      email: "ada@novak.example",
      first_name: "Ada",
      last_name: "Nová\u0301k".normalize("NFC"),
      company: "Novák GmbH",
    },
    ...{ buyer_reference: "PO-7741", phone: "+420 601", address1: "Lange Straße 12", address2: "Hof", city: "Köln" },
    ...{ postal_code: "50667", region: "NRW", country_code: "DE", note: "Ring twice.", vat_id: "DE136695976" },
  };
  const plain = readDetails(filledForm(texts), shop);
  expect(plain.faults).toBeUndefined();
  const typed = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, hidden(text).normalize("NFD")]));
  expect(readDetails(filledForm(typed), shop)).toEqual(plain);
  const broken = readDetails(filledForm({ last_name: "Novák\u2028Smith\r\nJr\t." }), shop);
  expect(broken.details?.last_name).toBe("Novák Smith Jr .");
});

test.each([
  "نامه\u200cای",
  "क्\u200dष",
  "अवन्\u200d",
  "👩🏽\u200d💻 Ada",
  "🏳\ufe0f\u200d🌈",
  "葛\u{e0100}城",
  "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
  "❤\ufe0f\u200d🔥 1\ufe0f\u20e3",
  "ᠠ\u180b",
])("the name %j keeps its joiners and forms", (last_name) => {
  expect(readDetails(filledForm({ last_name }), shop).details?.last_name).toBe(last_name);
});

test.each([
  ["+49\u200d30\u200c1", "+49301"], // joiners between what are no letters
  ["Ma\ufe0fr\u{e0100}kt 1\ufe0f.\ufe00", "Markt 1."], // forms of characters that have one
  ["葛\u{e0100}\u{e0101}城\ufe0f", "葛\u{e0100}城"],
  ["Novak\ufffe\u{10ffff}\ufdd0", "Novak"],
  ["Novak\ufffc", "Novak"],
])("of %j, %j is kept", (typed, kept) => {
  const { details } = readDetails(filledForm({ last_name: typed, phone: typed, address1: typed }), shop);
  expect(details).toMatchObject({ last_name: kept, phone: kept, shipping_address: { address1: kept } });
});

test("characters that nobody sees are no name", () => {
  for (const company of ["\uffff", "\ufffc\u3164", "\u2800\u{e0041}\u{e007f}", "\u115f\u1160\uffa0"])
    expect(readDetails(filledForm({ company }), shop)).toEqual({ faults: { company: "missing" } });
});

test("lengths count characters, so that 100 emoji are a name", () => {
  expect(readDetails(filledForm({ first_name: "🦆".repeat(100) }), shop).faults).toBeUndefined();
  expect(readDetails(filledForm({ first_name: "🦆".repeat(101) }), shop).faults).toEqual({
    first_name: "too_long",
  });
});

test("line breaks in a note are stored as \\n", () => {
  expect(readDetails(filledForm({ note: "Ring twice.\r\nThank you.\r\n" }), shop).details?.note).toBe(
    "Ring twice.\nThank you.",
  );
});

const billing = {
  billing_differs: "yes",
  billing_company: "Novák Holding",
  billing_address1: "Dlouhá 1",
  billing_city: "Athína",
  billing_postal_code: "105 57",
  billing_country_code: "GR",
} as const;

test("a billing address counts if its box is ticked", () => {
  const { details } = readDetails(filledForm(billing), shop);
  expect(details?.billing_address).toMatchObject({
    company: "Novák Holding",
    address1: "Dlouhá 1",
    postal_code: "105 57",
    country_code: "GR",
  });
});

test("a billing address without its tick is ignored, errors included", () => {
  const { billing_differs: _, ...unticked } = billing;
  const { details } = readDetails(filledForm({ ...unticked, billing_country_code: "US" }), shop);
  expect(details).toMatchObject({ billing_address: null });
});

test("a ticked but empty billing address needs street, town, postal code and country", () => {
  expect(readDetails(filledForm({ billing_differs: "yes" }), shop).faults).toEqual({
    billing_address1: "missing",
    billing_city: "missing",
    billing_postal_code: "missing",
    billing_country_code: "missing",
  });
});

test("stored details fill the form again so that it can be sent unchanged", () => {
  const entered = filledForm({ ...billing, vat_id: "DE136695976", phone: "+49 221 1", note: "One\nTwo" });
  const { details } = readDetails(entered, shop);
  expect(details && toForm(details)).toEqual({ ...entered, method: "" });
});

test("who collects the goods gives the address of the invoice alone, in any country", () => {
  const collecting = { method: "pickup", collects: "yes", country_code: "JP", postal_code: "100-0001" } as const;
  const { details } = readDetails(filledForm({ ...collecting, billing_differs: "yes" }), shop);
  expect(details).toMatchObject({
    method: "pickup",
    shipping_address: null,
    billing_address: { address1: "Lange Straße 12", country_code: "JP", postal_code: "100-0001" },
  });
  expect(details && toForm(details)).toMatchObject({ ...collecting, address1: "Lange Straße 12" });
  expect(readDetails(filledForm({ ...collecting, country_code: "" }), shop).faults).toEqual({
    country_code: "missing",
  });
});
