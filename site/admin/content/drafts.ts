import type { Clash } from "../forms/merge.ts";
import {
  type Change,
  isAncestor,
  mergeTrees,
  moveRef,
  type Person,
  RefMoved,
  readIds,
  readTree,
  SHOP,
  writeCommit,
  writeTree,
} from "./git.ts";

/** The branch that is live. */
export const MAIN = "refs/heads/main";
/** The branch with what editors have saved and nobody has published yet. */
export const DRAFTS = "refs/heads/drafts";

/** The repository has no main branch, so there is nothing to edit. */
export class NoContent extends Error {
  override name = "NoContent";
}

/** Somebody else has saved these files since the editor opened them. Nothing was written. */
export class EditConflict extends Error {
  override name = "EditConflict";
  /** The changed files, each with the blob that is there now; undefined where it was deleted. */
  readonly files: readonly { path: string; id: string | undefined }[];
  /** What both have changed differently in the only file, if that is known. */
  readonly clashes: readonly Clash[];

  constructor(files: EditConflict["files"], clashes: readonly Clash[] = []) {
    super(`Changed since: ${files.map(({ path }) => path).join(", ")}`);
    this.files = files;
    this.clashes = clashes;
  }
}

/**
 * The commit that editors work on: the drafts with everything that has reached main. Where the two contradict each other,
 * the drafts as they are; the publication then shows both.
 */
export async function readDrafts(repository: string): Promise<string> {
  for (;;) {
    const [main, drafts] = await readIds(repository, [`${MAIN}^{commit}`, `${DRAFTS}^{commit}`]);
    if (main === undefined) throw new NoContent(`${repository} has no branch main`);
    if (drafts !== undefined && (await isAncestor(repository, main, drafts))) return drafts;
    const updated = drafts === undefined ? main : await bringUpToDate(repository, drafts, main);
    if (updated === undefined) return drafts ?? main;
    if (await hasMoved(repository, updated, drafts)) return updated;
  }
}

/** The drafts with main merged into them; undefined where they contradict each other. */
async function bringUpToDate(repository: string, drafts: string, main: string): Promise<string | undefined> {
  if (await isAncestor(repository, drafts, main)) return main;
  const { tree, conflicts } = await mergeTrees(repository, drafts, main);
  if (conflicts.length > 0) return undefined;
  const message = "Take over what has reached main";
  return writeCommit(repository, { tree, parents: [drafts, main], author: SHOP, message });
}

export interface Save {
  changes: readonly Change[];
  /** The blob that the editor saw at each path that the save reads or writes; undefined where there wasn't a file. */
  seen: readonly { path: string; id: string | undefined }[];
  author: Person;
  message: string;
}

/**
 * Commits a save to the drafts, all of its files or none, and returns the commit. Throws an EditConflict where somebody
 * else has saved one of the files since; saves of other files don't disturb it.
 */
export async function saveToDrafts(repository: string, { changes, seen, author, message }: Save): Promise<string> {
  for (;;) {
    const head = await readDrafts(repository);
    const current = new Map((await readTree(repository, head)).map(({ path, id }) => [path, id]));
    const changed = seen.filter(({ path, id }) => current.get(path) !== id);
    if (changed.length > 0) throw new EditConflict(changed.map(({ path }) => ({ path, id: current.get(path) })));
    const tree = await writeTree(repository, head, changes);
    if (tree === (await readIds(repository, [`${head}^{tree}`]))[0]) return head;
    const commit = await writeCommit(repository, { tree, parents: [head], author, message });
    if (await hasMoved(repository, commit, head)) return commit;
  }
}

/** Moves the drafts; false where somebody else did first. */
async function hasMoved(repository: string, to: string, from: string | undefined): Promise<boolean> {
  try {
    await moveRef(repository, DRAFTS, to, from);
    return true;
  } catch (error) {
    if (error instanceof RefMoved) return false;
    throw error;
  }
}
