import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Store, storeSchema } from "../content-schema/store.ts";
import { findExpiry } from "./expiry.ts";
import { locate, parseYaml, type Yaml } from "./front-matter.ts";
import { findPoorContrast } from "./poor-contrast.ts";
import type { Problem } from "./problem.ts";
import { findSchemaProblems } from "./schema-problems.ts";
import { findTags } from "./tags.ts";
import { readTextFile } from "./text-file.ts";

/** What the other checks need of store.yaml; undefined where it is wrong or missing. */
interface StoreFile {
  currency: string | undefined;
  baseUrl: string | undefined;
  /** English where it is wrong or missing. */
  locale: string;
  /** The pictures that it names. */
  pictures: { file: string; line: number; source: string }[];
  /** The names of all fields that are there. */
  fields: ReadonlySet<string> | undefined;
  /** All of it; undefined while anything in it is wrong. */
  store: Store | undefined;
  problems: Problem[];
}

/** Reads and checks content/store.yaml. */
export function checkStore(root: string): StoreFile {
  const file = "content/store.yaml";
  const nothing = {
    currency: undefined,
    baseUrl: undefined,
    locale: "en",
    pictures: [],
    fields: undefined,
    store: undefined,
  };
  if (!existsSync(join(root, file)))
    return { ...nothing, problems: [{ file, line: 1, message: "The file is missing." }] };
  const { text, problems: unreadable } = readTextFile(root, file);
  const { yaml, problems: written } = parseYaml(file, text, 1);
  const problems = [...unreadable, ...written];
  if (yaml === undefined) return { ...nothing, problems };
  if (yaml.document.contents === null) {
    const needed = Object.entries(storeSchema.shape).filter(([, field]) => !field.safeParse(undefined).success);
    const message = `The file is empty. It must hold: ${needed.map(([name]) => name).join(", ")}.`;
    return { ...nothing, problems: [...problems, { file, line: 1, message }] };
  }
  problems.push(
    ...findSchemaProblems(file, yaml, storeSchema),
    ...findExpiry(file, yaml),
    ...findPoorContrast(file, yaml),
    ...findTags(file, text, yaml),
    ...findLanguage(file, yaml),
  );
  const logo = readField(yaml, "logo");
  return {
    currency: readField(yaml, "currency"),
    baseUrl: readField(yaml, "base_url"),
    locale: readField(yaml, "locale") ?? "en",
    fields: new Set(Object.keys(yaml.document.toJS())),
    pictures: logo === undefined ? [] : [{ file, line: locate(yaml, ["logo"]).line, source: logo }],
    store: storeSchema.safeParse(yaml.document.toJS()).data,
    problems,
  };
}

/** A locale in whose language the pages have no words. */
function findLanguage(file: string, yaml: Yaml): Problem[] {
  const locale = readField(yaml, "locale");
  if (locale === undefined) return [];
  const { language } = new Intl.Locale(locale);
  const files = readdirSync(join(import.meta.dirname, "../src/words"));
  const languages = files.filter((name) => /^[a-z]{2}\.ts$/.test(name)).map((name) => basename(name, ".ts"));
  if (languages.includes(language)) return [];
  const known = languages.sort().join(", ");
  const message = `locale "${locale}": the pages have no words in this language. Write a locale in one of ${known}, or add site/src/words/${language}.ts.`;
  return [{ file, line: locate(yaml, ["locale"]).line, message }];
}

/** One field on its own, so that a mistake in another one makes no false alarms elsewhere. */
const readField = (yaml: Yaml, name: "currency" | "base_url" | "locale" | "logo") =>
  storeSchema.shape[name].safeParse(yaml.document.get(name)).data;
