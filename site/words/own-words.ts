import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { WordTree } from "../../api/contract/words.ts";

/** In content/: words in place of the shop's own, by section and name as in site/words/en/. */
export const WORDS_FILE = "words.yaml";

/** The words of a content/ folder; none without a file, or while it can't be read: the check says why. */
export function readOwnWords(content: string): WordTree {
  const file = join(content, WORDS_FILE);
  return existsSync(file) ? parseOwnWords(readFileSync(file, "utf8")) : {};
}

export function parseOwnWords(text: string): WordTree {
  try {
    return Object(parse(text));
  } catch {
    return {};
  }
}
