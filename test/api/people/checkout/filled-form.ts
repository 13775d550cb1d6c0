import type { DetailsForm } from "../../../../api/people/checkout/details.ts";

/** Postal codes of countries whose form the checkout demands, and which isn't five digits. */
const POSTAL_CODES: Readonly<Record<string, string>> = {
  ...{ AT: "1010", CH: "8001", DK: "1050", GB: "LS1 9CK", NO: "0150", PT: "1000-205" },
};

/** The checkout's form as a browser sends it: an order to Cologne without a VAT number, with `entered`. */
export const filledForm = (entered: Partial<DetailsForm> = {}): DetailsForm => ({
  email: "ada@novak.example",
  first_name: "Ada",
  last_name: "Novák",
  company: "Novák Retail GmbH",
  vat_id: "",
  buyer_reference: "",
  phone: "",
  address1: "Lange Straße 12",
  address2: "",
  city: "Köln",
  postal_code: POSTAL_CODES[entered.country_code ?? ""] ?? "50667",
  region: "",
  country_code: "DE",
  billing_company: "",
  billing_address1: "",
  billing_address2: "",
  billing_city: "",
  billing_postal_code: "",
  billing_region: "",
  billing_country_code: "",
  note: "",
  is_business: "yes",
  ...entered,
});

/** What the form of a review page sends, with the way to pay that is chosen first. */
export function placeFields(page: string): Record<string, string> {
  const fields = Object.fromEntries(
    [...page.matchAll(/<input type="(?:hidden|radio)" name="(\w+)" value="([^"]*)"(?: checked)?>/g)]
      .reverse() // of several, the first is chosen
      .map(([, name, value]) => [name, value]),
  );
  if (fields["quote"] === undefined) throw new Error(`There is nothing to place: ${page}`);
  return fields;
}
