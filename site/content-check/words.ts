import { isWord, isWritten, type Word, type WordTree } from "../../api/contract/words.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { english, translations } from "../words/languages.ts";
import type { Problem } from "./problem.ts";

/** The most missing words that a message names. */
const NAMED = 10;

/** Of all of a language, some say where to begin. */
const FIRST = 3;

/**
 * Finds what the shop's own words lack in a locale's language. `place` is where the locale is written, and `written` what the
 * shop has in content/words.yaml.
 */
export function findLanguageProblems(
  locale: string,
  place: Pick<Problem, "file" | "line">,
  written: WordTree = {},
): Problem[] {
  const { language } = new Intl.Locale(locale);
  if (language === "en") return [];
  const own: WordTree | undefined = translations[language];
  if (own === undefined) {
    const { admin: _, ...all } = english;
    const given = new Map(flatten(written));
    const needed = flatten(all).map(([key]) => key);
    const missing = needed.filter((key) => !given.has(key));
    if (missing.length === 0) return [];
    const named = missing.slice(0, FIRST).join(", ");
    const message = `locale "${locale}": ${missing.length} of the shop's ${needed.length} words are in English, because there is no translation: ${named} …. Write them into content/words.yaml, or add site/words/${language} for every shop.`;
    return [{ ...place, message, isWarning: true }];
  }
  return Object.entries(english).flatMap(([name, words]) => {
    const file = `site/words/${language}/${name.replaceAll("_", "-")}.ts`;
    return compareWords(words, (own[name] ?? {}) as WordTree, language).map((problem) => ({ file, ...problem }));
  });
}

type Found = Pick<Problem, "message" | "isWarning">;

/**
 * Compares a language's words with the English ones. What would fail or be read as it is written is an error: a place that
 * can't be filled, a tag without its partner. All else is a warning.
 */
export function compareWords(english: WordTree, own: WordTree, language: string): Found[] {
  const [needed, given] = [new Map(flatten(english)), new Map(flatten(own).filter(([, word]) => isWritten(word)))];
  const missing = [...needed.keys()].filter((key) => !given.has(key));
  const count = missing.length === 1 ? "1 word is" : `${missing.length} words are`;
  const named = missing.slice(0, NAMED).join(", ");
  const more = missing.length > NAMED ? `, and ${missing.length - NAMED} others` : "";
  return [
    ...(missing.length > 0 ? [warn(`${count} missing, so English ones are shown: ${named}${more}.`)] : []),
    ...[...given].flatMap(([key, word]) => {
      const model = needed.get(key);
      if (model === undefined) return [warn(`${key} isn't one of the shop's words.${didYouMean(key, needed.keys())}`)];
      return [
        ...compareMarks(key, word, model),
        ...findMissingForms(key, word, language),
        ...findOtherLanguage(key, word, language),
      ];
    }),
  ];
}

/** Compares what a word has to be filled with the English one, `model`. */
export const compareMarks = (key: string, word: Word, model: Word): Found[] => [
  ...comparePlaces(key, readMarks(model), readMarks(word)),
  ...findLoneTags(key, word),
];

function comparePlaces(key: string, needed: readonly string[], given: readonly string[]): Found[] {
  const names = needed.join(", ") || "none";
  return [
    ...given.flatMap((mark) => {
      if (needed.includes(mark)) return [];
      const meant = withoutSpaces(mark);
      const advice = needed.includes(meant)
        ? `Write ${meant}, without spaces.`
        : `It can't be filled. The English word has: ${names}.`;
      return { message: `${key} has ${mark}. ${advice}` };
    }),
    ...needed
      .filter((mark) => !given.map(withoutSpaces).includes(mark))
      .map((mark) => warn(`${key} lacks ${mark}, which the English word has.`)),
  ];
}

/** Pairs are read as makeSay in api/contract/words.ts reads them; what is left has no partner. */
function findLoneTags(key: string, word: Word): Found[] {
  const pair = /<(\w+)>(.*?)<\/\1>/gs;
  const readLone = (text: string): string[] => [
    ...[...text.matchAll(pair)].flatMap(([, , inner = ""]) => readLone(inner)),
    ...(text.replaceAll(pair, " ").match(/<\/?\w+>/g) ?? []),
  ];
  const lone = textsOf(word).flatMap(readLone);
  return [...new Set(lone)].map((tag) => {
    const partner = tag.startsWith("</") ? tag.replace("/", "") : tag.replace("<", "</");
    return { message: `${key} has ${tag} without ${partner}.` };
  });
}

/** A word with `other` alone has one text for all numbers on purpose, as has one without forms. */
export function findMissingForms(key: string, word: Word, language: string): Found[] {
  if (typeof word === "string" || Object.keys(word).length === 1) return [];
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => !(form in word));
  const noun = forms.length === 1 ? "form" : "forms";
  const message = `${key} lacks the plural ${noun} ${forms.join(", ")}, which "${language}" has: \`other\` is shown instead.`;
  return forms.length === 0 ? [] : [warn(message)];
}

/** The language that /admin says it is in (site/words/en/admin.ts) may be copied with the file. */
const findOtherLanguage = (key: string, word: Word, language: string): Found[] =>
  key === "language" && String(word).split("-")[0] !== language
    ? [{ message: `language is "${String(word)}". Write "${language}".` }]
    : [];

const warn = (message: string) => ({ message, isWarning: true as const });

/** What a word's texts have to be filled, in all plural forms: `{count}`, `<link>`; sorted, with any wrong spaces. */
const readMarks = (word: Word): string[] => {
  const marks = textsOf(word).flatMap((text) => text.match(/\{[^{}]*\}|<[^<>]*>/g) ?? []);
  return [...new Set(marks.map((mark) => mark.replace(/^<\//, "<")))].sort();
};

const withoutSpaces = (mark: string) => mark.replaceAll(/\s/g, "");

const textsOf = (word: Word): string[] => (typeof word === "string" ? [word] : Object.values(word));

/** All words with their keys: `basket.title`. */
export const flatten = (words: WordTree, before = ""): [key: string, word: Word][] =>
  Object.entries(words ?? {}).flatMap(([name, each]) =>
    isWord(each) ? [[before + name, each]] : flatten(each, `${before}${name}.`),
  );
