import type { Language } from "../../contract/built-files/search.ts";

/** A word of a text: as it is compared, and its parts where it has hyphens or the like. */
export interface Token {
  /** In lower case, without accents, hyphens and signs: `tavpip2d`. */
  word: string;
  /** `tav`, `pip`, `2d`; empty for a word without hyphens. */
  parts: readonly string[];
}

/** A number and its unit are one word, with or without a blank: `80mm`. */
const UNIT =
  /(\d)[\s-]*(mm|cm|m|km|mg|g|kg|mv|v|w|wh|ma|a|mah|ah|dpi|kb|mb|gb|tb|mil|ghz|mhz|hz|h|px|["″”]|inch(?:es)?|zoll)(?![\p{L}\p{N}])/gu;

const INCH = /^(?:["″”]|inch(?:es)?|zoll)$/;

/** Splits a text into words. A decimal number stays whole. */
export function tokenize(text: string): Token[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(UNIT, (_all, digit: string, unit: string) => digit + (INCH.test(unit) ? "inch" : unit));
  return (plain.match(/[\p{L}\p{N}]+(?:[-./'’+_][\p{L}\p{N}]+)*/gu) ?? []).map((found) => {
    const parts = /^\d+(?:[.,]\d+)+\p{L}*$/u.test(found) ? [found] : found.split(/[-./'’+_]/);
    return parts.length > 1 ? { word: parts.join(""), parts } : { word: parts.join(""), parts: [] };
  });
}

/** Letters and digits alone, as SKUs and GTINs are compared: without blanks, hyphens and case. */
export const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[\s-]+/g, "");

/** Returns a function that takes a word's ending off, such as a plural's. Words with digits keep theirs. */
export function makeStem({ endings }: Language): (word: string) => string {
  const ending = new RegExp(endings);
  return (word) => {
    if (word.length < 4 || !/^\p{L}+$/u.test(word)) return word;
    const stem = word.replace(ending, "");
    return stem.length < 3 ? word : stem;
  };
}
