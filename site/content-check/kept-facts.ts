import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashOfFiles, writeAtomically } from "../build/files.ts";
import type { KnownPage, PageFile } from "./content-files.ts";

type Facts = KnownPage["facts"];

/** Facts of pages by file, each with a hash of the text that it was read from; valid for one key. */
interface KeptFacts {
  key: string;
  pages: Record<string, PageFacts>;
}
type PageFacts = { hash: string; facts: Facts };

const SITE = join(import.meta.dirname, "..");

/** Facts depend on the code of the check and of what it imports, on its packages and on Node. */
const code = hashOfFiles(SITE, ["*/*.ts", "../pnpm-lock.yaml"]).update(process.version).digest("hex");

/**
 * Opens the facts that are known of pages. `of` gives those of a page, none if its file has changed; `keep` keeps them for the next
 * check.
 *
 * @param settings what facts depend on besides the page
 * @param folder keeps them; without one, none are known
 */
export function openFacts(
  settings: readonly unknown[],
  folder: string | undefined,
): { of: (page: PageFile) => Facts; keep: () => void } {
  const key = JSON.stringify([code, settings]);
  const kept = folder === undefined ? undefined : openKeptFacts(key, folder);
  const now: KeptFacts = { key, pages: {} };
  return {
    of({ file, text }) {
      const hash = createHash("sha256").update(text).digest("base64url");
      const known = kept?.pages[file];
      const page = known?.hash === hash ? known : { hash, facts: {} };
      now.pages[file] = page;
      return page.facts;
    },
    keep: () => kept?.write(now),
  };
}

/** Opens the facts in a folder: a file of all pages, and a small one of those that have changed since it was written. */
function openKeptFacts(key: string, folder: string) {
  const [all, changes] = ["content-facts.json", "content-facts-changed.json"].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  const read = (file: string): KeptFacts["pages"] => {
    const { key: found, pages }: KeptFacts = existsSync(file)
      ? JSON.parse(readFileSync(file, "utf8"))
      : { key: "", pages: {} };
    return found === key ? pages : {};
  };
  const written = read(all);
  return {
    pages: { ...written, ...read(changes) },
    write({ pages }: KeptFacts) {
      mkdirSync(folder, { recursive: true });
      const changed = Object.entries(pages).filter(([file, { hash }]) => written[file]?.hash !== hash);
      const isFew = changed.length * 10 < Object.keys(written).length;
      const facts = isFew ? Object.fromEntries(changed) : pages;
      writeAtomically(isFew ? changes : all, JSON.stringify({ key, pages: facts }));
    },
  };
}
