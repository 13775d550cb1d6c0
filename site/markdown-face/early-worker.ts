// A thread that converts pages into the cache as they come (see early-pages.ts), until it is told to stop.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { listFiles } from "../renderer/files.ts";
import type { EarlyShare } from "./early-pages.ts";
import { openPageCache } from "./page-cache.ts";

const { dist, origin, cacheFolder }: EarlyShare = workerData;
const convert = openPageCache(cacheFolder, origin);
const seen = new Set<string>();
const made = new Set<string>();
const builder = parentPort as MessagePort;
let isStopped = false;
const stop = once(builder, "message").then(() => {
  isStopped = true;
});

/** The folder isn't there from the beginning. */
async function newPages(): Promise<string[]> {
  const files = await listFiles(dist).catch(() => []);
  return files.filter((file) => file.endsWith(".html") && !seen.has(file));
}

function convertPage(file: string): void {
  seen.add(file);
  try {
    const page = convert(readFileSync(file));
    if (page?.isKnown === false) made.add(page.name);
  } catch {
    // It is wrong, or not whole yet. Whoever writes the page's Markdown says which.
  }
}

while (!isStopped) {
  for (const file of await newPages()) {
    if (isStopped) break;
    convertPage(file);
    // So that it hears when it is told to stop.
    await setImmediate();
  }
  await Promise.race([sleep(200), stop]);
}
builder.postMessage(made);
