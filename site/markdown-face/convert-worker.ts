// The threads of convert-pages.ts: each converts the pages that its job names, or those that appear in a folder until it is
// told to stop, and then reports what it has done.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { listFiles } from "../renderer/files.ts";
import { openPageCache, writePage } from "./page-cache.ts";

/** HTML files, by their absolute paths, to write the Markdown of. */
export type PagesJob = { files: string[]; origin: string; cacheFolder: string };

/** A folder whose pages are converted into the cache as they appear. */
export type BackgroundJob = { dist: string; origin: string; cacheFolder: string };

// Each look lists all files, 100,000 of a large shop: of the thread's time it takes at most a tenth.
const pollMs = 1000;
const pollsPerWait = 9;

const job: PagesJob | BackgroundJob = workerData;
const builder = parentPort as MessagePort;
const convert = openPageCache(job.cacheFolder, job.origin);

/** Converts the pages of a folder, which may not exist yet, until a message arrives; returns their names in the cache. */
async function convertUntilStopped(dist: string): Promise<Set<string>> {
  const seen = new Set<string>();
  const converted = new Set<string>();
  let isStopped = false;
  const stop = once(builder, "message").then(() => {
    isStopped = true;
  });
  while (!isStopped) {
    const start = performance.now();
    const files = await listFiles(dist).catch(() => []);
    const waitMs = Math.max(pollMs, pollsPerWait * (performance.now() - start));
    for (const file of files.filter((name) => name.endsWith(".html") && !seen.has(name))) {
      if (isStopped) break;
      seen.add(file);
      const name = convertToCache(file);
      if (name !== undefined) converted.add(name);
      // Lets the message to stop arrive.
      await setImmediate();
    }
    await Promise.race([sleep(waitMs), stop]);
  }
  return converted;
}

/** Returns the page's name in the cache if its Markdown is new there. */
function convertToCache(file: string): string | undefined {
  try {
    const page = convert(readFileSync(file));
    return page?.isKnown === false ? page.name : undefined;
  } catch {
    // Invalid, or not completely written yet: `writePage` reports the page if it is still wrong at the end.
    return undefined;
  }
}

builder.postMessage(
  "files" in job ? job.files.flatMap((file) => writePage(file, convert)) : await convertUntilStopped(job.dist),
);
