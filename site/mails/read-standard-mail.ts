import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languageOf } from "../words/languages.ts";
import { spell } from "../words/spelling.ts";

/** A mail as the shop sends it without a file of its own: in its language, or in English where that has none. */
export function readStandardMail(kind: string, locale: string): string {
  const [own = "", english = ""] = [languageOf(locale), "en"].map((language) =>
    join(import.meta.dirname, language, `${kind}.md`),
  );
  return spell({ mail: readFileSync(existsSync(own) ? own : english, "utf8") }, locale).mail;
}
