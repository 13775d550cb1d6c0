import { english } from "../../../site/words/languages.ts";
import { speak } from "../../../site/words/spoken.ts";

/** The words on the demo shop's pages. */
export const words = speak(english.pages, english.pages, "en-GB");

/** The words of the scripts on its pages. */
export const scriptWords = english.scripts;
