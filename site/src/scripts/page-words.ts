import type { Words } from "../words/en.ts";
import { type Grammar, grammarOf } from "../words/grammar.ts";

type ScriptWords = Words["scripts"];

/** The words that components/PageScript.astro has put into the page for one of its scripts. */
export const readWords = <Of extends keyof ScriptWords>(): ScriptWords[Of] =>
  JSON.parse(document.querySelector("#words")?.textContent ?? "{}");

/** Plural forms as the page's language has them. */
export const { plural }: Grammar = grammarOf(document.documentElement.lang);
