// The thread of finish.ts.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { ContentError } from "../content-schema/content-error.ts";
import { openCompressionCache } from "./compression.ts";
import { type Finished, finishFiles } from "./finish-files.ts";

/** What the thread reports; `problem` is the message of a ContentError, whose class a thread can't pass on. */
export type Report = Finished | { problem: string };

const { dist, cacheFolder }: { dist: string; cacheFolder: string } = workerData;

async function finish(): Promise<Report> {
  try {
    return await finishFiles(dist, openCompressionCache(cacheFolder));
  } catch (error) {
    if (error instanceof ContentError) return { problem: error.message };
    throw error;
  }
}

(parentPort as MessagePort).postMessage(await finish());
