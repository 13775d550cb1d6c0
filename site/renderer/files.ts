import { createHash, type Hash } from "node:crypto";
import { globSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { threadId } from "node:worker_threads";

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

/**
 * A SHA-256, still to be ended, over the names and contents of the files below a folder that some patterns match. What
 * files of our code have made may be taken over from an earlier build while it is the same.
 *
 * @param leftOut paths, relative to the folder, of which none is looked into
 */
export function hashOfFiles(folder: string, patterns: readonly string[], leftOut = /^$/): Hash {
  const hash = createHash("sha256");
  const files = globSync(patterns, { cwd: folder, exclude: (path) => leftOut.test(path) });
  for (const file of files.sort()) {
    const path = join(folder, file);
    if (statSync(path).isFile()) hash.update(`\n${file}\n`).update(readFileSync(path));
  }
  return hash;
}

/** Writes a file of a cache: a build that is killed leaves none of it, never half. Several processes and threads may write it. */
export function writeAtomically(file: string, content: string | Buffer): void {
  const part = `${file}.${process.pid}-${threadId}.part`;
  writeFileSync(part, content);
  renameSync(part, file);
}
