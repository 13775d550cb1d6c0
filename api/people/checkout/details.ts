import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { COUNTRIES } from "../../contract/countries.ts";
import { PICKUP } from "../../contract/delivery-methods.ts";
import { readEmailAddress } from "../../contract/email-address.ts";
import { type PostcodeForm, placeOf, postcodeForm, readPostcode } from "../../contract/territories.ts";
import type { StoredCheckoutDetails } from "../../platform/database/tables.ts";
import { showEmail } from "../../platform/mail/email-address.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { deliveryCountries, deliveryZone } from "../../selling/quote/quote.ts";
import { readForeignVatNumber, readVatNumber } from "../../selling/quote/vat-number.ts";

const strict = { additionalProperties: false };
const Text = Type.String();
const Ticked = Type.Optional(Type.Literal("yes"));

/** What the browser sends: every text field, and the boxes that are ticked, in the order of the page. */
export const DetailsForm = Type.Object(
  {
    email: Text,
    first_name: Text,
    last_name: Text,
    phone: Text,
    is_business: Ticked,
    company: Text,
    vat_id: Text,
    buyer_reference: Text,
    address1: Text,
    address2: Text,
    postal_code: Text,
    city: Text,
    region: Text,
    country_code: Text,
    billing_differs: Ticked,
    // The form of who collects the goods lacks them.
    billing_company: Type.Optional(Text),
    billing_address1: Type.Optional(Text),
    billing_address2: Type.Optional(Text),
    billing_postal_code: Type.Optional(Text),
    billing_city: Type.Optional(Text),
    billing_region: Type.Optional(Text),
    billing_country_code: Type.Optional(Text),
    note: Text,
    /** The code of the way of delivery; empty where none was chosen. The form of an earlier release lacks both. */
    method: Type.Optional(Text),
    /** Whether the form has the fields of who collects the goods. */
    collects: Ticked,
  },
  strict,
);
export type DetailsForm = Static<typeof DetailsForm>;
export type FieldName = keyof DetailsForm;
type TextName = Exclude<FieldName, "billing_differs" | "is_business" | "method" | "collects">;

/** Who collects the goods gives no address but the one of the invoice. */
export const isCollecting = ({ method }: { method?: string | null }): boolean => method === PICKUP;

/** Characters that a field may have; `buyer_reference` is a VARCHAR of that length. */
const MAX_CHARACTERS: Readonly<Record<TextName, number>> = {
  email: 254, // RFC 5321 §4.5.3.1.3, without the angle brackets
  first_name: 100,
  last_name: 100,
  company: 200,
  vat_id: 100, // with the words around it; 40 are stored
  buyer_reference: 191,
  phone: 50,
  address1: 200,
  address2: 200,
  city: 100,
  postal_code: 20,
  region: 100,
  country_code: 2,
  billing_company: 200,
  billing_address1: 200,
  billing_address2: 200,
  billing_city: 100,
  billing_postal_code: 20,
  billing_region: 100,
  billing_country_code: 2,
  note: 2_000,
};

/**
 * What is wrong with a field; `checks` is for a VAT number that can't be asked about now, and `expired` for one that was
 * confirmed too long ago (routes.ts). A postal code may lack its country's form, be another country's, or be where the shop
 * doesn't deliver, as a country may.
 */
export type FieldFault =
  | "missing"
  | "too_long"
  | "unreadable"
  | "format"
  | "checks"
  | "expired"
  | PostcodeForm
  | "elsewhere"
  | "unserved";

export type FieldFaults = Partial<Record<FieldName, FieldFault>>;

const REQUIRED: readonly TextName[] = ["email", "first_name", "last_name", "company", "address1", "city"];
const BILLING_REQUIRED: readonly TextName[] = ["billing_address1", "billing_city"];

