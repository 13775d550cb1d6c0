// The threads of convert-pages.ts: each converts the pages that its job names, or those that appear in a folder until it is
// told to stop, and then reports what it has done.
import { once } from "node:events";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type EarlyPage, type EarlyPages, openPageCache, writePage } from "./page-cache.ts";

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

/** Converts the pages of a folder, which may not exist yet, until a message arrives. */
async function convertUntilStopped(dist: string): Promise<EarlyPages> {
  const seen = new Set<string>();
  const early = new Map<string, EarlyPage>();
  let isStopped = false;
  const stop = once(builder, "message").then(() => {
    isStopped = true;
  });
  while (!isStopped) {
    const start = performance.now();
    const files = listPages(dist);
    const waitMs = Math.max(pollMs, pollsPerWait * (performance.now() - start));
    for (const file of files.filter((name) => !seen.has(name))) {
      if (isStopped) break;
      seen.add(file);
      const page = convertEarly(file);
      if (page) early.set(file, page);
      // Lets the message to stop arrive.
      await setImmediate();
    }
    await Promise.race([sleep(waitMs), stop]);
  }
  return early;
}

/** All HTML files below a folder. Takes a fifth of what `listFiles` takes, which sorts and has all files. */
function listPages(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listPages(path);
    return path.endsWith(".html") ? [path] : [];
  });
}

/** Empty for a folder that doesn't exist yet, or that Astro has just removed, as it does with its bundle. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Undefined for a page that is invalid or half written: `convertPages` reports it if it is still wrong at the end. */
function convertEarly(file: string): EarlyPage | undefined {
  try {
    // Before the file is read, so that a write in between changes them.
    const { size, mtimeMs } = statSync(file);
    return { size, mtimeMs, page: convert(readFileSync(file)) };
  } catch {
    return undefined;
  }
}

builder.postMessage(
  "files" in job
    ? job.files.flatMap((file) => writePage(file, job.cacheFolder, convert))
    : await convertUntilStopped(job.dist),
);
