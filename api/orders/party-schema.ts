import Type from "typebox";
import { text, textOrNull, wholeNumber } from "../http/schema-types.ts";

/** Who bought. */
export const Customer = Type.Object({
  id: wholeNumber("The customer's id in the shop.", 71),
  email: text("E-mail address.", "ada@example.com"),
  first_name: textOrNull("Given name.", "Ada"),
  last_name: textOrNull("Family name.", "Novák"),
  company: textOrNull("Company, where one buys.", "Novák Retail s.r.o."),
  phone: textOrNull("Telephone number as the customer wrote it.", "+420 601 234 567"),
  vat_id: textOrNull("VAT identification number of the company.", "CZ12345678"),
});

/** Where goods or invoices go. */
export const Address = Type.Object({
  first_name: textOrNull("Given name.", "Ada"),
  last_name: textOrNull("Family name.", "Novák"),
  company: textOrNull("Company.", "Novák Retail s.r.o."),
  address1: text("Street and number.", "Dlouhá 12"),
  address2: textOrNull("Floor, door, building.", "2nd floor"),
  city: text("Town.", "Praha 1"),
  postal_code: textOrNull("Postal code; some countries have none.", "110 00"),
  region: textOrNull("State, province or county where addresses have one.", "Hlavní město Praha"),
  country_code: Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1 alpha-2.", example: "CZ" }),
  phone: textOrNull("Telephone number for the carrier.", "+420 601 234 567"),
});
