import { mkdirSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashOfFiles } from "../hash-of-files.ts";
import { writeWhole } from "../write-whole.ts";

/** The Markdown of earlier builds, a file for each page, named by all that its bytes come from. */
export type PageCache = {
  /** The name of a page's Markdown in the cache. */
  nameOf: (html: Buffer) => string;
  read: (name: string) => string | undefined;
  write: (name: string, markdown: string) => void;
};

/**
 * Opens the cache in a folder, which is made where it is missing. Several threads may have it open.
 *
 * @param origin the shop's address, which the Markdown contains
 */
export function openPageCache(folder: string, origin: string): PageCache {
  mkdirSync(folder, { recursive: true });
  // The converter is this folder and the packages that it uses.
  const converter = hashOfFiles(import.meta.dirname, ["*.ts", "../../pnpm-lock.yaml"]).update(`\n${origin}\n`);
  return {
    nameOf: (html) => converter.copy().update(html).digest("hex"),
    read: (name) => {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return undefined;
      }
    },
    write: (name, markdown) => writeWhole(join(folder, name), markdown),
  };
}

/** Deletes what isn't among these names. */
export async function pruneCache(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) if (!used.has(name)) await rm(join(folder, name), { force: true });
}
