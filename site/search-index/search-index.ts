import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { close, createIndex, type PagefindIndex } from "pagefind";
import { listFiles } from "../publish/dist-files.ts";
import { pageText, searchablePage, wordsOf } from "./searchable-page.ts";

/** What a page shows of other pages would be found in their stead; the rest is found as metadata, and makes no sentence. */
const excluded = [
  ...[".card", ".product-links", ".related", ".guide-list", ".terms", "[data-markdown='skip']"],
  ...[".product-head", ".offer", ".versions", ".keywords", "thead"],
];

// Pagefind's own interfaces: ours asks its API, and nobody loads these 400 kB.
const interfaces = /^pagefind-(ui|modular-ui|component-ui|highlight)\./;

/** Makes the index that /search asks, of the HTML of the built pages: `pagefind/`, with the words that are offered for typing slips. */
export function searchIndex(): AstroIntegration {
  return {
    name: "search-index",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        const start = performance.now();
        const { pages, words } = await writeSearchIndex(fileURLToPath(dir));
        logger.info(`${pages} pages, ${words} words, in ${Math.round(performance.now() - start)} ms`);
      },
    },
  };
}

/**
 * Writes the index of a built site into its folder.
 *
 * @throws with Pagefind's own words when it refuses a page
 */
async function writeSearchIndex(dist: string): Promise<{ pages: number; words: number }> {
  const folder = join(dist, "pagefind");
  const { index, errors } = await createIndex({ rootSelector: "main", excludeSelectors: excluded });
  if (index === undefined) throw new Error(`Pagefind: ${errors.join("; ")}`);
  try {
    const words = new Set<string>();
    const pages = await addPages(dist, index, words);
    await mkdir(folder);
    complain((await index.writeFiles({ outputPath: folder })).errors);
    const files = (await listFiles(folder)).filter((file) => interfaces.test(relative(folder, file)));
    await Promise.all(files.map((file) => rm(file)));
    await writeFile(join(folder, "words.txt"), [...words].sort().join("\n"));
    return { pages, words: words.size };
  } finally {
    await close();
  }
}

async function addPages(dist: string, index: PagefindIndex, words: Set<string>): Promise<number> {
  const files = (await listFiles(dist)).filter((file) => file.endsWith(".html"));
  let pages = 0;
  // One after the other: the order in which Pagefind gets them is in the bytes of its index.
  for (const file of files) {
    const page = searchablePage(await readFile(file, "utf8"));
    if (page === undefined) continue;
    const { errors } = await index.addHTMLFile(page);
    complain(errors.map((error) => `${relative(dist, file)}: ${error}`));
    for (const word of wordsOf(pageText(page.content))) words.add(word);
    pages += 1;
  }
  return pages;
}

function complain(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`Pagefind: ${errors.join("; ")}`);
}
