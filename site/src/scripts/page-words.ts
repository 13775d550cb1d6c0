import { makeSay, type Word } from "../../../api/contract/words.ts";
import type { english } from "../../words/languages.ts";
import type { Values } from "../../words/spoken.ts";

type ScriptWords = (typeof english)["scripts"];

/** The words that components/frame/PageScript.astro has put into the page for its script. */
export const readWords = <Of extends keyof ScriptWords>(): ScriptWords[Of] =>
  JSON.parse(document.querySelector("#words")?.textContent ?? "{}");

/** Fills a word in the page's language: its plural forms, numbers and places. */
export const say: <Of extends Word>(word: Of, values: Values<Of>) => string = makeSay(document.documentElement.lang);
