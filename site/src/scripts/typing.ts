import { nearest } from "../content/suggest.ts";

let words: Promise<string[]> | undefined;

/** The query with each word that no page has replaced by the one most likely meant. Words with digits are left alone. */
export async function correctTyping(query: string): Promise<string> {
  words ??= fetch("/pagefind/words.txt").then(async (answer) => (answer.ok ? (await answer.text()).split("\n") : []));
  const known = await words;
  const parts = query.toLowerCase().split(/\s+/);
  return parts.map((part) => correctWord(part, known)).join(" ");
}

function correctWord(word: string, known: readonly string[]): string {
  if (!/^\p{L}{4,}$/u.test(word) || known.some((other) => other.startsWith(word))) return word;
  return nearest(word, known) ?? word;
}
