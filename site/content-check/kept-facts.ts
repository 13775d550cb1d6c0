import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashOfFiles, writeAtomically } from "../renderer/files.ts";
import type { KnownPage, PageFile } from "./content-files.ts";

type Facts = KnownPage["facts"];

/** Facts of pages by file, each with a hash of the text that it was read from; valid for one key. */
interface KeptFacts {
  key: string;
  pages: Record<string, { hash: string; facts: Facts }>;
}

const SITE = join(import.meta.dirname, "..");

/** Facts depend on the code of the check and of what it imports, on its packages and on Node. */
const code = hashOfFiles(SITE, ["*/*.ts", "../pnpm-lock.yaml"]).update(process.version).digest("hex");

/** Those of this process, because the dev server checks all files after each change. */
let last: KeptFacts = { key: "", pages: {} };

/**
 * Opens the facts that are known of pages. `of` gives those of a page, none if its file has changed; `keep` keeps them for the next
 * check.
 *
 * @param settings what facts depend on besides the page
 * @param folder keeps them for other processes
 */
export function openFacts(
  settings: readonly unknown[],
  folder: string | undefined,
): { of: (page: PageFile) => Facts; keep: () => void } {
  const key = JSON.stringify([code, settings]);
  const file = folder && join(folder, "content-facts.json");
  if (last.key !== key && file && existsSync(file)) last = JSON.parse(readFileSync(file, "utf8"));
  const before = last.key === key ? last.pages : {};
  const now: KeptFacts = { key, pages: {} };
  return {
    of({ file, text }) {
      const hash = createHash("sha256").update(text).digest("base64url");
      const known = before[file];
      const facts = known?.hash === hash ? known.facts : {};
      now.pages[file] = { hash, facts };
      return facts;
    },
    keep() {
      last = now;
      if (folder === undefined || file === undefined) return;
      mkdirSync(folder, { recursive: true });
      writeAtomically(file, JSON.stringify(now));
    },
  };
}