/** Countries whose addresses have no postal code (Universal Postal Union, postal addressing systems). */
const WITHOUT_POSTAL_CODE = new Set(
  "AE AG AO AW BF BI BJ BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP LC LY ML MO MR MW NR NU QA RW SB SC SL SR SS ST SY TD TG TK TL TO TV UG VU WS YE ZW".split(
    " ",
  ),
);

/**
 * Reads the form of the checkout: blanks around a text and hidden characters are dropped, a postal code and a VAT
 * number are taken in any case, and the billing address counts only if it is ticked. The countries are those that the
 * shop delivers to, and its invoices go there too: a second list, of all countries, would make the page heavier than
 * its budget. Where goods are collected, the address is that of the invoice, in any country. Returns the details to store, or what is wrong with each field; an error is about the field alone and
 * never quotes it.
 */
export function readDetails(
  form: DetailsForm,
  shop: ShopFacts,
): { details: StoredCheckoutDetails; faults?: never } | { details?: never; faults: FieldFaults } {
  const collects = isCollecting(form);
  const billing = !collects && form.billing_differs === "yes";
  const texts = Object.fromEntries(
    textNames.map((name) => [name, readTyped(form[name] ?? "", { lines: name === "note" })]),
  );
  const value = (name: TextName) => texts[name] ?? "";
  const countries = collects ? INHABITED : deliveryCountries(shop);
  const faults: FieldFaults = {};
  for (const name of textNames) {
    if (name.startsWith("billing_") && !billing) continue;
    const fault = findFault(name, value(name));
    if (fault !== undefined) faults[name] = fault;
  }
  // Only then is it short enough to be read.
  const vatId = faults.vat_id
    ? null
    : readVatId(value("vat_id"), value(billing ? "billing_country_code" : "country_code"));
  if (vatId === undefined) faults.vat_id = "format";
  for (const name of billing ? [...REQUIRED, ...BILLING_REQUIRED] : REQUIRED)
    if (value(name) === "") faults[name] = "missing";
  for (const prefix of billing ? (["", "billing_"] as const) : ([""] as const)) {
    const country = value(`${prefix}country_code`);
    if (!countries.includes(country))
      faults[`${prefix}country_code`] = country === "" || collects ? "missing" : "unserved";
    if (value(`${prefix}postal_code`) === "" && !WITHOUT_POSTAL_CODE.has(country))
      faults[`${prefix}postal_code`] = "missing";
  }
  const place = { country: value("country_code"), postal_code: value("postal_code") || null };
  if (countries.includes(place.country) && faults.postal_code === undefined) {
    const fault = collects ? undefined : findPlaceFault(shop, place);
    if (fault !== undefined) faults.postal_code = fault;
  }
  if (form.is_business !== "yes") faults.is_business = "missing";
  if (Object.keys(faults).length > 0) return { faults: inOrder(faults) };

  const orNull = (name: TextName) => value(name) || null;
  const address = (prefix: "" | "billing_"): NonNullable<StoredCheckoutDetails["billing_address"]> => ({
    first_name: value("first_name"),
    last_name: value("last_name"),
    company: orNull(`${prefix}company`) ?? value("company"),
    address1: value(`${prefix}address1`),
    address2: orNull(`${prefix}address2`),
    city: value(`${prefix}city`),
    postal_code:
      readPostcode(value(`${prefix}country_code`), value(`${prefix}postal_code`)) ??
      (value(`${prefix}postal_code`).toUpperCase().replaceAll(/\s+/g, " ") || null),
    region: orNull(`${prefix}region`),
    country_code: value(`${prefix}country_code`),
    phone: orNull("phone"),
  });
  return {
    details: {
      email: readEmailAddress(value("email")) ?? "",
      first_name: value("first_name"),
      last_name: value("last_name"),
      company: value("company"),
      vat_id: vatId ?? null,
      buyer_reference: orNull("buyer_reference"),
      phone: orNull("phone"),
      shipping_address: collects ? null : address(""),
      billing_address: collects ? address("") : billing ? address("billing_") : null,
      note: orNull("note"),
      method: form.method || null,
    },
  };
}

