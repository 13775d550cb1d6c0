import { renameSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";

/** Writes a file of a cache: a build that is killed leaves none of it, never half. Several processes and threads may write it. */
export function writeWhole(file: string, content: string | Buffer): void {
  const part = `${file}.${process.pid}-${threadId}.part`;
  writeFileSync(part, content);
  renameSync(part, file);
}
