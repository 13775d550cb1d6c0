import type { Language } from "../../api/contract/built-files/search.ts";
import { completeWords, type WordTree } from "../../api/contract/words.ts";
import { english, languageOf, searchGrammars, translations } from "./languages.ts";
import { spell } from "./spelling.ts";

/**
 * The words in a locale's language and spelling; in English where it lacks one. They have English's type, for its places.
 *
 * @param own the shop's words in their place (own-words.ts)
 */
export function wordsIn(locale: string, own: WordTree = {}): typeof english {
  const translated: WordTree = Object(translations[languageOf(locale)]);
  return completeWords(spell(completeWords(english, translated), locale), own);
}

/** What the search knows of a locale's language; of English if there is nothing. */
export function searchGrammarIn(locale: string): Language {
  const grammar = searchGrammars[languageOf(locale)] ?? searchGrammars.en;
  return {
    ...grammar,
    prepositions: grammar.prepositions.split(" "),
    ignored: grammar.ignored.split(" "),
    questions: { ...grammar.questions, ignored: grammar.questions.ignored.split(" ") },
    wider: grammar.wider.map(({ words, narrower }) => ({ words: words.split(" "), narrower: narrower.split(" ") })),
  };
}

/** How people write a currency: `EUR`, `€`, `euro`, `euros`; of `British pounds` the last word, too. */
export function currencyNamesIn(locale: string, currency: string): string[] {
  const nameAs = (currencyDisplay: "narrowSymbol" | "name", amount: number) =>
    new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay, maximumFractionDigits: 0 })
      .formatToParts(amount)
      .find(({ type }) => type === "currency")?.value ?? currency;
  const names = [nameAs("name", 1), nameAs("name", 2)];
  return [
    ...new Set([
      ...[currency, nameAs("narrowSymbol", 1), ...names],
      ...names.map((name) => name.split(" ").at(-1) ?? name),
    ]),
  ];
}
