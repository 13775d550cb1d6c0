// A thread that converts its share of the pages (see write-pages.ts), and says at its end what came of each.
import { readFileSync, writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { openPageCache } from "./page-cache.ts";
import type { Share, WrittenPage } from "./write-pages.ts";

const { files, origin, cacheFolder }: Share = workerData;
const convert = openPageCache(cacheFolder, origin);

function writePage(file: string): WrittenPage[] {
  try {
    const page = convert(readFileSync(file));
    if (page === undefined) return [];
    const { name, markdown, isKnown } = page;
    writeFileSync(file.replace(/\.html$/, ".md"), markdown);
    return [{ file, name, characters: markdown.length, isKnown }];
  } catch (error) {
    return [{ file, problem: error instanceof Error ? error.message : String(error) }];
  }
}

parentPort?.postMessage(files.flatMap(writePage));
