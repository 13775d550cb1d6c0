// A thread that converts its share of the pages (see write-pages.ts), and says at its end what came of each.
import { readFileSync, writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { openPageCache } from "./page-cache.ts";
import { pageToMarkdown } from "./page-to-markdown.ts";
import type { Share, WrittenPage } from "./write-pages.ts";

const { files, origin, cacheFolder }: Share = workerData;
const cache = openPageCache(cacheFolder, origin);

function writePage(file: string): WrittenPage[] {
  try {
    const html = readFileSync(file);
    const name = cache.nameOf(html);
    const known = cache.read(name);
    const markdown = known ?? pageToMarkdown(html.toString(), origin);
    if (markdown === undefined) return [];
    if (known === undefined) cache.write(name, markdown);
    writeFileSync(file.replace(/\.html$/, ".md"), markdown);
    return [{ file, name, characters: markdown.length, isReused: known !== undefined }];
  } catch (error) {
    return [{ file, problem: error instanceof Error ? error.message : String(error) }];
  }
}

parentPort?.postMessage(files.flatMap(writePage));
