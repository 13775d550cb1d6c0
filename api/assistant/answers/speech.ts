import type { ShopWords } from "../../contract/built-files/words.ts";
import { displayMoney } from "../../contract/money.ts";
import {
  type BuildLog,
  type Builds,
  followBuilds,
  type OfBuild,
  parseFile,
  SAME_CODE,
} from "../../platform/private-pages/builds.ts";
import { makeTranslate, namePlaces, shopWords } from "../../platform/private-pages/filters.ts";

/** How the assistant speaks: the shop's words, money and days in the store's locale. */
export interface Speech {
  /** A sentence of the shop's words, such as `assistant.handed_over`, with its `{name}` places filled. */
  say(key: string, values?: Readonly<Record<string, unknown>>): string;
  /** `amount` is a decimal string, in the shop's currency unless another is given. */
  money(amount: string, currency?: string): string;
  /** `day` is a date or a time in RFC 3339. */
  day(day: string): string;
  /** The name of a country, by its code of ISO 3166, or of a territory. */
  country(code: string): string;
  /** A territory without its country. */
  place(code: string): string;
  /** `A, B and C`. */
  list(texts: readonly string[]): string;
}

/** Follows the words of the site's builds. */
export const openSpeech = (builds: Builds, log: BuildLog): OfBuild<Speech> =>
  followBuilds({
    builds,
    name: "words of the assistant",
    log,
    async make(read) {
      const words: unknown = parseFile("words.json", await read("words.json"));
      if (!shopWords.Check(words)) throw new Error(`The words of the assistant are of another release. ${SAME_CODE}`);
      return makeSpeech(words);
    },
  });

function makeSpeech(shop: ShopWords): Speech {
  const translate = makeTranslate(shop);
  const { alone, inCountry } = namePlaces(shop);
  const lists = new Intl.ListFormat(shop.locale);
  const days = new Intl.DateTimeFormat(shop.locale, { dateStyle: "long", timeZone: "UTC" });
  return {
    say: (key, values = {}) => translate(key, values),
    money: (amount, currency = shop.currency) => displayMoney(amount, currency, shop.locale),
    day: (day) => days.format(new Date(day)),
    country: inCountry,
    place: alone,
    list: (texts) => lists.format(texts),
  };
}
