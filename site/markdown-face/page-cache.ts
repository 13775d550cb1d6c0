import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { threadId } from "node:worker_threads";

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
  const converter = `${hashOfConverter()}\n${origin}\n`;
  return {
    nameOf: (html) => createHash("sha256").update(converter).update(html).digest("hex"),
    read: (name) => {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return undefined;
      }
    },
    write: (name, markdown) => {
      // A build that is killed must not leave half a page.
      const part = join(folder, `${name}.${process.pid}-${threadId}.part`);
      writeFileSync(part, markdown);
      renameSync(part, join(folder, name));
    },
  };
}

/** Deletes what isn't among these names. */
export async function pruneCache(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) if (!used.has(name)) await rm(join(folder, name), { force: true });
}

/** The converter is this folder and the packages that it uses. */
function hashOfConverter(): string {
  const hash = createHash("sha256");
  const cwd = import.meta.dirname;
  for (const file of globSync(["*.ts", "../../pnpm-lock.yaml"], { cwd }).sort())
    hash.update(readFileSync(join(cwd, file)));
  return hash.digest("hex");
}
