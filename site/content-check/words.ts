import { isWord, isWritten, type Word, type WordTree } from "../../api/contract/words.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { english, translations } from "../words/languages.ts";
import { placesOf } from "../words/spoken.ts";
import type { Problem } from "./problem.ts";

/** The most missing words that a message names. */
const NAMED = 10;

/** Finds what the shop's own words lack in a locale's language. `place` is where the locale is written. */
export function findLanguageProblems(locale: string, place: Pick<Problem, "file" | "line">): Problem[] {
  const { language } = new Intl.Locale(locale);
  if (language === "en") return [];
  const own: WordTree | undefined = translations[language];
  if (own === undefined) {
    const known = ["en", ...Object.keys(translations)].sort().join(", ");
    const message = `locale "${locale}": the shop's own words aren't available in this language, so they are in English. Use a locale in ${known}, or add site/words/${language}.`;
    return [{ ...place, message, isWarning: true }];
  }
  return Object.entries(english).flatMap(([name, words]) => {
    const file = `site/words/${language}/${name.replaceAll("_", "-")}.ts`;
    return compareWords(words, (own[name] ?? {}) as WordTree).map((problem) => ({ file, line: 1, ...problem }));
  });
}

/** Compares words with the English ones: an unknown place can't be filled, so it is an error; all else is a warning. */
export function compareWords(english: WordTree, own: WordTree): Pick<Problem, "message" | "isWarning">[] {
  const [needed, given] = [new Map(flatten(english)), new Map(flatten(own).filter(([, word]) => isWritten(word)))];
  const missing = [...needed.keys()].filter((key) => !given.has(key));
  const count = missing.length === 1 ? "1 word is" : `${missing.length} words are`;
  const named = missing.slice(0, NAMED).join(", ");
  const more = missing.length > NAMED ? `, and ${missing.length - NAMED} others` : "";
  return [
    ...(missing.length > 0 ? [warn(`${count} missing, so English ones are shown: ${named}${more}.`)] : []),
    ...[...given].flatMap(([key, word]) => {
      const model = needed.get(key);
      return model === undefined
        ? [warn(`${key} isn't one of the shop's words.${didYouMean(key, needed.keys())}`)]
        : comparePlaces(key, placesOf(model), placesOf(word));
    }),
  ];
}

function comparePlaces(key: string, needed: readonly string[], given: readonly string[]) {
  const names = needed.join(", ") || "none";
  return [
    ...given
      .filter((name) => !needed.includes(name))
      .map((name) => ({ message: `${key} has {${name}}, which can't be filled. The English word has: ${names}.` })),
    ...needed
      .filter((name) => !given.includes(name))
      .map((name) => warn(`${key} lacks {${name}}, which the English word has.`)),
  ];
}

const warn = (message: string) => ({ message, isWarning: true as const });

const flatten = (words: WordTree, before = ""): [key: string, word: Word][] =>
  Object.entries(words).flatMap(([name, each]) =>
    isWord(each) ? [[before + name, each]] : flatten(each, `${before}${name}.`),
  );
