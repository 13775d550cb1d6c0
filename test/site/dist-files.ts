import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Each file's mtime and size, which make its ETag, and its content's beginning. */
export async function describeFiles(dist: string): Promise<Map<string, string>> {
  const entries = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const described = entries.map(async ({ parentPath, name }): Promise<[string, string]> => {
    const file = join(parentPath, name);
    const { mtimeMs, size } = await stat(file);
    return [file.slice(dist.length + 1), `${mtimeMs}-${size} ${(await readFile(file)).toString("base64")}`];
  });
  return new Map((await Promise.all(described)).sort());
}
