import { type Forms, isWord, makeSay, type Word, type WordTree, type Wrap } from "../../api/contract/words.ts";

/** The names of a text's places: `price` of `from {price}`. */
type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

/** The names of a text's wrapped parts: `link` of `<link>Ask us</link>`. */
type Parts<Text> = Text extends `${string}</${infer Name}>${infer Rest}` ? Name | Parts<Rest> : never;

type Texts<Of> = Of extends string ? Of : Of[keyof Of];

/** The values that a word needs, by the text of the English one. */
export type Values<Of> = {
  [Name in Places<Texts<Of>>]: Name extends "count" | "min" | "max" ? number : string | number;
} & { [Name in Parts<Texts<Of>>]: Wrap };

/** Words to be used in code: a text as it is, a word with values as a function of them. */
export type Spoken<Of> = Of extends string | Forms
  ? [Places<Texts<Of>> | Parts<Texts<Of>>] extends [never]
    ? string
    : (values: Values<Of>) => string
  : { [Name in keyof Of]: Spoken<Of[Name]> };

/** The words of English in another language, which may lack some. */
export type Translation<Of> = Of extends string | Forms
  ? Word
  : { readonly [Name in keyof Of]?: Translation<Of[Name]> };

/** @throws RangeError for a word that has other places than the English one */
export function speak<English extends WordTree>(english: English, words: English, locale: string): Spoken<English> {
  const say = makeSay(locale);
  const speakAll = (own: WordTree, all: WordTree): object =>
    Object.fromEntries(
      Object.entries(own).map(([name, each]) => {
        const word = all[name] as Word;
        if (!isWord(each)) return [name, speakAll(each, all[name] as WordTree)];
        return [name, placesOf(each).length === 0 ? say(word) : (values: Record<string, unknown>) => say(word, values)];
      }),
    );
  return speakAll(english, words) as Spoken<English>;
}

/** The names of a word's places and wrapped parts, in all plural forms: `count`, `link`; sorted. */
export function placesOf(word: Word): string[] {
  const text = typeof word === "string" ? word : Object.values(word).join("\n");
  const names = [...text.matchAll(/\{(\w+)\}|<\/(\w+)>/g)].map(([, place, part]) => place ?? part ?? "");
  return [...new Set(names)].sort();
}
