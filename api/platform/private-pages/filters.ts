import { type FilterImplOptions, Liquid } from "liquidjs";
import { Compile } from "typebox/schema";
import { ShopWords } from "../../contract/built-files/words.ts";
import { escapeHtml } from "../../contract/escape-html.ts";
import { LIQUID_FILTERS, type OWN_FILTERS } from "../../contract/filters.ts";
import { displayMoney } from "../../contract/money.ts";
import { addressCountry } from "../../contract/territories.ts";
import { COUNTED, findWord, makeSay } from "../../contract/words.ts";

/** Compiled, because there are hundreds of words. */
export const shopWords = Compile(ShopWords);

type Values = Readonly<Record<string, unknown>>;

/**
 * Escapes Markdown's own signs and HTML's in one line of text. Underscores and tildes stay, which do no harm and occur in
 * SKUs; so do ampersands that don't begin a character reference, which occur in addresses.
 */
const escapeMarkdown = (value: unknown): string =>
  String(value)
    .replace(/\s+/g, " ")
    .replace(/[\\`*[\]<>|#]|&(?=#?\w+;)/g, "\\$&");

/**
 * Escapes text for HTML, with an element for each value that `isolate` or a word has marked. In pages from right to left: a
 * Hebrew value would take numbers and full stops beside it along.
 */
const escapeIsolated = (value: unknown): string =>
  escapeHtml(String(value ?? ""))
    .replaceAll("\u2068", "<bdi>")
    .replaceAll("\u2069", "</bdi>");

const ESCAPES = {
  html: { outputEscape: "escape" },
  markdown: { outputEscape: escapeMarkdown },
  plain: {},
} as const;

/**
 * The engine of private pages and mails. An unknown variable, filter or word is an error.
 *
 * @param partials the text of each partial, by its name
 * @param output what all output is escaped for; `plain` is a mail's text, where nothing is
 */
export function makeLiquid(
  shop: ShopWords,
  partials: Readonly<Record<string, string>> = {},
  output: keyof typeof ESCAPES = "html",
): Liquid {
  const { locale, currency } = shop;
  const isIsolating = output === "html" && new Intl.Locale(locale).getTextInfo().direction === "rtl";
  const isolate = (value: unknown) => (isIsolating ? `\u2068${value}\u2069` : value);
  const liquid = new Liquid({
    ...(isIsolating ? { outputEscape: escapeIsolated } : ESCAPES[output]),
    strictFilters: true,
    strictVariables: true,
    ownPropertyOnly: true,
    cache: true,
    templates: { ...partials },
  });
  for (const name of Object.keys(liquid.filters))
    if (!LIQUID_FILTERS.some((each) => each === name)) delete liquid.filters[name];
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const weekdays = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const places = namePlaces(shop);
  const lists = new Intl.ListFormat(locale);
  const translate = makeTranslate(shop);
  const own: Record<(typeof OWN_FILTERS)[number], FilterImplOptions> = {
    t: (key: string, ...values: [string, unknown][]) =>
      translate(
        key,
        Object.fromEntries(
          values.map(([name, value]) => [
            name,
            typeof value === "string" && !COUNTED.includes(name) ? isolate(value) : value,
          ]),
        ),
      ),
    isolate,
    money: (amount: string, of = "") => displayMoney(amount, of || currency, locale),
    date: (day: string) => dates.format(new Date(day)),
    weekday: (day: string) => weekdays.format(new Date(day)),
    country: places.inCountry,
    places: (codes: readonly string[]) => lists.format(codes.map(places.alone)),
    markdown_path: markdownPath,
    // The one filter that writes HTML, because a loop over all countries took a third of a page's time.
    country_options: {
      raw: true,
      handler: (codes: readonly string[], chosen: string) =>
        codes.map((code) => option(code, places.inCountry(code), code === chosen)).join("\n"),
    },
  };
  for (const [name, filter] of Object.entries(own)) liquid.registerFilter(name, filter);
  return liquid;
}

/**
 * The names of countries and territories in the shop's language: `alone` says `Canary Islands`, `inCountry`
 * `Spain (Canary Islands)`. Intl knows those with a code of their own, and the shop's words the others.
 */
export function namePlaces({ locale, words }: ShopWords) {
  const regions = new Intl.DisplayNames(locale, { type: "region" });
  const own = (code: string) => findWord(words, `places.${code}`);
  const alone = (code: string) => {
    const word = own(code);
    return typeof word === "string" ? word : (regions.of(code) ?? code);
  };
  const inCountry = (code: string) =>
    own(code) === undefined ? alone(code) : `${regions.of(addressCountry(code))} (${alone(code)})`;
  return { alone, inCountry };
}

/** The path of a page's Markdown, in ASCII as Markdown's links are: `/products/kestrel-c2.md?sku=KES-C2-BK`. */
export const markdownPath = (path: string): string =>
  path.replace(/\?|$/, ".md$&").replaceAll(/[^!-~]+/g, encodeURIComponent);

const option = (code: string, name: string, isSelected: boolean) =>
  `<option value="${code}"${isSelected ? " selected" : ""}>${escapeHtml(name)}</option>`;

/**
 * Returns a function that looks up a word such as `basket.title` and fills it. Throws for an unknown word, and for a place
 * without its value.
 */
export function makeTranslate({ locale, words }: ShopWords): (key: string, values: Values) => string {
  const say = makeSay(locale);
  return (key, values) => {
    const word = findWord(words, key);
    if (word === undefined) throw new RangeError(`The private pages have no word '${key}'.`);
    return say(word, values);
  };
}
