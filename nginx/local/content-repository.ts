import { existsSync } from "node:fs";
import { join } from "node:path";
import { MAIN } from "../../site/admin/content/drafts.ts";
import {
  git,
  initRepository,
  isAncestor,
  mergeTrees,
  moveRef,
  readCommit,
  readIds,
  SHOP,
  writeCommit,
} from "../../site/admin/content/git.ts";
import { StartError } from "../programs.ts";

/** The repository that `npm start` keeps in DATA_DIR unless CONTENT_REPOSITORY names another one. */
export const localRepository = (dataDir: string): string => join(dataDir, "content.git");

/** What the project's checkout holds, as of the last start. */
const CHECKOUT = "refs/heads/checkout";
/** The checkout's own last commit, so that days and renames of its history are known. */
const HEAD = "refs/checkout/head";

/**
 * Commits a project's content/ to the repository's branch `checkout`, and merges that into main, which is what gets built.
 * The project isn't written to. Returns what it did. Throws StartError naming the files that were changed on both sides.
 */
export async function takeOverCheckout(project: string, repository: string): Promise<string> {
  await initRepository(repository);
  const checkout = await commitCheckout(project, repository);
  const main = await readCommit(repository, MAIN);
  if (main !== undefined && (await isAncestor(repository, checkout, main))) return "main has all of the checkout";
  if (main === undefined || (await isAncestor(repository, main, checkout))) {
    await moveRef(repository, MAIN, checkout, main);
    return main === undefined ? "repository made from the checkout" : "main moved on to the checkout";
  }
  const { tree, conflicts } = await mergeTrees(repository, main, checkout);
  if (conflicts.length > 0) throw new StartError(describeConflict(repository, conflicts));
  const message = "Merge the checkout";
  await moveRef(
    repository,
    MAIN,
    await writeCommit(repository, { tree, parents: [main, checkout], author: SHOP, message }),
    main,
  );
  return "checkout merged into main";
}

const describeConflict = (repository: string, files: readonly string[]) =>
  `These files were changed both in /admin and in this checkout:\n\n${files.map((file) => `  ${file}\n`).join("")}
\`npm run content:pull\` fetches what was published; \`git merge content/main\` then asks for what should stay.
Without git here, take over the published text of each file: git --git-dir='${repository}' show main:FILE`;

/** The commit of `checkout`: the checkout's own last commit if content/ is as it was there. */
async function commitCheckout(project: string, repository: string): Promise<string> {
  const head = await fetchHead(project, repository);
  const last = await readCommit(repository, CHECKOUT);
  const base = head ?? last;
  // Kept, because it spares reading files that haven't changed.
  const env = { GIT_INDEX_FILE: join(repository, "checkout-index"), GIT_WORK_TREE: project };
  await git(repository, ["read-tree", ...(base ? ["--reset", base] : ["--empty"])], { env });
  // One fsync for all files, of which a first start has thousands.
  await git(repository, ["-c", "core.fsyncMethod=batch", "add", "--all", "--", "content"], { env });
  const tree = (await git(repository, ["write-tree"], { env })).toString().trim();
  const parents = await parentsOf(repository, head, last);
  const [parent] = parents;
  const [parentTree] = parent === undefined ? [] : await readIds(repository, [`${parent}^{tree}`]);
  const message = "Content of the checkout";
  const commit =
    parent !== undefined && parents.length === 1 && parentTree === tree
      ? parent
      : await writeCommit(repository, { tree, parents, author: SHOP, message });
  if (commit !== last) await moveRef(repository, CHECKOUT, commit, last);
  return commit;
}

/** The commits that a new commit of the checkout follows: its own last one in the project, and the last one here, unless one contains the other. */
async function parentsOf(repository: string, head: string | undefined, last: string | undefined): Promise<string[]> {
  if (head === undefined || last === undefined) return [head ?? last].filter((commit) => commit !== undefined);
  if (await isAncestor(repository, head, last)) return [last];
  return (await isAncestor(repository, last, head)) ? [head] : [last, head];
}

/** Takes over the history of the project's last commit; undefined if the project isn't a repository, or has no commit yet. */
async function fetchHead(project: string, repository: string): Promise<string | undefined> {
  if (!existsSync(join(project, ".git"))) return undefined;
  try {
    await git(repository, ["fetch", "--quiet", "--no-tags", "--update-shallow", project, `+HEAD:${HEAD}`]);
  } catch {
    return undefined;
  }
  return readCommit(repository, HEAD);
}
