import { grammarOf } from "../../site/src/grammar.ts";
import english, { type Words } from "../../site/src/words/en.ts";

/** The words of the demo shop's pages. */
export const words: Words = english(grammarOf("en-GB"));
