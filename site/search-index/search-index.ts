import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { listFiles } from "../renderer/files.ts";
import { hashOfFiles } from "../renderer/hash-of-files.ts";
import { makeIndex } from "./make-index.ts";
import { type SearchablePage, searchablePage } from "./searchable-page.ts";

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
  await makeIndex(readPages(files), part);
  renameSync(part, kept);
}
