import { spell } from "../../src/words/spelling.ts";
import type { AdminWords } from "./admin-words.ts";
import de from "./de.ts";
import en from "./en.ts";

/** The words in the language of store.yaml's locale; in English where there are none. */
export const wordsFor = (locale: string): AdminWords => spell(locale.startsWith("de") ? de : en, locale);
