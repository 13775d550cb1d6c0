import { expect, test } from "vitest";
import { flatten } from "../../../site/content-check/words.ts";
import { english } from "../../../site/words/languages.ts";
import { problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const valid = validContent["store.yaml"] ?? "";
const company = /company:[\s\S]*/;
const fields = "legal_name, street, city, postal_code, country_code, registration";

const { admin: _, ...words } = english;
const count = flatten(words).length;

test.each([
  [
    "an empty file",
    "",
    "1: The file is empty. Add these fields: name, tagline, description, base_url, locale, currency, prices_include_tax, tax, sales_email, phone, company.",
  ],
  [
    "an unknown currency",
    valid.replace("EUR", "EUX"),
    '6: currency "EUX" isn\'t a valid currency. Write its three-letter code, such as `EUR`.',
  ],
  [
    "a missing currency",
    valid.replace("currency: EUR\n", ""),
    "1: currency is missing. Write, for example, `currency: EUR`.",
  ],
  [
    "a missing locale",
    valid.replace("locale: en-GB\n", ""),
    "1: locale is missing. Write, for example, `locale: en-GB`.",
  ],
  [
    "an unsupported language",
    valid.replace("en-GB", "fr-CH"),
    `5: locale "fr-CH": ${count} of the shop's ${count} words are in English, because there is no translation: pages.frame.home, pages.frame.skip, pages.frame.forAgents …. Write them into content/words.yaml, or add site/words/fr for every shop.`,
  ],
  [
    "a missing tax setting",
    valid.replace("prices_include_tax: true\n", ""),
    "1: prices_include_tax is missing. Write `true` or `false`.",
  ],
  ["a missing company", valid.replace(company, ""), `1: company is missing. Indent these fields below it: ${fields}.`],
  [
    "a company written as text",
    valid.replace(company, "company: A Ltd\n"),
    `11: company is "A Ltd", not a group of fields. Indent these fields below it: ${fields}.`,
  ],
  [
    "a company written as a list",
    valid.replace(company, "company:\n  - city: A\n"),
    `11: company is a list, not a group of fields. Indent these fields below it: ${fields}.`,
  ],
  [
    "a company that is not indented",
    valid.replaceAll("\n  ", "\n"),
    "11: company is empty. Indent the lines that belong to it by two spaces.",
  ],
  [
    "a company without its colon",
    valid.replace("company:", "company"),
    "11: This line isn't a `field: value`. Add the colon and a space, or put quotes around a long text.",
  ],
])("%s in store.yaml is reported once, in plain words", async (_what, text, problem) => {
  expect(await problemsWith({ "store.yaml": text })).toEqual([`content/store.yaml:${problem}`]);
});
