import { nearest } from "../../content-schema/suggest.ts";

let words: Promise<string[]> | undefined;

/**
 * Replaces each word of the query that isn't on any page by the most similar one, or omits it: Pagefind would search for its first
 * letters.
 *
 * @param endings word endings of the language, which Pagefind ignores too
 */
export async function correctSpelling(query: string, endings: RegExp): Promise<string> {
  words ??= fetch("/pagefind/words.txt").then(async (answer) => (answer.ok ? (await answer.text()).split("\n") : []));
  const known = await words;
  const corrected = query.split(/\s+/).map((word) => correctWord(word, known, endings));
  return corrected.filter((word) => word !== undefined).join(" ");
}

/** Letters and digits only, in lower case: `tavpip2d`. */
export const squeeze = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, "");

function correctWord(word: string, known: readonly string[], endings: RegExp): string | undefined {
  const bare = squeeze(word);
  const stem = /^\p{L}{4,}$/u.test(bare) ? bare.replace(endings, "") : bare;
  if (stem !== "" && known.some((other) => other.startsWith(stem))) return word;
  if (/^\p{L}{4,}$/u.test(word)) return nearest(word, likely(bare, known));
  const parts = word.toLowerCase().split(/[-./,+'’]/);
  if (parts.every((part) => part !== "" && known.some((other) => other.startsWith(part)))) return parts.join(" ");
  return findWithin(bare, known);
}

/** Candidates for a misspelt word. Short words are too similar to each other, and their first letter is rarely wrong. */
const likely = (word: string, known: readonly string[]): string[] =>
  known.filter((other) => /^\p{L}{4,}$/u.test(other) && (word.length > 5 || other[0] === word[0]));

/** Finds a part of a number, such as a GTIN without its first zero, and returns it as the start of a word, which Pagefind can find. */
function findWithin(part: string, known: readonly string[]): string | undefined {
  const whole = /^\d{4,}$/.test(part) ? known.find((other) => other.includes(part)) : undefined;
  return whole?.slice(0, whole.indexOf(part) + part.length);
}