const textNames = Object.keys(MAX_CHARACTERS) as TextName[];

/** Nobody has an address in these, and the page with all countries is as heavy as it may be. */
const UNINHABITED = new Set(["AQ", "BV", "GS", "HM", "IO", "TF", "UM"]);
const INHABITED = COUNTRIES.filter((code) => !UNINHABITED.has(code));

/** All countries by their names in a language. */
export function allCountries(locale: string): string[] {
  const known = byName.get(locale);
  if (known) return known;
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const { compare } = new Intl.Collator(locale);
  const sorted = INHABITED.toSorted((a, b) => compare(names.of(a) ?? a, names.of(b) ?? b));
  byName.set(locale, sorted);
  return sorted;
}

const byName = new Map<string, string[]>();

/**
 * A VAT number as it is stored: one of the EU with its country's letters, any other as it reads; null for an empty text,
 * undefined for what isn't one. `country` is where the invoice goes.
 */
function readVatId(text: string, country: string): string | null | undefined {
  if (text === "") return null;
  const vatNumber = readVatNumber(text, country);
  return vatNumber ? vatNumber.country + vatNumber.number : readForeignVatNumber(text, country);
}

function findFault(name: TextName, text: string): FieldFault | undefined {
  if (!text.isWellFormed()) return "unreadable";
  if ([...text].length > MAX_CHARACTERS[name]) return "too_long";
  if (name === "email" && text !== "" && readEmailAddress(text) === undefined) return "format";
  return undefined;
}

/** Why the shop can't deliver to a postal code, where postal codes decide. */
function findPlaceFault(shop: ShopFacts, place: { country: string; postal_code: string | null }) {
  if (deliveryZone(shop, place) !== undefined) return undefined;
  const { country, postal_code } = place;
  if (placeOf(country, postal_code) !== undefined) return "unserved";
  return readPostcode(country, postal_code ?? "") === undefined ? postcodeForm(country) : "elsewhere";
}

/** In the order of the page, as the summary of errors lists them. */
const inOrder = (faults: FieldFaults): FieldFaults =>
  Object.fromEntries(Object.entries(faults).sort(([a], [b]) => place(a) - place(b)));

const names = Object.keys(DetailsForm.properties);
const place = (name: string) => names.indexOf(name);

/** The form filled with stored details. */
export function toForm(details: StoredCheckoutDetails): DetailsForm {
  const collects = isCollecting(details);
  const address = addressOf(details);
  const billing = collects || details.shipping_address === null ? null : details.billing_address;
  return {
    email: showEmail(details.email),
    first_name: details.first_name,
    last_name: details.last_name,
    company: details.company,
    vat_id: details.vat_id ?? "",
    buyer_reference: details.buyer_reference ?? "",
    phone: details.phone ?? "",
    address1: address?.address1 ?? "",
    address2: address?.address2 ?? "",
    city: address?.city ?? "",
    postal_code: address?.postal_code ?? "",
    region: address?.region ?? "",
    country_code: address?.country_code ?? "",
    ...(billing && { billing_differs: "yes" }),
    billing_company: billing?.company ?? "",
    billing_address1: billing?.address1 ?? "",
    billing_address2: billing?.address2 ?? "",
    billing_city: billing?.city ?? "",
    billing_postal_code: billing?.postal_code ?? "",
    billing_region: billing?.region ?? "",
    billing_country_code: billing?.country_code ?? "",
    note: details.note ?? "",
    is_business: "yes",
    method: details.method ?? "",
    ...(collects && { collects: "yes" }),
  };
}

/** The one address that the form begins with: where goods go, or else the invoice of who collects them. */
function addressOf({ shipping_address, billing_address, ...details }: StoredCheckoutDetails) {
  return isCollecting(details) ? (billing_address ?? shipping_address) : (shipping_address ?? billing_address);
}

/** The form before anything was entered. */
export const EMPTY_FORM = Object.fromEntries(textNames.map((name) => [name, ""])) as DetailsForm;
