import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { BackgroundJob, PagesJob } from "./convert-worker.ts";
import { type ConvertedPage, openPageCache, writePage } from "./page-cache.ts";

// With fewer pages, starting another thread takes longer than it saves.
const pagesPerThread = 300;

/**
 * Writes the Markdown of each HTML file beside it, on as many threads as pay off. A page that only redirects gets no Markdown
 * and is not in the result.
 */
export async function convertPages({ files, origin, cacheFolder }: PagesJob): Promise<ConvertedPage[]> {
  const threads = Math.min(availableParallelism(), Math.ceil(files.length / pagesPerThread));
  if (threads <= 1) {
    const convert = openPageCache(cacheFolder, origin);
    return files.flatMap((file) => writePage(file, convert));
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
  /** Stops it. Resolves with the cache names of the pages it has converted; empty if the thread crashed. */
  stop: () => Promise<ReadonlySet<string>>;
};

/**
 * Starts a thread that converts the pages in `dist` into the cache while Astro, which renders on one core, is still writing
 * others. Nothing depends on it: `convertPages` converts what it has missed or has read half written.
 */
export function convertInBackground(job: BackgroundJob): BackgroundConversion {
  const worker = startWorker(job);
  // A build that fails must not wait for it.
  worker.unref();
  // Without a listener an error of the thread, such as running out of memory, would end the build.
  worker.on("error", () => {});
  const converted = new Promise<ReadonlySet<string>>((resolve) => {
    worker.once("message", resolve);
    worker.once("exit", () => resolve(new Set()));
  });
  return {
    stop: () => {
      worker.ref();
      worker.postMessage("stop");
      return converted;
    },
  };
}

const startWorker = (job: PagesJob | BackgroundJob) =>
  new Worker(new URL("./convert-worker.ts", import.meta.url), { workerData: job });
