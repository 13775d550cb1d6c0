import english, { type Words } from "../../../site/src/words/en.ts";
import { grammarOf } from "../../../site/src/words/grammar.ts";

/** The words on the demo shop's pages. */
export const words: Words = english(grammarOf("en-GB"));
