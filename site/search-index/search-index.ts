import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { close, createIndex } from "pagefind";
import { hashOfFiles, listFiles } from "../renderer/files.ts";
import { pageText, type SearchablePage, searchablePage, wordsOf } from "./searchable-page.ts";

/** Makes the index that /search asks, of the HTML of the built pages: `pagefind/`, with the words that are offered for typing slips. */
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

/** Writes the index of a built site into its folder: the cache's, unless a page's text has changed since. */
async function writeSearchIndex(dist: string, cache: string): Promise<{ pages: number; isReused: boolean }> {
  const files = (await listFiles(dist)).filter((file) => file.endsWith(".html"));
  const { pages, hash } = lookThrough(files);
  const kept = join(cache, hash);
  const isReused = existsSync(kept);
  if (!isReused) await refill(cache, kept, files);
  cpSync(kept, join(dist, "pagefind"), { recursive: true });
  return { pages, isReused };
}

/** How many pages are searched, and a hash over all that the index is made of: them, this folder's code, Pagefind's version. */
function lookThrough(files: readonly string[]): { pages: number; hash: string } {
  const hash = hashOfFiles(import.meta.dirname, ["*.ts", "../package.json"]);
  let pages = 0;
  for (const { url, content } of readPages(files)) {
    hash.update(`${url}\n${content}\n`);
    pages += 1;
  }
  return { pages, hash: hash.digest("hex") };
}

/** One at a time, as all of them are large; in this order, which is in the bytes of Pagefind's index. */
function* readPages(files: readonly string[]): Generator<SearchablePage> {
  for (const file of files) {
    const page = searchablePage(readFileSync(file, "utf8"));
    if (page !== undefined) yield page;
  }
}

// Named when it is whole: a build that is killed must not leave half an index. Only the last one is kept.
async function refill(cache: string, kept: string, files: readonly string[]): Promise<void> {
  const part = join(cache, "part");
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  await buildIndex(readPages(files), part);
  renameSync(part, kept);
}

/** What a page shows of other pages would be found in their stead; the rest is found as metadata, and makes no sentence. */
const excluded = [
  ...[".card", ".product-links", ".related", ".guide-list", ".terms", "[data-markdown='skip']"],
  ...[".product-head", ".offer", ".versions", ".keywords", "thead"],
];

// Pagefind's own interfaces: ours asks its API, and nobody loads these 400 kB.
const interfaces = /^pagefind-(ui|modular-ui|component-ui|highlight)\./;

// Pagefind is a process of its own, which takes them in their order: it shall never wait for us.
const pagesAtOnce = 16;

/**
 * Writes Pagefind's index of some pages and `words.txt` into a folder, which is made. Pagefind takes 2.5 ms a page, on
 * one core: 1.4 to read it, 1.1 to compress what it writes of it; it can't add to an index that it has written.
 *
 * @throws with Pagefind's own words when it refuses a page
 */
export async function buildIndex(pages: Iterable<SearchablePage>, folder: string): Promise<void> {
  const { index, errors } = await createIndex({ rootSelector: "main", excludeSelectors: excluded });
  if (index === undefined) throw new Error(`Pagefind: ${errors.join("; ")}`);
  try {
    const add = async (page: SearchablePage) => {
      const { errors } = await index.addHTMLFile(page);
      complain(errors.map((error) => `${page.url}: ${error}`));
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
    complain((await index.writeFiles({ outputPath: folder })).errors);
    const files = (await listFiles(folder)).filter((file) => interfaces.test(relative(folder, file)));
    await Promise.all(files.map((file) => rm(file)));
    await writeFile(join(folder, "words.txt"), [...words].sort().join("\n"));
  } finally {
    await close();
  }
}

function complain(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`Pagefind: ${errors.join("; ")}`);
}
