import type { Language } from "../built-files/search.ts";

/** A word of a text: as it is compared, and its parts where it has hyphens or the like. */
export interface Token {
  /** In lower case, without accents, hyphens and signs: `tavpip2d`. */
  word: string;
  /** `tav`, `pip`, `2d`; empty for a word without hyphens. */
  parts: readonly string[];
}

/** A number and its unit are one word, with or without a blank: `80mm`. NFKD makes two `′` of `″`. */
const UNIT =
  /(\d)[\s-]*(mm|cm|m|km|mg|g|kg|mv|v|volts?|w|watts?|wh|ma|a|mah|ah|dpi|kb|mb|gb|tb|mil|ghz|mhz|hz|h|px|["”]|[′']{2}|inch(?:es)?|zoll)(?![\p{L}\p{N}])/gu;

const INCH = /^(?:["”]|[′']{2}|inch(?:es)?|zoll)$/;

const SEPARATOR = /[-./'’+_]/;
/** A decimal number, or a speed, which isn't a length: `80mm/s`. */
const WHOLE = /^\d+(?:[.,]\d+)*(?:\p{L}*|\p{L}+\/s)$/u;
const NO_PARTS: readonly string[] = [];

/** Splits a text into words. A decimal number stays whole. */
export function tokenize(text: string): Token[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(
      UNIT,
      (_all, digit: string, unit: string) =>
        digit + (INCH.test(unit) ? "inch" : unit.replace(/^(v)olts?|(w)atts?$/, "$1$2")),
    );
  return (plain.match(/[\p{L}\p{N}]+(?:[-./'’+_][\p{L}\p{N}]+)*/gu) ?? []).map((found) => {
    if (!SEPARATOR.test(found)) return { word: found, parts: NO_PARTS };
    const parts = WHOLE.test(found) ? [found] : found.split(SEPARATOR);
    return { word: parts.join(""), parts: parts.length > 1 ? parts : NO_PARTS };
  });
}

/** Letters and digits alone, as SKUs and GTINs are compared: without blanks, hyphens and case. */
export const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[\s-]+/g, "");

/** The term of a text: the stems of its words. */
export const termOf = (tokens: readonly Token[], stem: Stem): string => tokens.map(({ word }) => stem(word)).join(" ");

/** Takes a word's ending off, such as a plural's. */
type Stem = (word: string) => string;

/** What makes no difference in a language, or a special one. */
export interface Grammar {
  stem: Stem;
  isIgnored: (word: string) => boolean;
  isPreposition: (word: string) => boolean;
}

/** Makes functions of what the build writes of a language. */
export function readLanguage({ endings, prepositions, ignored }: Language): Grammar {
  const beforeRest = wordSet(prepositions);
  const withoutMeaning = wordSet([...prepositions, ...ignored]);
  return {
    stem: makeStem(endings),
    isIgnored: (word) => withoutMeaning.has(word),
    isPreposition: (word) => beforeRest.has(word),
  };
}

/** Words as a text's are compared. */
export const wordSet = (words: readonly string[]) =>
  new Set(words.flatMap((word) => tokenize(word).map((token) => token.word)));

/** Words with digits keep their endings. */
function makeStem(endings: string): Stem {
  const ending = new RegExp(endings);
  return (word) => {
    if (word.length < 4 || !/^\p{L}+$/u.test(word)) return word;
    const stem = word.replace(ending, "");
    return stem.length < 3 ? word : stem;
  };
}

/** Shorter words are too similar to each other. */
const SHORTEST = 4;

/** Whether a word may be a slip, or what was meant by one. */
export const mayBeMeant = (word: string): boolean => word.length >= SHORTEST && /^\p{L}+$/u.test(word);

/** A bit for each letter that occurs. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place += 1) letters |= 1 << (word.charCodeAt(place) & 31);
  return letters;
}
