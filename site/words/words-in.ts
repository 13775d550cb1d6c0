import { completeWords, type WordTree } from "../../api/contract/words.ts";
import { english, type SearchGrammar, searchGrammars, translations } from "./languages.ts";
import { spell } from "./spelling.ts";

/** The words in a locale's language and spelling; in English where it lacks one. They have English's type, for its places. */
export function wordsIn(locale: string): typeof english {
  const own: WordTree = Object(translations[languageOf(locale)]);
  return spell(completeWords(english, own), locale);
}

/** What the search knows of a locale's language; of English if there is nothing. */
export const searchGrammarIn = (locale: string): SearchGrammar =>
  searchGrammars[languageOf(locale)] ?? searchGrammars.en;

const languageOf = (locale: string) => new Intl.Locale(locale).language;
