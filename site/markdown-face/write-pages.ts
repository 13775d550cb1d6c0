import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** What a thread is given: HTML files by their absolute paths. */
export type Share = { files: string[]; origin: string; cacheFolder: string };

/** What came of a page: its Markdown's name in the cache and its length, or why it has none. */
export type WrittenPage =
  | { file: string; name: string; characters: number; isKnown: boolean }
  | { file: string; problem: string };

// Below this, another thread takes longer to begin than it saves.
const pagesPerThread = 300;

/** Writes the Markdown of each HTML file beside it, on as many threads as pay. Nothing comes of pages that only redirect. */
export async function writePages({ files, origin, cacheFolder }: Share): Promise<WrittenPage[]> {
  const threads = Math.min(availableParallelism(), Math.ceil(files.length / pagesPerThread));
  // Every so-many-th file, because pages of a kind, which are as long as each other, follow one another.
  const shares = Array.from({ length: threads }, (_, thread) => files.filter((_, index) => index % threads === thread));
  const written = await Promise.all(shares.map((share) => writeShare({ files: share, origin, cacheFolder })));
  return written.flat();
}

async function writeShare(share: Share): Promise<WrittenPage[]> {
  const worker = new Worker(new URL("./page-worker.ts", import.meta.url), { workerData: share });
  const [written] = await once(worker, "message");
  return written;
}
