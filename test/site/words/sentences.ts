import { isWord, type WordTree } from "../../../api/contract/words.ts";

/** All texts of some words by their keys, each cut at its places: `["from", ""]` for `from {price}`. */
export function readTexts(words: WordTree, before = ""): [key: string, texts: string[]][] {
  return Object.entries(words).flatMap(([name, each]): [string, string[]][] => {
    if (!isWord(each)) return readTexts(each, `${before}${name}.`);
    const forms = typeof each === "string" ? [each] : Object.values(each);
    return [[before + name, forms.flatMap((text) => text.split(/\{\w+\}|<\/?\w+>/).map((part) => part.trim()))]];
  });
}
