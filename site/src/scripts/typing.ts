import { nearest } from "../content/suggest.ts";

let words: Promise<string[]> | undefined;

/**
 * The query with each word that no page has replaced by the one most likely meant, or left out where there is none: Pagefind
 * would search for its first letters. What is short or has digits is left to it: SKUs are found by their parts.
 */
export async function correctTyping(query: string): Promise<string> {
  words ??= fetch("/pagefind/words.txt").then(async (answer) => (answer.ok ? (await answer.text()).split("\n") : []));
  const known = await words;
  const corrected = query.split(/\s+/).map((word) => correctWord(word, known));
  return corrected.filter((word) => word !== undefined).join(" ");
}

function correctWord(word: string, known: readonly string[]): string | undefined {
  if (!/^\p{L}{4,}$/u.test(word)) return word;
  // English endings, which Pagefind takes off too.
  const stem = word.toLowerCase().replace(/(?:e?s|ed|ing|ers?)$/, "");
  return known.some((other) => other.startsWith(stem)) ? word : nearest(word, known);
}
