import { once } from "node:events";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type ResourceLimits, Worker } from "node:worker_threads";
import type { BackgroundJob, PagesJob } from "./convert-worker.ts";
import {
  type ConvertedPage,
  type EarlyPage,
  type EarlyPages,
  linkPage,
  openPageCache,
  writePage,
} from "./page-cache.ts";

// With fewer pages, starting another thread takes longer than it saves.
const pagesPerThread = 300;

/**
 * Writes the Markdown of each HTML file beside it, on as many threads as pay off. A page that only redirects gets no Markdown
 * and is not in the result.
 *
 * @param early the pages that `convertInBackground` has put into the cache, which are only linked if they haven't changed since
 */
export async function convertPages(
  { files, origin, cacheFolder }: PagesJob,
  early: EarlyPages = new Map(),
): Promise<ConvertedPage[]> {
  const linked: ConvertedPage[] = [];
  const rest = files.filter((file) => {
    const known = early.get(file);
    if (!known || !isAsRead(file, known)) return true;
    if (known.page) linked.push(linkPage(file, known.page, cacheFolder));
    return false;
  });
  return [...linked, ...(await convertOnThreads({ files: rest, origin, cacheFolder }))];
}

function isAsRead(file: string, read: EarlyPage): boolean {
  const { size, mtimeMs } = statSync(file);
  return size === read.size && mtimeMs === read.mtimeMs;
}

async function convertOnThreads({ files, origin, cacheFolder }: PagesJob): Promise<ConvertedPage[]> {
  const threads = Math.min(availableParallelism(), Math.ceil(files.length / pagesPerThread));
  if (threads <= 1) {
    const convert = openPageCache(cacheFolder, origin);
    return files.flatMap((file) => writePage(file, cacheFolder, convert));
  }
  // Dealt out in turn: pages of one kind are similar in length and follow one another.
  const shares = Array.from({ length: threads }, (_, thread) => files.filter((_, index) => index % threads === thread));
  const converted = await Promise.all(shares.map((share) => convertOnThread({ files: share, origin, cacheFolder })));
  return converted.flat();
}

async function convertOnThread(job: PagesJob): Promise<ConvertedPage[]> {
  const [converted] = await once(startWorker(job), "message");
  return converted;
}

/** A thread that converts pages while the build is still running. */
export type BackgroundConversion = {
  /** Stops it. Resolves with the pages that it has converted; empty if the thread crashed. */
  stop: () => Promise<EarlyPages>;
};

/**
 * Starts a thread that converts the pages in `dist` into the cache while Astro, which renders on one core, is still writing
 * others. Nothing depends on it: `convertPages` converts what it has missed or has read half written.
 */
export function convertInBackground(job: BackgroundJob): BackgroundConversion {
  const worker = startWorker(job, roomForNewObjects);
  // A build that fails must not wait for it.
  worker.unref();
  // Without a listener an error of the thread, such as running out of memory, would end the build.
  worker.on("error", () => {});
  const converted = new Promise<EarlyPages>((resolve) => {
    worker.once("message", resolve);
    worker.once("exit", () => resolve(new Map()));
  });
  return {
    stop: () => {
      worker.ref();
      worker.postMessage("stop");
      return converted;
    },
  };
}

// With a thread's usual few MB, a sixth of its time would be spent on collecting garbage. Threads at a build's end have less to
// do, at the moment in which the build needs most memory.
const roomForNewObjects: ResourceLimits = { maxYoungGenerationSizeMb: 48 };

const startWorker = (job: PagesJob | BackgroundJob, resourceLimits: ResourceLimits = {}) =>
  new Worker(new URL("./convert-worker.ts", import.meta.url), { workerData: job, resourceLimits });
