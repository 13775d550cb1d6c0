import { isWord, type WordTree } from "../../api/contract/words.ts";
import { english, languageOf, translations } from "./languages.ts";

/**
 * What `<html>` says of a locale: its language, and its direction where that isn't from left to right, as without `dir`. Numbers,
 * titles and words in another direction find their own (src/styles/right-to-left.css).
 */
export const documentLanguage = (locale: string): { lang: string; dir?: "rtl" } =>
  isRightToLeft(locale) ? { lang: locale, dir: "rtl" } : { lang: locale };

export const isRightToLeft = (locale: string): boolean => new Intl.Locale(locale).getTextInfo().direction === "rtl";

/**
 * `en` in a shop whose locale's language has no words of ours, as `lang` of what consists of our words alone; otherwise
 * undefined, also where the shop has written most of them itself (own-words.ts).
 */
export function foreignWords(locale: string, own: WordTree = {}): "en" | undefined {
  const language = languageOf(locale);
  if (language === "en" || Object.hasOwn(translations, language)) return undefined;
  const pages = own["pages"];
  const written = pages === undefined || isWord(pages) ? 0 : countWords(pages);
  return 2 * written > countWords(english.pages) ? undefined : "en";
}

const countWords = (words: WordTree): number =>
  Object.values(Object(words) as WordTree).reduce((sum, each) => sum + (isWord(each) ? 1 : countWords(each)), 0);
