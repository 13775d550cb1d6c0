import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { close, createIndex } from "pagefind";
import { listFiles } from "../renderer/files.ts";
import { pageText, type SearchablePage, wordsOf } from "./searchable-page.ts";

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
export async function makeIndex(pages: Iterable<SearchablePage>, folder: string): Promise<void> {
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
