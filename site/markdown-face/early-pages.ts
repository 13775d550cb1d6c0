import { Worker } from "node:worker_threads";

/** What the thread is given. */
export type EarlyShare = { dist: string; origin: string; cacheFolder: string };

/** A thread that converts pages before the build is done. */
export type EarlyPages = {
  /** Ends it. Gives the names in the cache of what it has made; none where it has died. */
  stop: () => Promise<ReadonlySet<string>>;
};

/**
 * Has a thread convert the pages that stand in `dist` already into the cache, while Astro, which renders on one core, still
 * makes others. Nothing depends on it: what it has not done, or read half written, is converted when all pages are there.
 */
export function startEarlyPages(share: EarlyShare): EarlyPages {
  const worker = new Worker(new URL("./early-worker.ts", import.meta.url), { workerData: share });
  // A build that fails ends without it.
  worker.unref();
  // Without a listener its error, such as a lack of memory, would be the build's.
  worker.on("error", () => {});
  const made = new Promise<ReadonlySet<string>>((resolve) => {
    worker.once("message", resolve);
    worker.once("exit", () => resolve(new Set()));
  });
  return {
    stop: () => {
      worker.ref();
      worker.postMessage("stop");
      return made;
    },
  };
}
