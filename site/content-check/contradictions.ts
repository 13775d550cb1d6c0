import { displayRate } from "../../api/contract/money.ts";
import { townLines } from "../../api/contract/postal-address.ts";
import { namesPlace, TERRITORIES } from "../../api/contract/territories.ts";
import type { Shop } from "../content-schema/shop.ts";
import { homeRate } from "../content-schema/tax.ts";
import type { PageFile } from "./content-files.ts";
import type { Problem } from "./problem.ts";

/** A part of a page's text that contradicts a field of store.yaml and its value. */
interface Contradiction {
  index: number;
  found: string;
  field: string;
  value: string;
}

type Rule = (text: string, shop: Shop) => Contradiction[];

/**
 * Finds where pages and guides contradict store.yaml about the shop's name, address, email, telephone, tax or currency, as
 * the pages of a copied shop do. Warnings, because the text may mean another company.
 */
export function findContradictions(pages: readonly PageFile[], shop: Shop | undefined): Problem[] {
  if (shop === undefined) return [];
  const texts = pages
    .filter(({ kind }) => kind === "page" || kind === "guide")
    .map(({ file, kind, text }) => ({ file, kind, text: withoutCode(text) }));
  const formerNames = new Set(texts.flatMap(({ text }) => foreignCompanies(text, shop).map(({ name }) => name)));
  return texts.flatMap(({ file, kind, text }) => {
    const rules = kind === "page" ? [...anywhere, ...onPages, shopName(formerNames)] : anywhere;
    const all = rules.flatMap((rule) => rule(text, shop)).sort((a, b) => a.index - b.index);
    return [...Map.groupBy(all, ({ field, found }) => `${field} ${found}`).values()].flatMap(([first, ...more]) => {
      if (first === undefined) return [];
      const places = more.length === 0 ? "" : `, ${more.length + 1} times`;
      const message = `“${first.found}”${places}: \`${first.field}\` of content/store.yaml is “${first.value}”. Change it, unless you mean another one.`;
      const line = text.slice(0, first.index).split("\n").length;
      return { file, line, message, isWarning: true as const };
    });
  });
}

