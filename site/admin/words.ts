import { english } from "../words/languages.ts";
import { speak } from "../words/spoken.ts";
import { wordsIn } from "../words/words-in.ts";

/** The words of /admin in one language. */
export type AdminWords = ReturnType<typeof wordsFor>;

/** The words in the language of store.yaml's locale. */
export const wordsFor = (locale: string) => speak(english.admin, wordsIn(locale).admin, locale);
