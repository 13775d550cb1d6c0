import { join, parse } from "node:path";
import { checkAside } from "../../content-check/check-aside.ts";
import type { Findings } from "../../content-check/problem.ts";
import { checkOut } from "../../content-repository/checkout.ts";
import { readDrafts } from "./drafts.ts";

/** What `npm run check:content` would print of the drafts, or of another commit. */
export interface DraftCheck {
  find(commit?: string): Promise<Findings>;
}

/** What the check says of a file, and of others that name it, such as a SKU that both have. */
export const problemsAbout = ({ errors, warnings }: Findings, path: string): string[] =>
  [...errors, ...warnings].filter((problem) => problem.includes(`${path}:`));

/** Whether a problem is told of a file. */
export const isAbout = (problem: string, path: string): boolean => problem.startsWith(`${path}:`);

/** What the check says of files that name one which is there no more, by its slug. */
export const problemsWithout = ({ errors, warnings }: Findings, path: string): string[] =>
  [...errors, ...warnings].filter((problem) => problem.split(/[^\w-]+/).includes(parse(path).name));

/** Longer than the check of 10,000 products takes: a check that hangs is ended. */
const LONGEST_SECONDS = 120;
/** So that drafts can't take the admin's. */
const MOST_MEMORY_MB = 1024;

/** Commits whose findings are remembered: the drafts, and what was published or shown of them last. */
const MOST_REMEMBERED = 8;

/**
 * Checks commits in a work tree of their own, one at a time, on a thread that can be ended. `folder` keeps the tree and what is
 * known of unchanged files.
 */
export function openDraftCheck(repository: string, folder: string): DraftCheck {
  const root = join(folder, "drafts");
  const remembered = new Map<string, Promise<Findings>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    async find(named) {
      const commit = named ?? (await readDrafts(repository));
      const known = remembered.get(commit);
      if (known) return known;
      const findings = last.then(async () => {
        await checkOut(repository, commit, root);
        return check(root, folder);
      });
      remembered.set(commit, findings);
      for (const oldest of [...remembered.keys()].slice(0, -MOST_REMEMBERED)) remembered.delete(oldest);
      // The next request tries again.
      last = findings.catch(() => remembered.delete(commit));
      return findings;
    },
  };
}

async function check(root: string, cacheFolder: string): Promise<Findings> {
  const checking = checkAside(root, cacheFolder, MOST_MEMORY_MB);
  const timer = setTimeout(() => void checking.end(), LONGEST_SECONDS * 1000);
  try {
    return await checking.findings;
  } finally {
    clearTimeout(timer);
    await checking.end();
  }
}