/** Replaces code, which is an example, with spaces, so that lines keep their numbers. */
const withoutCode = (text: string) =>
  text.replace(/^(```+|~~~+)[\s\S]*?^\1|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, " "));

const matches = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), (match) => ({ index: match.index, found: match[0], groups: match.slice(1) }));

const emails: Rule = (text, shop) => {
  const { sales_email: value, security, base_url } = shop;
  const own = [value, security?.contact ?? "", `@${new URL(base_url).hostname.replace(/^www\./, "")}`].map(domainOf);
  return matches(text, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g)
    .filter(({ found }) => !own.includes(domainOf(found)))
    .map((each) => ({ ...each, field: "sales_email", value }));
};

const domainOf = (email: string) => email.slice(email.indexOf("@") + 1).toLowerCase();

const telephones: Rule = (text, { phone }) =>
  matches(text, /\+\d[\d \u00a0()./-]{6,}\d/g)
    .filter(({ found }) => lastDigits(found) !== lastDigits(phone))
    .map((each) => ({ ...each, field: "phone", value: phone }));

/** The digits that are the same with and without the country code. */
const lastDigits = (phone: string) => phone.replaceAll(/\D/g, "").slice(-7);

const company =
  /((?:\p{Lu}[\p{L}\p{N}&'’-]* (?:& |and |und )?){1,4})(?:Ltd|Limited|LLC|LLP|PLC|Inc|GmbH|AG|B\.?V\.?|N\.V\.|S\.A\.|SARL|SAS|S\.?r\.?l\.?|S\.p\.A\.|ApS|A\/S|Oy|GK|KK|Pty)(?![\p{L}\p{N}])/gu;

/** Companies on a page that doesn't name the shop's own; a privacy page names others too. */
function foreignCompanies(text: string, { company: { legal_name } }: Shop) {
  if (text.includes(legal_name)) return [];
  return matches(text, company).map((each) => ({ ...each, name: each.groups[0]?.trim() ?? "" }));
}

const legalNames: Rule = (text, shop) =>
  foreignCompanies(text, shop).map((each) => ({
    ...each,
    field: "company, legal_name",
    value: shop.company.legal_name,
  }));

/** A street with its number and a town, after a company's name. */
const addresses: Rule = (text, { company: own }) =>
  matches(
    text,
    new RegExp(
      `(?:${company.source}|${literally(own.legal_name)}), ((?:(?!number|register)[^,.\\n])*\\d[^,.\\n]*, [^,.\\n]+)`,
      "gu",
    ),
  )
    .map(({ index, groups }) => ({ index, found: groups.at(-1) ?? "" }))
    .filter(({ found }) => !found.includes(own.street) && !found.includes(own.postal_code))
    .map((each) => ({ ...each, field: "company, street", value: `${own.street}, ${townLines(own)[0]}` }));

/** Another shop's name in a page's title, and the short forms of other companies: `Counterwell` for Counterwell Ltd. */
const shopName =
  (formerNames: ReadonlySet<string>): Rule =>
  (text, { name, company: { legal_name } }) => {
    const titled = matches(text, /(?<=^title: ["']?(?:About|Contact|Welcome to) )\p{Lu}[^"'\n]*/gmu);
    const known = [...formerNames].filter((former) => former !== "" && !name.includes(former));
    const named = known.flatMap((former) =>
      matches(text, new RegExp(`${literally(former)}(?!\\p{L}| (?:Ltd|Limited|GmbH))`, "gu")),
    );
    const own = [name, legal_name].map((each) => each.toLowerCase());
    return [...new Map([...titled, ...named].map((each) => [each.index, each])).values()]
      .filter(
        ({ found }) => !own.some((each) => each.includes(found.toLowerCase()) || found.toLowerCase().includes(each)),
      )
      .map((each) => ({ ...each, field: "name", value: name }));
  };

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

// Up to the end of a sentence or paragraph; a decimal point doesn't end one.
const sentence = "(?:(?!\\n\\s*\\n)(?:[^.]|\\.(?=\\d)))*?";

const taxes: Rule = (text, { tax, prices_include_tax }) => {
  const word = `(?:VAT|GST|HST|MwSt|MWST|USt|TVA|IVA|BTW|moms|sales tax|consumption tax|${literally(tax.name)})(?![\\p{L}])`;
  const written = Object.keys(tax.rates);
  const ofRegions = TERRITORIES.flatMap(({ code, country, rate = [] }) =>
    namesPlace(written, country) && !namesPlace(written, code) ? rate : [],
  );
  const ofClasses = Object.values(tax.classes).flatMap((rates) => Object.values(rates));
  const rates = new Set(
    [...Object.values(tax.rates), ...ofRegions, ...ofClasses].map((rate) => displayRate(rate, "en")),
  );
  const wrongRates = matches(text, new RegExp(`(\\d{1,2}(?:[.,]\\d{1,3})?) ?% (?:\\p{L}+ )?(${word})`, "giu"))
    .filter(({ groups: [percent = "", name = ""] }) => {
      const isRight = rates.has(`${Number(percent.replace(",", "."))}%`);
      return !isRight || (tax.name !== "tax" && name.toLowerCase() !== tax.name.toLowerCase());
    })
    .map((each) => ({ ...each, field: "tax", value: `${displayRate(homeRate(tax, null), "en")} ${tax.name}` }));
  const wrong = prices_include_tax ? "exclud\\w+|excl\\.|plus|without" : "includ\\w+|incl\\.|with";
  const after = `(?:${wrong}) (?:\\d[\\d.,]* ?% )?(?:\\p{L}+ )?${word}`;
  const taxClaim = new RegExp(
    `\\bprices?\\b${sentence}(?:\\b${after}|${word} ${prices_include_tax ? "excluded" : "included"})`,
    "giu",
  );
  // Pages of products show both: "net and with 21% VAT" is right in every shop.
  const claims = matches(text, taxClaim).filter(({ found }) => !/\bnet\b/i.test(found));
  const inclusion = claims.map(({ index, found }) => ({
    index,
    found: found.replaceAll(/\s+/g, " "),
    field: "prices_include_tax",
    value: String(prices_include_tax),
  }));
  return [...wrongRates, ...inclusion];
};

const currencies: Rule = (text, { currency }) => {
  const name = new Intl.DisplayNames("en", { type: "currency" }).of(currency) ?? currency;
  const parts = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  const sign = parts.formatToParts(0).find(({ type }) => type === "currency")?.value;
  const signs = matches(text, /([€£$¥￥₹₩₺])\s?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*\s?([€£])/g).filter(
    ({ groups }) => groups.find(Boolean)?.replace("￥", "¥") !== sign,
  );
  const codes = matches(
    text,
    new RegExp(`\\b(${majorCurrencies}) ?\\d+(?:[.,]\\d+)*|\\b\\d+(?:[.,]\\d+)* ?(${majorCurrencies})\\b`, "g"),
  ).filter(({ groups }) => groups.find(Boolean) !== currency);
  // "Prices are in euros", and not "in pounds" of weight.
  const words = matches(
    text,
    new RegExp(
      `\\bprices?\\b${sentence}\\bin (?:\\p{L}+ )?((euro|pound|dollar|yen|franc|kron|koruna|zloty|rupee|yuan)\\p{L}*)`,
      "giu",
    ),
  )
    .filter(({ groups }) => !name.toLowerCase().includes(groups[1]?.toLowerCase() ?? ""))
    .map(({ index, groups }) => ({ index, found: groups[0] ?? "" }));
  return [...signs, ...codes, ...words].map(({ index, found }) => ({
    index,
    found,
    field: "currency",
    value: currency,
  }));
};

const majorCurrencies = "EUR|GBP|USD|CHF|JPY|SEK|NOK|DKK|PLN|CZK|CAD|AUD|NZD|CNY|INR";

const anywhere: readonly Rule[] = [emails, telephones, legalNames];
const onPages: readonly Rule[] = [addresses, taxes, currencies];
