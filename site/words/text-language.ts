import { languageOf, translations } from "./languages.ts";

/**
 * What `<html>` says of a locale: its language, and its direction where that isn't from left to right, as without `dir`. Numbers,
 * titles and words in another direction find their own (src/styles/right-to-left.css).
 */
export const documentLanguage = (locale: string): { lang: string; dir?: "rtl" } =>
  isRightToLeft(locale) ? { lang: locale, dir: "rtl" } : { lang: locale };

export const isRightToLeft = (locale: string): boolean => new Intl.Locale(locale).getTextInfo().direction === "rtl";

/** `en` in a shop whose locale's language has no words of ours, as `lang` of what consists of our words alone; otherwise undefined. */
export function foreignWords(locale: string): "en" | undefined {
  const language = languageOf(locale);
  return language === "en" || Object.hasOwn(translations, language) ? undefined : "en";
}
