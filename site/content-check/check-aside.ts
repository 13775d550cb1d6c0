import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
// For its libvips, which sets an environment variable once in a process (VIPSHOME): on the check's thread that would crash the
// process whenever another thread reads the environment at that moment (getenv(3) isn't safe beside setenv(3)).
import "sharp";
import type { Findings } from "./problem.ts";

/**
 * What `findProblems` finds, on a thread of its own. `end` ends the thread, finished or not; `findings` then rejects. So it does
 * if the check needs more than `memoryMb`; by default, a thread may have as much as a process.
 */
export function checkAside(
  root: string,
  cacheFolder: string,
  memoryMb?: number,
): { findings: Promise<Findings>; end(): Promise<void> } {
  // A thread that is ended can't remove its own files, and its git may still be writing them.
  const temporary = mkdtempSync(join(tmpdir(), "twinfront-check-"));
  const removeTemporary = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  const thread = new Worker(new URL("check-thread.ts", import.meta.url), {
    workerData: { root, cacheFolder },
    env: { ...process.env, TMPDIR: temporary },
    ...(memoryMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
  });
  const ended = once(thread, "exit").then(() => {
    removeTemporary();
    throw new Error("The check was ended.");
  });
  const findings = Promise.race([once(thread, "message") as Promise<[Findings]>, ended]).then(([found]) => {
    removeTemporary();
    return found;
  });
  // Whoever waits for it gets a failure; one that nobody waits for any more isn't unhandled.
  for (const promise of [ended, findings]) promise.catch(() => {});
  return {
    findings,
    async end() {
      await thread.terminate();
    },
  };
}
