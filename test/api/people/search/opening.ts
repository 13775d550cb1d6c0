import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openSearch } from "../../../../api/people/search/search.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes that this process's memory holds, on the heap and outside. */
export async function countBytes(): Promise<number> {
  collectGarbage();
  // What is outside the heap goes a turn later.
  await setImmediate();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Follows the builds of a `.session/`, and says what it takes this thread to open the search index of the newest:
 * milliseconds of its processor time in all, and at most before others have their turn. Other load doesn't count.
 */
export function followSearch(sessionPages: string) {
  const search = openSearch(openBuilds(sessionPages), { info: () => {}, error: () => {} });
  return async () => {
    const taken: number[] = [];
    let isOpening = true;
    let last = process.threadCpuUsage();
    const note = () => {
      const { user, system } = process.threadCpuUsage(last);
      taken.push((user + system) / 1_000);
      last = process.threadCpuUsage();
      if (isOpening) globalThis.setImmediate(note);
    };
    globalThis.setImmediate(note);
    const index = await search.current();
    isOpening = false;
    note();
    return { index, processorMs: taken.reduce((sum, each) => sum + each, 0), longestMs: Math.max(...taken) };
  };
}
