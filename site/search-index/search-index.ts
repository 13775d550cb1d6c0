import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { close, createIndex } from "pagefind";
import { hashOfFiles, listFiles } from "../renderer/files.ts";
import { pageText, type SearchablePage, searchablePage, wordsOf } from "./searchable-page.ts";

/** Astro integration that writes the search index of the built pages: `pagefind/`, with the words for spelling corrections. */
export function searchIndex(): AstroIntegration {
  let cache = "";
  return {
    name: "search-index",
    hooks: {
      "astro:config:done": ({ config }) => {
        cache = fileURLToPath(new URL("./search/", config.cacheDir));
      },
      "astro:build:done": async ({ dir, logger }) => {
        const start = performance.now();
        const { pages, isReused } = await writeSearchIndex(fileURLToPath(dir), cache);
        const time = Math.round(performance.now() - start);
        logger.info(`${pages} pages, in ${time} ms${isReused ? " (as in the last build)" : ""}`);
      },
    },
  };
}

/** Writes the index into the folder of a built site, from the cache unless a page's text has changed. */
async function writeSearchIndex(dist: string, cache: string): Promise<{ pages: number; isReused: boolean }> {
  const files = (await listFiles(dist)).filter((file) => file.endsWith(".html"));
  const { pages, hash } = hashPages(files);
  const kept = join(cache, hash);
  const isReused = existsSync(kept);
  if (!isReused) await refill(cache, kept, files);
  cpSync(kept, join(dist, "pagefind"), { recursive: true });
  return { pages, isReused };
}

/** The number of searchable pages, and a hash of what the index is made from: the pages, this folder's code, Pagefind's version. */
function hashPages(files: readonly string[]): { pages: number; hash: string } {
  const hash = hashOfFiles(import.meta.dirname, ["*.ts", "../package.json"]);
  let pages = 0;
  for (const { url, content } of readPages(files)) {
    hash.update(`${url}\n${content}\n`);
    pages += 1;
  }
  return { pages, hash: hash.digest("hex") };
}

/** Reads one page at a time, to bound memory use, and in a fixed order, on which the bytes of Pagefind's index depend. */
function* readPages(files: readonly string[]): Generator<SearchablePage> {
  for (const file of files) {
    const page = searchablePage(readFileSync(file, "utf8"));
    if (page !== undefined) yield page;
  }
}

// Renamed when it is complete, so that a killed build can't leave half an index. Only the last one is kept.
async function refill(cache: string, kept: string, files: readonly string[]): Promise<void> {
  const part = join(cache, "part");
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  await buildIndex(readPages(files), part);
  renameSync(part, kept);
}

/** Excluded from the text: content of other pages, which should be found there, and facts, which are searched as metadata. */
const excluded = [
  ...[".card", ".product-links", ".related", ".guide-list", ".terms", "[data-markdown='skip']"],
  ...[".product-head", ".offer", ".versions", ".keywords", "thead"],
];

// Pagefind's user interfaces (400 kB), which our page doesn't use.
const interfaces = /^pagefind-(ui|modular-ui|component-ui|highlight)\./;

// Pagefind is a separate process that indexes in order: a short queue keeps it busy.
const pagesAtOnce = 16;

/**
 * Writes Pagefind's index of the pages and `words.txt` into a new folder. It is always complete, because Pagefind can't add to an
 * existing index.
 *
 * @throws with Pagefind's message if it rejects a page
 */
async function buildIndex(pages: Iterable<SearchablePage>, folder: string): Promise<void> {
  const { index, errors } = await createIndex({ rootSelector: "main", excludeSelectors: excluded });
  if (index === undefined) throw new Error(`Pagefind: ${errors.join("; ")}`);
  try {
    const add = async (page: SearchablePage) => {
      const { errors } = await index.addHTMLFile(page);
      throwIfAny(errors.map((error) => `${page.url}: ${error}`));
    };
    const words = new Set<string>();
    const underWay: Promise<void>[] = [];
    for (const page of pages) {
      underWay.push(add(page));
      for (const word of wordsOf(pageText(page))) words.add(word);
      if (underWay.length === pagesAtOnce) await Promise.all(underWay.splice(0));
    }
    await Promise.all(underWay);
    await mkdir(folder);
    throwIfAny((await index.writeFiles({ outputPath: folder })).errors);
    const files = (await listFiles(folder)).filter((file) => interfaces.test(relative(folder, file)));
    await Promise.all(files.map((file) => rm(file)));
    await writeFile(join(folder, "words.txt"), [...words].sort().join("\n"));
  } finally {
    await close();
  }
}

function throwIfAny(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`Pagefind: ${errors.join("; ")}`);
}
