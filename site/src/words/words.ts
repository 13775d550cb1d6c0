import { english, languageOf } from "../../words/languages.ts";
import { speak } from "../../words/spoken.ts";
import { foreignWords, isRightToLeft } from "../../words/text-language.ts";
import { wordsIn } from "../../words/words-in.ts";
import { ownWords } from "../settings/own-words.ts";
import { shop } from "../settings/shop.ts";

const own = wordsIn(shop.locale, ownWords);

/** The words of pages, in the language of store.yaml's locale. */
export const words = speak(english.pages, own.pages, shop.locale);

/** The language of our words as `lang` of an element in which nothing else is, if it isn't the page's. */
export const wordsLang = foreignWords(shop.locale, ownWords);

/** `dir` of our sentences among the shop's own, which run as the page does, where they're in Latin letters and it isn't. */
export const wordsDir = wordsLang && isRightToLeft(shop.locale) ? "auto" : undefined;

/** What an English text has in a shop of another language. */
export const englishText: { lang: string; dir?: "ltr" } | undefined =
  languageOf(shop.locale) === "en" ? undefined : { lang: "en", ...(isRightToLeft(shop.locale) && { dir: "ltr" }) };

/** The names of territories that Intl doesn't know. */
export const placeNames: Readonly<Record<string, string>> = own.private_pages.places;

/** The words of scripts, which are data in the page. */
export const scriptWords = own.scripts;
