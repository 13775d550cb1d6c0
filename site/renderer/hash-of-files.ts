import { createHash, type Hash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

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
