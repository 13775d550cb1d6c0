import { mkdirSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashOfFiles, writeAtomically } from "../build/files.ts";
import { linkOrCopyFile } from "../build/link-or-copy.ts";
import { pageToMarkdown } from "./page-to-markdown.ts";

/** A page's Markdown in the cache: the name of its file there and its length; `isKnown` if it was there already. */
export type CachedPage = { name: string; characters: number; isKnown: boolean };

/** A page that was converted before the build's end: its HTML file as it was then, and the result, if the page has one. */
export type EarlyPage = { size: number; mtimeMs: number; page: CachedPage | undefined };

/** By the HTML files' absolute paths. */
export type EarlyPages = ReadonlyMap<string, EarlyPage>;

/**
 * Opens the cache of Markdown from earlier builds: a file for each page, named by a hash of everything that it is made from.
 * Several threads may use it at once.
 *
 * @param folder created if it doesn't exist
 * @param origin the shop's base address, which the Markdown contains
 * @returns a function that takes a page's HTML, and converts it and adds it if it isn't in the cache; it returns undefined and
 *   throws as `pageToMarkdown` does
 */
export function openPageCache(folder: string, origin: string): (html: Buffer) => CachedPage | undefined {
  mkdirSync(folder, { recursive: true });
  // The converter's code: this folder and the packages that it uses.
  const converter = hashOfFiles(import.meta.dirname, ["*.ts", "../../pnpm-lock.yaml"]).update(`\n${origin}\n`);
  return (html) => {
    const name = converter.copy().update(html).digest("hex");
    const file = join(folder, name);
    const known = read(file);
    const markdown = known ?? pageToMarkdown(html.toString(), origin);
    if (markdown === undefined) return undefined;
    if (known === undefined) writeAtomically(file, markdown);
    return { name, characters: markdown.length, isKnown: known !== undefined };
  };
}

/** The result for one page: its Markdown's name in the cache and its length, or why it couldn't be converted. */
export type ConvertedPage = ({ file: string } & CachedPage) | { file: string; problem: string };

/** Writes the Markdown of an HTML file beside it. Returns nothing for a page that only redirects. */
export function writePage(
  file: string,
  cacheFolder: string,
  convert: ReturnType<typeof openPageCache>,
): ConvertedPage[] {
  try {
    const page = convert(readFileSync(file));
    return page ? [linkPage(file, page, cacheFolder)] : [];
  } catch (error) {
    return [{ file, problem: error instanceof Error ? error.message : String(error) }];
  }
}

/** Gives a page in the cache its place beside its HTML file. */
export function linkPage(file: string, page: CachedPage, cacheFolder: string): ConvertedPage {
  linkOrCopyFile(join(cacheFolder, page.name), file.replace(/\.html$/, ".md"));
  return { file, ...page };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Deletes every file whose name isn't in `used`. */
export async function pruneCache(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) if (!used.has(name)) await rm(join(folder, name), { force: true });
}
