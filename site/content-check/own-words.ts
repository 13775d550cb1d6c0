import { existsSync } from "node:fs";
import { join } from "node:path";
import { isWord, isWritten, type Word, type WordTree } from "../../api/contract/words.ts";
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
  const report = (path: readonly string[], message: string) => {
    problems.push({ file, line: locate(yaml, path).line, message: `${path.join(".")} ${message}`.trim() });
  };
  if (!isGroup(own)) {
    problems.push({ file, line: 1, message: `The file must have sections: ${Object.keys(sections).join(", ")}.` });
    return problems;
  }
  const isOurs = foreignWords(locale) === undefined;
  const refused = isOurs ? [...byLaw, ...others] : others;
  const visit = (given: unknown, model: Word | WordTree | undefined, path: readonly string[]): void => {
    const key = path.join(".");
    const why = refused.find(([name]) => name === key)?.[1];
    if (why !== undefined) return report(path, `can't be changed, because ${why}. Delete it.`);
    if (model === undefined) return report(path, `isn't one of the shop's words.${didYouMean(key, words.keys())}`);
    if (isWord(model)) return checkWord(given, model, path);
    if (!isGroup(given)) return report(path, `is a section. Write its words below it: ${Object.keys(model).join(", ")}.`);
    for (const [name, each] of Object.entries(given))
      visit(each, Object.hasOwn(model, name) ? model[name] : undefined, [...path, name]);
  };
  const checkWord = (given: unknown, model: Word, path: readonly string[]): void => {
    const texts = isGroup(given) ? Object.values(given) : [given];
    const isCounted = ["count", "max"].some((name) => placesOf(model).includes(name));
    if (isGroup(given) && !isCounted) return report(path, "has no number in it. Write one text in place of plural forms.");
    if (isGroup(given) && !("other" in given)) return report(path, "needs the plural form `other`.");
    if (texts.some((each) => typeof each !== "string" && each !== null && each !== undefined))
      return report(path, "must be a text. Put it in quotes.");
    const word = given as Word;
    if (given === null || !isWritten(word)) return report(path, "is empty. Write a text, or delete the line.");
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const form of isGroup(given) ? Object.keys(given) : [])
      if (!forms.some((each) => each === form)) report([...path, form], `isn't a plural form here. There are: ${forms.join(", ")}.`);
    const key = path.join(".");
    const at = { file, line: locate(yaml, path).line };
    problems.push(
      ...compareMarks(key, word, model).map(({ message }) => ({ ...at, message })),
      ...findMissingForms(key, word, languageOf(locale)).map((found) => ({ ...at, ...found })),
    );
    if (texts.some((each) => String(each).replaceAll(/<\/?\w+>/g, "").includes("<")))
      report(path, "has a `<` that begins no part. Write it in words.");
  };
  for (const [name, each] of Object.entries(own)) visit(each, Object.hasOwn(sections, name) ? sections[name as keyof typeof sections] : undefined, [name]);
  return problems;
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
