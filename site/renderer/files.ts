import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** All files below a folder, as sorted absolute paths, so that every build goes through them in the same order. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Runs `work` on each item, on at most `limit` at a time: ten thousand pages at once would all be in memory. */
export async function forEachAtMost<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
