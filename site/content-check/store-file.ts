import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { storeSchema } from "../src/content/store.ts";
import { parseYaml, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { findSchemaProblems } from "./schema-problems.ts";

/** What the other checks need of store.yaml; undefined where it is wrong or missing. */
interface StoreFile {
  currency: string | undefined;
  baseUrl: string | undefined;
  problems: Problem[];
}

/** Reads and checks content/store.yaml. */
export function checkStore(root: string): StoreFile {
  const file = "content/store.yaml";
  const nothing = { currency: undefined, baseUrl: undefined };
  if (!existsSync(join(root, file)))
    return { ...nothing, problems: [{ file, line: 1, message: "The file is missing." }] };
  const { yaml, problems } = parseYaml(file, readFileSync(join(root, file), "utf8"), 1);
  if (yaml === undefined) return { ...nothing, problems };
  problems.push(...findSchemaProblems(file, yaml, storeSchema));
  return { currency: readField(yaml, "currency"), baseUrl: readField(yaml, "base_url"), problems };
}

/** One field on its own, so that a mistake in another one makes no false alarms elsewhere. */
const readField = (yaml: Yaml, name: "currency" | "base_url") =>
  storeSchema.shape[name].safeParse(yaml.document.get(name)).data;
