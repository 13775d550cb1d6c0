import { createHash, type Hash } from "node:crypto";
import { globSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { threadId } from "node:worker_threads";

/** All files below a folder, as absolute paths, sorted so that every build processes them in the same order. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Runs `work` on each item, at most `limit` at a time, to bound memory use. */
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
 * A SHA-256 of the names and contents of the files below a folder that match the patterns. It isn't finalised, so that callers can
 * add to it.
 *
 * @param isLeftOut whether to skip a relative path
 */
export function hashOfFiles(folder: string, patterns: readonly string[], isLeftOut = (_path: string) => false): Hash {
  const hash = createHash("sha256");
  // Node leaves out folders, but not every file.
  const files = globSync(patterns, { cwd: folder, exclude: isLeftOut }).filter((path) => !isLeftOut(path));
  addFiles(hash, folder, files.sort());
  return hash;
}

/** Adds the names and contents of files to a hash, without those that are folders. */
export function addFiles(hash: Hash, folder: string, files: readonly string[]): void {
  for (const file of files) {
    const path = join(folder, file);
    // A link may lead nowhere.
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) hash.update(`\n${file}\n`).update(readFileSync(path));
  }
}

/** Writes the complete file or nothing, even if the process is killed. Safe for several processes and threads. */
export function writeAtomically(file: string, content: string | Buffer): void {
  const part = `${file}.${process.pid}-${threadId}.part`;
  writeFileSync(part, content);
  renameSync(part, file);
}
