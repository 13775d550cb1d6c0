import {
  type Change,
  git,
  mergeTrees,
  type Person,
  readBlobs,
  readIds,
  writeCommit,
  writeTree,
} from "../content/git.ts";

/** A file of which the drafts differ from what is live. */
export interface ChangedFile {
  path: string;
  /** Its path before it was renamed. */
  from?: string;
  kind: "added" | "changed" | "deleted" | "renamed";
  /** Whether main has changed it too, in a way that contradicts the drafts. */
  isConflict: boolean;
}

/** The folders of texts, with the pictures beside them. */
const TEXTS = /^content\/(products|categories|makers|guides|pages)\//;

/**
 * Whether it takes the right `shop` to publish a file. It does for all but texts: store.yaml and mails say where money and
 * mails go, and words.yaml, theme.css and static/ could make pages say something else.
 */
export const isOfShop = ({ path, from = path }: ChangedFile): boolean => !TEXTS.test(path) || !TEXTS.test(from);

const KINDS: Readonly<Record<string, ChangedFile["kind"]>> = { A: "added", D: "deleted", R: "renamed" };

/** What the drafts would change in main: `tree` is both merged. */
export async function findChanges(
  repository: string,
  main: string,
  drafts: string,
): Promise<{ tree: string; files: ChangedFile[] }> {
  const { tree, conflicts } = await mergeTrees(repository, main, drafts);
  return { tree, files: await compareTrees(repository, main, tree, conflicts) };
}

/** The files in which two trees differ. A renamed page is often edited too, so 70 % of it make it the same. */
async function compareTrees(
  repository: string,
  before: string,
  after: string,
  conflicts: readonly string[] = [],
): Promise<ChangedFile[]> {
  const out = await git(repository, ["diff-tree", "-r", "-z", "-M70%", "--name-status", before, after]);
  const fields = out.toString().split("\0").values();
  const files: ChangedFile[] = [];
  for (const status of fields) {
    if (status === "") break;
    const first = fields.next().value ?? "";
    const kind = KINDS[status.charAt(0)] ?? "changed";
    const names = kind === "renamed" ? { from: first, path: fields.next().value ?? "" } : { path: first };
    const isConflict = [first, names.path].some((path) => conflicts.includes(path));
    files.push({ ...names, kind, isConflict });
  }
  return files;
}

/** Who last saved a file of the drafts, and when. */
export interface Edit {
  author: Person;
  /** ISO 8601. */
  at: string;
}

/** Of each file that was saved in the drafts since main: the last time. */
export async function readEdits(repository: string, main: string, drafts: string): Promise<Map<string, Edit>> {
  const args = ["log", "--no-merges", "--no-renames", "--name-only", "--format=%x01%an%x00%ae%x00%aI"];
  const log = (await git(repository, [...args, `${main}..${drafts}`])).toString();
  const edits = new Map<string, Edit>();
  for (const [head = "", ...paths] of log.split("\x01").map((entry) => entry.split("\n"))) {
    const [name = "", email = "", at = ""] = head.split("\0");
    for (const path of paths) if (!edits.has(path)) edits.set(path, { author: { name, email }, at });
  }
  return edits;
}

/**
 * Writes a commit of the drafts in which a file is as it is live, and returns it. Throws Unpublishable for one that doesn't
 * differ.
 */
export async function writeDiscard(
  repository: string,
  main: string,
  { drafts, path, editor }: { drafts: string; path: string; editor: Person },
): Promise<string> {
  const { files } = await findChanges(repository, main, drafts);
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw new Unpublishable("unchanged", [path]);
  const tree = await writeTree(repository, drafts, await readFormer(repository, main, [file]));
  return writeCommit(repository, { tree, parents: [drafts], author: editor, message: `Discard the draft of ${path}` });
}

/** The changes that make files as they were in a tree before they were changed. */
export async function readFormer(repository: string, tree: string, files: readonly ChangedFile[]): Promise<Change[]> {
  const paths = files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const ids = await readIds(
    repository,
    paths.map((path) => `${tree}:${path}`),
  );
  const known = ids.filter((id) => id !== undefined);
  const blobs = new Map((await readBlobs(repository, known)).map((bytes, index) => [known[index], bytes]));
  return paths.map((path, index) => ({ path, bytes: blobs.get(ids[index]) ?? null }));
}

/** Why files can't be published, discarded, kept or taken back; each has its sentence in the words. */
export type Refusal =
  | "unchanged"
  | "contradicted"
  | "undecided"
  | "changed_since"
  | "taken_back"
  | "overtaken"
  | "of_shop";

/** What an editor asked for can't be done with these files. */
export class Unpublishable extends Error {
  override name = "Unpublishable";
  readonly reason: Refusal;
  readonly files: readonly string[];

  constructor(reason: Refusal, files: readonly string[]) {
    super(`${reason}: ${files.join(", ")}`);
    this.reason = reason;
    this.files = files;
  }
}

