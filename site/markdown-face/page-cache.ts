import { mkdirSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashOfFiles, writeAtomically } from "../renderer/files.ts";
import { pageToMarkdown } from "./page-to-markdown.ts";

/** A page's Markdown and its name in the cache; `isKnown` where it was there already. */
export type CachedPage = { name: string; markdown: string; isKnown: boolean };

/**
 * Opens the Markdown of earlier builds: a file for each page, named by all that its bytes come from. Several threads may
 * have the cache open. Returns what gives a page's Markdown from it, or else makes it and puts it there; undefined and
 * errors are those of `pageToMarkdown`.
 *
 * @param folder is made where it is missing
 * @param origin the shop's address, which the Markdown contains
 */
export function openPageCache(folder: string, origin: string): (html: Buffer) => CachedPage | undefined {
  mkdirSync(folder, { recursive: true });
  // The converter is this folder and the packages that it uses.
  const converter = hashOfFiles(import.meta.dirname, ["*.ts", "../../pnpm-lock.yaml"]).update(`\n${origin}\n`);
  return (html) => {
    const name = converter.copy().update(html).digest("hex");
    const known = read(join(folder, name));
    const markdown = known ?? pageToMarkdown(html.toString(), origin);
    if (markdown === undefined) return undefined;
    if (known === undefined) writeAtomically(join(folder, name), markdown);
    return { name, markdown, isKnown: known !== undefined };
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Deletes what isn't among these names. */
export async function pruneCache(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) if (!used.has(name)) await rm(join(folder, name), { force: true });
}
