import deAdmin from "./de/admin.ts";
import dePages from "./de/pages.ts";
import dePrivatePages from "./de/private-pages.ts";
import deScripts from "./de/scripts.ts";
import deSearchGrammar from "./de/search-grammar.ts";
import enAdmin from "./en/admin.ts";
import enPages from "./en/pages.ts";
import enPrivatePages from "./en/private-pages.ts";
import enScripts from "./en/scripts.ts";
import enSearchGrammar from "./en/search-grammar.ts";
import type { Translation } from "./spoken.ts";

/**
 * The shop's own words: of the pages, of their scripts, of what the API fills in (private pages, mails, the assistant),
 * and of /admin. Only the delivery's title, which orders keep, is in api/selling/quote/. English is the type of the
 * others, and their fallback.
 */
export const english = { pages: enPages, scripts: enScripts, private_pages: enPrivatePages, admin: enAdmin };

/** The other languages. A word that one lacks is English there, and the content check names it. */
export const translations: Readonly<Record<string, Translation<typeof english>>> = {
  de: { pages: dePages, scripts: deScripts, private_pages: dePrivatePages, admin: deAdmin },
};

/** What the search knows of a language, which isn't words that anyone reads. */
export type SearchGrammar = typeof enSearchGrammar;

export const searchGrammars: { readonly en: SearchGrammar; readonly [language: string]: SearchGrammar } = {
  en: enSearchGrammar,
  de: deSearchGrammar,
};

export const languageOf = (locale: string): string => new Intl.Locale(locale).language;