/**
 * Writes the commit that publishes some files of the drafts: a merge of main and the drafts if those are all, else one that
 * follows main alone, since the rest of the drafts isn't published. Returns main itself if nothing differs. Throws
 * Unpublishable for files that contradict main, and without `mayShop` for those of the shop.
 */
export async function writePublication(
  repository: string,
  main: string,
  { drafts, files, editor, mayShop }: { drafts: string; files: readonly string[]; editor: Person; mayShop: boolean },
): Promise<string> {
  const { tree, files: changed } = await findChanges(repository, main, drafts);
  const chosen = changed.filter(({ path }) => files.includes(path));
  const contradicted = chosen.filter(({ isConflict }) => isConflict).map(({ path }) => path);
  if (contradicted.length > 0) throw new Unpublishable("contradicted", contradicted);
  const ofShop = mayShop ? [] : chosen.filter(isOfShop).map(({ path }) => path);
  if (ofShop.length > 0) throw new Unpublishable("of_shop", ofShop);
  if (chosen.length === 0) return main;
  const message = describe(chosen);
  if (chosen.length === changed.length)
    return writeCommit(repository, { tree, parents: [main, drafts], author: editor, message });
  const partly = await writeTree(repository, main, await readChanges(repository, tree, chosen));
  return writeCommit(repository, { tree: partly, parents: [main], author: editor, message });
}

/** The changes that make files as they are in a tree. */
async function readChanges(repository: string, tree: string, files: readonly ChangedFile[]): Promise<Change[]> {
  const gone = files.flatMap(({ path, from, kind }) => (kind === "deleted" ? [path] : from ? [from] : []));
  const kept = files.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  const ids = await readIds(
    repository,
    kept.map((path) => `${tree}:${path}`),
  );
  const blobs = await readBlobs(
    repository,
    ids.map((id) => id ?? ""),
  );
  return [
    ...gone.map((path) => ({ path, bytes: null })),
    ...kept.map((path, index) => ({ path, bytes: blobs[index] ?? null })),
  ];
}

function describe(files: readonly ChangedFile[]): string {
  const names = files.map(({ path }) => path.replace(/^content\//, ""));
  const subject = names.length === 1 ? `Publish ${names[0]}` : `Publish ${names.length} files`;
  return `${subject}\n\n${names.join("\n")}\n`;
}

/**
 * Writes a commit of the drafts that takes main over, with each contradicting file as it is in the commit that `kept` names
 * for it, and returns it. Throws Unpublishable for a file without a choice.
 */
export async function writeResolution(
  repository: string,
  main: string,
  { drafts, kept, editor }: { drafts: string; kept: ReadonlyMap<string, string>; editor: Person },
): Promise<string> {
  const { tree, conflicts } = await mergeTrees(repository, main, drafts);
  const open = conflicts.filter((path) => !kept.has(path));
  if (open.length > 0) throw new Unpublishable("undecided", open);
  const ids = await readIds(
    repository,
    conflicts.map((path) => `${kept.get(path)}:${path}`),
  );
  const blobs = await readBlobs(
    repository,
    ids.map((id) => id ?? ""),
  );
  const changes = conflicts.map((path, index) => ({ path, bytes: blobs[index] ?? null }));
  const resolved = await writeTree(repository, tree, changes);
  const message = `Take over what has reached main\n\n${conflicts.join("\n")}\n`;
  return writeCommit(repository, { tree: resolved, parents: [drafts, main], author: editor, message });
}

/** The files of content/ that a commit of main changed. */
export async function readPublished(repository: string, commit: string): Promise<ChangedFile[]> {
  const files = await compareTrees(repository, `${commit}^1`, commit);
  return files.filter(({ path }) => path.startsWith("content/"));
}

/**
 * Writes a commit of the drafts that takes back what `commit` has changed in content/, or in one file of it, and returns it.
 * Throws Unpublishable where somebody has changed the same lines since, or where it has been taken back.
 */
export async function writeRevert(
  repository: string,
  drafts: string,
  { commit, path, editor }: { commit: string; path?: string | undefined; editor: Person },
): Promise<string> {
  const files = (await readPublished(repository, commit)).filter((file) => path === undefined || file.path === path);
  // merge-tree finds the common ancestor itself: one that both sides follow, made for it.
  const side = (tree: string, parents: string[]) =>
    writeCommit(repository, { tree, parents, author: editor, message: "Side of a merge" });
  const [published = "", now = ""] = await readIds(repository, [`${commit}^{tree}`, `${drafts}^{tree}`]);
  const base = await side(published, []);
  const former = await writeTree(repository, published, await readFormer(repository, `${commit}^1`, files));
  const { tree, conflicts } = await mergeTrees(repository, await side(now, [base]), await side(former, [base]));
  if (conflicts.length > 0) throw new Unpublishable("changed_since", conflicts);
  if (tree === now)
    throw new Unpublishable(
      "taken_back",
      files.map((file) => file.path),
    );
  const what = path ?? (await git(repository, ["log", "-1", "--format=%s", commit])).toString().trim();
  return writeCommit(repository, { tree, parents: [drafts], author: editor, message: `Take back: ${what}` });
}
