import { existsSync } from "node:fs";
import { join } from "node:path";
import { COUNTED, type Word } from "../../api/contract/words.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { english, languageOf } from "../words/languages.ts";
import { WORDS_FILE } from "../words/own-words.ts";
import { placesOf } from "../words/spoken.ts";
import { foreignWords } from "../words/text-language.ts";
import { readTextFile } from "./content-files.ts";
import { findUnseen } from "./field-problems.ts";
import { locate, parseYaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { compareMarks, findMissingForms, flatten } from "./words.ts";

const { admin: _, ...sections } = english;

/** The words that a shop can write itself. */
const words = new Map(flatten(sections));

/** What the law words, which we have in our own languages, and a shop must write itself in any other. */
const byLaw: readonly [key: string, why: string][] = [
  ["private_pages.review.place", "the law says what is on the button that places an order"],
  ["private_pages.untaxed", "the law says how an invoice gives the reason for charging no tax"],
];

/** What no shop can write itself, and why. */
const others: readonly [key: string, why: string][] = [
  ["admin", "visitors don't see it: it's the language of /admin"],
  ["search_grammar", "the search needs it to understand a language, and nobody reads it"],
];

/** Checks content/words.yaml, the words in place of the shop's own. */
export function findOwnWordProblems(root: string, locale: string): Problem[] {
  const file = `content/${WORDS_FILE}`;
  if (!existsSync(join(root, file))) return [];
  const { text, problems: unreadable } = readTextFile(root, file);
  const { yaml, problems: written } = parseYaml(file, text, 1);
  const problems = [...unreadable, ...findUnseen(file, text, yaml, written)];
  if (yaml === undefined) return problems;
  const own: unknown = yaml.document.toJS();
  if (own === null) return problems;
  if (!isGroup(own)) {
    problems.push({ file, line: 1, message: `The file must have sections: ${Object.keys(sections).join(", ")}.` });
    return problems;
  }
  const isOurs = foreignWords(locale) === undefined;
  const refused = isOurs ? [...byLaw, ...others] : others;
  const found = Object.entries(own).flatMap(([name, given]) => findProblems([name], given, { locale, refused }));
  problems.push(...found.map(({ path, ...each }) => ({ file, line: locate(yaml, path).line, ...each })));
  return problems;
}

type Path = readonly string[];

interface FoundAt extends Pick<Problem, "message" | "isWarning"> {
  path: Path;
}

interface Rules {
  locale: string;
  refused: readonly (readonly [key: string, why: string])[];
}

/** Finds what is wrong with a word or a section of words. */
function findProblems(path: Path, given: unknown, rules: Rules): FoundAt[] {
  const key = path.join(".");
  const because = rules.refused.find(([name]) => name === key)?.[1];
  if (because !== undefined) return [{ path, message: `${key} can't be changed, because ${because}. Delete it.` }];
  const model = path.reduce<unknown>(ownValue, sections);
  if (model === undefined)
    return [{ path, message: `${key} isn't one of the shop's words.${didYouMean(key, words.keys())}` }];
  const word = words.get(key);
  if (word !== undefined) return findWordProblems(path, given, word, rules.locale);
  if (isGroup(given))
    return Object.entries(given).flatMap(([name, each]) => findProblems([...path, name], each, rules));
  const names = Object.keys(Object(model)).join(", ");
  return [{ path, message: `${key} is a section. Write its words below it: ${names}.` }];
}

function findWordProblems(path: Path, given: unknown, model: Word, locale: string): FoundAt[] {
  const key = path.join(".");
  const fault = findFault(given, model);
  if (fault !== undefined) return [{ path, message: `${key} ${fault}` }];
  const word = given as Word;
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  const forms: readonly string[] = pluralCategories;
  const odd = isGroup(given) ? Object.keys(given).filter((form) => !forms.includes(form)) : [];
  return [
    ...odd.map((form) => ({
      path: [...path, form],
      message: `${key}.${form} isn't a plural form here. There are: ${forms.join(", ")}.`,
    })),
    ...compareMarks(key, word, model).map(({ message }) => ({ path, message })),
    ...findMissingForms(key, word, languageOf(locale)).map((each) => ({ path, ...each })),
  ];
}

/** What keeps a value from being a word at all. */
function findFault(given: unknown, model: Word): string | undefined {
  const texts = isGroup(given) ? Object.values(given) : [given];
  if (isGroup(given)) {
    const isCounted = typeof model !== "string" || placesOf(model).some((name) => COUNTED.includes(name));
    if (!isCounted) return "has no number in it. Write one text in place of plural forms.";
    if (!("other" in given)) return "needs the plural form `other`.";
  }
  if (texts.some((text) => text === null || text === "")) return "is empty. Write a text, or delete the line.";
  if (texts.some((text) => typeof text !== "string")) return "must be a text. Put it in quotes.";
  const isBroken = texts.some((text) => /<(?!\/?\w+>)/.test(String(text)));
  return isBroken ? "has a `<` that begins no part. Write it in words." : undefined;
}

const ownValue = (object: unknown, name: string): unknown =>
  isGroup(object) && Object.hasOwn(object, name) ? object[name] : undefined;

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
