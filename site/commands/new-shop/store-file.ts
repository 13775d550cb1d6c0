import type { Answers } from "./answers.ts";

const SENTENCES = {
  en: { tagline: "For businesses", describe: (name: string) => `The online shop of ${name}, for businesses.` },
  de: { tagline: "Für Unternehmen", describe: (name: string) => `Der Onlineshop von ${name}, für Unternehmen.` },
} as const;

/** The language of a locale's starter texts: English where there are none in its own. */
export const textLanguage = (locale: string): keyof typeof SENTENCES =>
  new Intl.Locale(locale).language === "de" ? "de" : "en";

/** Writes content/store.yaml, each line with what it sets. All lines are in “The shop itself” of content/README.md. */
export function writeStoreFile(answers: Answers, localAddress: string): string {
  const { name, country, currency, locale, pricesIncludeTax, taxName, rate, email, phone, company } = answers;
  const { tagline, describe } = SENTENCES[textLanguage(locale)];
  // JSON is YAML too, and in quotes no answer is taken for anything else than text.
  const text = (value: string) => JSON.stringify(value);
  const taxLines =
    taxName === undefined
      ? '  # What the tax is called beside a price, such as "VAT".\n  # name: "VAT"'
      : `  # What it is called beside a price.\n  name: ${text(taxName)}`;
  return `# What makes it your shop. “The shop itself” in content/README.md of Twinfront explains all lines, and has those that
# are missing here. A \`?\` is still to be written; \`npm run check:content\` lists them.
name: ${text(name)}
# The title of the home page, and the sentence below it, which search engines show.
tagline: ${text(tagline)}
description: ${text(describe(name))}
# The shop's address on the web, scheme and host without a slash at the end. This is \`npm start\` on this machine.
base_url: ${localAddress}
# The language of the fixed words, and how prices, numbers and days are written.
locale: ${locale}
# Prices are in this currency, with its decimals.
currency: ${currency}
# Whether the prices in your files include the tax of \`home\`. Pages show both.
prices_include_tax: ${pricesIncludeTax}
tax:
${taxLines}
  # Where goods are sent from.
  home: ${text(country)}
  # Your VAT number, if you have one.
  # registration: ""
  # The standard rate of each country that you deliver to, as a fraction in quotes.
  rates:
    ${text(country)}: ${text(rate)}
  # Countries where customers pay the tax themselves, as imports.
  # export: []
# Who may order.
sells_to: businesses
# Where orders and questions arrive.
sales_email: ${text(email)}
phone: ${text(phone)}
# Who sells: on pages, in mails, and for search engines.
company:
  legal_name: ${text(company.legal_name)}
  street: ${text(company.street)}
  city: ${text(company.city)}
  postal_code: ${text(company.postal_code)}
  country_code: ${text(country)}
  registration: ${text(company.registration)}
# Before anybody can order: \`shipping\` says what delivery costs, \`payment\` how it is paid, and \`pages/terms.md\` on which terms.
# shipping:
# payment:
# How long customers may return what they have bought, and who pays for it.
# returns:
`;
}
