import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { forEachAtMost } from "../../../site/build/files.ts";

/**
 * The mtime and size (which make the ETag) and content of each published file of a build, without files kept from earlier
 * builds.
 */
export async function describeFiles(dist: string): Promise<Map<string, string>> {
  const entries = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const own = new Set((await readFile(join(dist, ".hashed-files"), "utf8")).split("\n"));
  const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(dist.length + 1));
  const made = files.filter(
    (file) => own.has(file) || !/^_astro\/|\.pf_\w+$|^\.(?:built-from$|hashed-files$|session\/)/.test(file),
  );
  const described = new Map<string, string>();
  await forEachAtMost(made, 16, async (name) => {
    const file = join(dist, name);
    const { mtimeMs, size } = await stat(file);
    described.set(name, `${mtimeMs}-${size} ${(await readFile(file)).toString("base64")}`);
  });
  return new Map([...described].sort());
}
