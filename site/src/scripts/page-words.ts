import type { Words } from "../words/en.ts";
import { type Grammar, grammarOf } from "../words/grammar.ts";

type ScriptWords = Words["scripts"];

/** The words that components/frame/PageScript.astro has put into the page for its script. */
export const readWords = <Of extends keyof ScriptWords>(): ScriptWords[Of] =>
  JSON.parse(document.querySelector("#words")?.textContent ?? "{}");

/** The plural forms of the page's language. */
export const { plural }: Grammar = grammarOf(document.documentElement.lang);
