import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeFiles } from "../finish/dist-files.ts";

/** What `describeFiles` says of a build, and the content of its private pages' templates. */
export async function describeWholeBuild(dist: string): Promise<Map<string, string>> {
  const files = await describeFiles(dist);
  const session = await readdir(join(dist, ".session"), { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of session.filter((entry) => entry.isFile())) {
    const file = join(parentPath, name);
    files.set(file.slice(dist.length + 1), await readFile(file, "utf8"));
  }
  return files;
}

/** The files in which two builds differ. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}
