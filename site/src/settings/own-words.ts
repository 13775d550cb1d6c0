import { parseOwnWords } from "../../words/own-words.ts";

// As a module, so that the dev server renders pages with it anew when it changes.
const [text = ""] = Object.values(
  import.meta.glob<string>("@content/words.yaml", { query: "?raw", import: "default", eager: true }),
);

/** The words of content/words.yaml. */
export const ownWords = parseOwnWords(text);
