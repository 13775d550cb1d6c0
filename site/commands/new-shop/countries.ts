import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { COUNTRIES, isCountry } from "../../../api/contract/countries.ts";

/** Countries that pay in euros: the euro area, and those that have it by agreement or on their own (ISO 4217). */
const EURO = "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA".split(" ");
/** Other countries' currencies, where one is sure to be meant. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EURO.map((country) => [country, "EUR"])),
  ...{ AE: "AED", AU: "AUD", BR: "BRL", CA: "CAD", CH: "CHF", CL: "CLP", CN: "CNY", CZ: "CZK", DK: "DKK", GB: "GBP" },
  ...{ HK: "HKD", HU: "HUF", ID: "IDR", IL: "ILS", IN: "INR", IS: "ISK", JP: "JPY", KR: "KRW", LI: "CHF", MX: "MXN" },
  ...{ MY: "MYR", NO: "NOK", NZ: "NZD", PH: "PHP", PL: "PLN", RO: "RON", RS: "RSD", SA: "SAR", SE: "SEK", SG: "SGD" },
  ...{ TH: "THB", TR: "TRY", TW: "TWD", UA: "UAH", US: "USD", VN: "VND", ZA: "ZAR" },
};

/** The currency to propose; undefined where none is known. */
export const currencyOf = (country: string): string | undefined => CURRENCIES[country];

/** The locale to propose: the language that most people of a country speak, as CLDR has it. */
export function localeOf(country: string): string {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  return `${language}-${country}`;
}

/** Names without accents, in small letters, with the apostrophe that is on keyboards. */
const plain = (name: string) => name.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase().trim();

/** Codes by the names that their languages, English and German have for them. */
function byName(kind: "region" | "language", codes: readonly string[], languageOf: (code: string) => string) {
  const found = new Map<string, string>();
  for (const code of codes)
    for (const language of ["en", "de", languageOf(code)]) {
      const name = new Intl.DisplayNames(language, { type: kind, fallback: "none" }).of(code);
      if (name !== undefined && !found.has(plain(name))) found.set(plain(name), code);
    }
  return found;
}

/** Countries by name. */
export const countriesByName = (): ReadonlyMap<string, string> =>
  byName("region", COUNTRIES, (code) => new Intl.Locale(localeOf(code)).language);

/** A country's code by its code or its name. Undefined if there is none. */
export function findCountry(answer: string): string | undefined {
  const code = answer.trim().toUpperCase();
  if (isCountry(code)) return code;
  // CLDR knows former codes and others in use, such as UK.
  const region = /^[A-Z]{2}$/.test(code) ? new Intl.Locale(`und-${code}`).region : undefined;
  if (region !== undefined && isCountry(region)) return region;
  return countriesByName().get(plain(answer));
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const LANGUAGES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** A locale by a tag such as `de` or `de-AT`, or a language's name; `country` is added to a language alone. */
export function findLocale(answer: string, country: string): string | undefined {
  const language = byName("language", LANGUAGES, (code) => code).get(plain(answer));
  try {
    const locale = new Intl.Locale(language ?? answer.trim());
    // A word such as `klingonish` has the form of a language's tag.
    const name = new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(locale.language);
    if (name === undefined) return undefined;
    return (locale.region === undefined ? new Intl.Locale(locale, { region: country }) : locale).toString();
  } catch {
    return undefined;
  }
}

/** The standard rates that a store.yaml has, by country; none if it can't be read. */
export function readRates(storeFile: string): Readonly<Record<string, string>> {
  try {
    const { tax }: { tax?: { rates?: Record<string, string> } } = Object(parse(readFileSync(storeFile, "utf8")));
    return tax?.rates ?? {};
  } catch {
    return {};
  }
}

/** A rate such as "0.255" in percent: "25.5". */
export const inPercent = (rate: string): string => String(Math.round(Number(rate) * 1e4) / 100);

/** A percentage such as `25.5`, `8,1` or `19 %` as a rate, "0.255"; undefined if it isn't one below 100. */
export function readPercent(answer: string): string | undefined {
  const [, percent] = /^(\d{1,2}(?:[.,]\d{1,2})?) ?%?$/.exec(answer.trim()) ?? [];
  return percent === undefined ? undefined : String(Math.round(Number(percent.replace(",", ".")) * 100) / 1e4);
}
