import { EU_VAT_AREA } from "../../../api/contract/territories.ts";
import { ContentError } from "../../content-schema/content-error.ts";
import { PLACEHOLDER } from "../../content-schema/placeholder.ts";
import { shopSchema } from "../../content-schema/shop.ts";
import { didYouMean } from "../../content-schema/suggest.ts";
import type { Ask, Question } from "../new-content/dialogue.ts";
import { countriesByName, currencyOf, findCountry, findLocale, inPercent, localeOf, readPercent } from "./countries.ts";

/** What a new shop is made of. */
export interface Answers {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  currency: string;
  /** BCP 47, with a region. */
  locale: string;
  pricesIncludeTax: boolean;
  taxName: string | undefined;
  /** A fraction, such as "0.19". */
  rate: string;
  email: string;
  phone: string;
  company: Company;
}

/** `?` where it is still to be written. */
interface Company {
  legal_name: string;
  street: string;
  postal_code: string;
  city: string;
  registration: string;
}

/** The options that answer the questions, by name. */
export const OPTIONS = {
  name: { type: "string" },
  country: { type: "string" },
  currency: { type: "string" },
  language: { type: "string" },
  "sells-to": { type: "string" },
  "tax-rate": { type: "string" },
  prices: { type: "string" },
  email: { type: "string" },
  phone: { type: "string" },
  "legal-name": { type: "string" },
  street: { type: "string" },
  "postal-code": { type: "string" },
  city: { type: "string" },
  registration: { type: "string" },
} as const;

type Option = keyof typeof OPTIONS;
export type AskOption = (option: Option, question: Question) => Promise<string>;

/**
 * Answers questions by the options that were given, and asks a person the others. Without a person they have their
 * proposed answer. Throws ContentError where an option is wrong or missing.
 */
export const answerBy =
  (given: Partial<Record<Option, string | undefined>>, ask: Ask | undefined): AskOption =>
  async (option, question) => {
    const written = given[option];
    if (written === undefined && ask !== undefined) return ask(question);
    const answer = written?.trim() || question.otherwise || "";
    const problem = await question.check(answer);
    if (problem === undefined) return answer;
    const what = written === undefined ? `--${option} is missing (${question.text})` : `--${option}: ${problem}`;
    throw new ContentError(`${what}\nNothing was written.`);
  };

const SELLS_TO = ["businesses", "consumers", "both"];
const PRICES = ["without tax", "with tax"];

/** The choice that an answer names or numbers. */
const choose = (answer: string, choices: readonly string[]): string | undefined =>
  choices[Number(answer) - 1] ?? choices.find((choice) => choice === answer.replaceAll("-", " ").toLowerCase());

const { shape } = shopSchema;
const { shape: companyShape } = shape.company;

interface Field {
  safeParse(value: unknown): { error?: { issues: readonly { message: string }[] } | undefined };
}

const problemOf = (field: Field) => (answer: string) =>
  field.safeParse(answer === "" ? undefined : answer).error?.issues[0]?.message;

/** Asks for what a shop is made of. `rates` are standard rates of tax to propose, by country. */
export async function askShop(ask: AskOption, rates: Readonly<Record<string, string>>): Promise<Answers> {
  const name = await ask("name", { text: "Name of the shop", check: problemOf(shape.name) });
  const written = await ask("country", {
    text: "Country that goods are sent from, its name or code",
    check: (answer) =>
      findCountry(answer) === undefined
        ? `“${answer}” isn't a country.${didYouMean(answer.toLowerCase(), [...countriesByName().keys()])} Write its two-letter code, such as DE.`
        : undefined,
  });
  const country = findCountry(written) ?? written;
  const currency = (
    await ask("currency", {
      text: "Currency of its prices",
      ...proposed(currencyOf(country)),
      check: (answer) => problemOf(shape.currency)(answer.toUpperCase()),
    })
  ).toUpperCase();
  const language = await ask("language", {
    text: "Language, its name or tag",
    otherwise: localeOf(country),
    check: (answer) =>
      findLocale(answer, country) === undefined
        ? `“${answer}” isn't a language. Write its tag, such as de or en-GB.`
        : undefined,
  });
  const locale = findLocale(language, country) ?? language;
  await ask("sells-to", {
    text: "Whom it sells to",
    choices: SELLS_TO,
    otherwise: "businesses",
    check: (answer) => {
      const who = choose(answer, SELLS_TO);
      if (who === undefined) return `“${answer}” isn't one of ${SELLS_TO.join(", ")}.`;
      return problemOf(shape.sells_to)(who);
    },
  });
  const rate = rates[country];
  const percent = await ask("tax-rate", {
    text: "Standard rate of tax there, in percent (0 if there is none)",
    ...proposed(rate && inPercent(rate)),
    check: (answer) =>
      readPercent(answer) === undefined
        ? `“${answer}” isn't a rate in percent. Write a number, such as 19.`
        : undefined,
  });
  const prices = await ask("prices", {
    text: "How its prices are written",
    choices: PRICES,
    otherwise: "without tax",
    check: (answer) => (choose(answer, PRICES) ? undefined : `“${answer}” isn't one of ${PRICES.join(", ")}.`),
  });
  const email = await ask("email", { text: "E-mail address for orders", check: problemOf(shape.sales_email) });
  const phone = await ask("phone", { text: "Telephone, with the country code", check: problemOf(shape.phone) });
  const field = (option: Option, text: string, schema: Field, otherwise = PLACEHOLDER) =>
    ask(option, { text, otherwise, check: problemOf(schema) });
  const company = {
    legal_name: await field("legal-name", "The company's registered name", companyShape.legal_name, name),
    street: await field("street", "Street and number", companyShape.street),
    postal_code: await field("postal-code", "Postal code", companyShape.postal_code),
    city: await field("city", "Town", companyShape.city),
    registration: await field("registration", "Register and number", companyShape.registration),
  };
  return {
    ...{ name, country, currency, locale, email, phone, company },
    pricesIncludeTax: choose(prices, PRICES) === "with tax",
    taxName: taxNameOf(country, locale),
    rate: readPercent(percent) ?? percent,
  };
}

const proposed = (otherwise: string | undefined) => (otherwise === undefined ? {} : { otherwise });

/** What value added tax is called, by the words that there are; undefined where the tax may be another. */
function taxNameOf(country: string, locale: string): string | undefined {
  if (!EU_VAT_AREA.has(country) && !["CH", "GB", "LI", "NO"].includes(country)) return undefined;
  if (new Intl.Locale(locale).language !== "de") return "VAT";
  return country === "AT" ? "USt." : "MwSt.";
}
