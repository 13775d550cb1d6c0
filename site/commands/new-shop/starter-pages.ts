import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answers } from "./answers.ts";
import { textLanguage } from "./store-file.ts";

/** The pages of a new shop, by file name: nothing in them is true of one shop alone but what was answered. */
export function writeStarterPages({ name, locale, email, phone, company }: Answers): Map<string, string> {
  const folder = join(import.meta.dirname, textLanguage(locale));
  const values: Readonly<Record<string, string>> = {
    name,
    // In a field, where a colon or a quote would be YAML's.
    name_in_field: JSON.stringify(name).slice(1, -1),
    ...{ email, phone, ...company },
    today: new Date().toISOString().slice(0, 10),
  };
  const fill = (text: string) =>
    text.replace(/\{\{ (\w+) \}\}/g, (_, key: string) => {
      const value = values[key];
      if (value === undefined) throw new Error(`A starter page has {{ ${key} }}, which nothing fills.`);
      return value;
    });
  return new Map(readdirSync(folder).map((file) => [file, fill(readFileSync(join(folder, file), "utf8"))]));
}
