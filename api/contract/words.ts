/** A text for each plural form of a language, by CLDR's names; `{count}` is the number. */
export type Forms = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>;

/** A text with `{name}` places and `<link>…</link>` parts, or its plural forms. */
export type Word = string | Forms;

/** Words by section and name. */
export interface WordTree {
  readonly [name: string]: Word | WordTree;
}

/** Wraps a part of a text in HTML, such as a link. */
export type Wrap = (text: string) => string;

/**
 * Fills a word: `say({ one: "{count} day", other: "{count} days" }, { count: 2 })` is `2 days`. Plural forms go by `count`,
 * otherwise by `max`: in nearly all languages a range has the plural form of its end (CLDR). `count`, `min` and `max` are
 * written as the locale writes numbers, other values as they are. A part in `<name>…</name>` is given to the value `name`,
 * a `Wrap`. Values that the word has no place for are ignored.
 *
 * @throws RangeError for a place or part without its value, and for a count that isn't a number
 */
type Say = (word: Word, values?: Readonly<Record<string, unknown>>) => string;

export const COUNTED = ["count", "min", "max"];

/** The words of a locale, in its plural forms and numbers. Also used in the browser. */
export function makeSay(locale: string): Say {
  const rules = new Intl.PluralRules(locale);
  const { format } = new Intl.NumberFormat(locale);
  return (word, values = {}) => {
    const text =
      typeof word === "string" ? word : (word[rules.select(Number(values["count"] ?? values["max"]))] ?? word.other);
    const given = (name: string, isPart: boolean) => {
      const value = Object.hasOwn(values, name) ? values[name] : null;
      if (value === undefined || value === null || (typeof value === "function") !== isPart)
        throw new RangeError(`"${text}" needs a ${isPart ? "function" : "value"} for ${name}.`);
      return value;
    };
    const fill = (part: string): string =>
      part.replace(/<(\w+)>(.*?)<\/\1>|\{(\w+)\}/gs, (_all, tag?: string, inner = "", name = "") => {
        if (tag !== undefined) return (given(tag, true) as Wrap)(fill(inner));
        const value = given(name, false);
        if (!COUNTED.includes(name)) return String(value);
        // Number("") would be 0.
        if (!/\d/.test(String(value)) || Number.isNaN(Number(value)))
          throw new RangeError(`"${text}" needs a number for ${name}.`);
        return format(Number(value));
      });
    return fill(text);
  };
}

/** The word of a key such as `basket.title`; undefined if there is none. */
export function findWord(words: WordTree, key: string): Word | undefined {
  let found: Word | WordTree | undefined = words;
  for (const name of key.split(".")) {
    if (found === undefined || isWord(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found !== undefined && isWord(found) ? found : undefined;
}

/** Tells a word from a section, and from null, which types don't keep out of a script's result. */
export const isWord = (found: Word | WordTree | null): found is Word =>
  typeof found === "string" || typeof found?.["other"] === "string";

/** Whether someone has written a word: all of its texts are texts, and none is empty. */
export const isWritten = (word: Word): boolean =>
  (typeof word === "string" ? [word] : Object.values(word)).every(
    (text: unknown) => typeof text === "string" && text.trim() !== "",
  );

/** The words of a language; in English where it lacks one. They have English's type, for its places. */
export function completeWords<English extends WordTree>(english: English, own: WordTree): English {
  const complete = (english: WordTree, own: WordTree): WordTree =>
    Object.fromEntries(
      Object.entries(english).map(([name, each]) => {
        const other = Object.hasOwn(own, name) ? own[name] : undefined;
        if (isWord(each)) return [name, other !== undefined && isWord(other) && isWritten(other) ? other : each];
        return [name, complete(each, isWord(other ?? null) ? {} : Object(other))];
      }),
    );
  return complete(english, own) as English;
}
