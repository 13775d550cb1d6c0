import { spawn } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Plumbing on a bare repository: no work tree, no checkout, so that any number of saves, previews and publications can
// run at once. Every function takes the repository's path first; ids are full object ids.

export interface Person {
  name: string;
  email: string;
}

/** What git writes where there is no object. */
const NO_OBJECT = "0".repeat(40);

/** Who commits what an editor, the author, has written. */
export const SHOP: Person = { name: "Shop admin", email: "admin@localhost" };

export interface TreeEntry {
  path: string;
  /** 100644 and 100755 are files, 120000 symbolic links, 040000 folders, 160000 submodules. */
  mode: string;
  type: "blob" | "tree" | "commit";
  id: string;
  /** Undefined for folders. */
  sizeBytes: number | undefined;
}

export interface LogEntry {
  id: string;
  parents: string[];
  author: Person;
  /** ISO 8601. */
  authored: string;
  subject: string;
}

/** One file of a commit: its new bytes, or null to delete it. */
export interface Change {
  path: string;
  bytes: Uint8Array | null;
}

/** Git ended with an error. */
class GitError extends Error {
  override name = "GitError";
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;

  constructor(args: readonly string[], exitCode: number | null, stdout: Buffer, stderr: string) {
    super(`git ${args[0]} failed: ${stderr.trim() || `exit code ${exitCode}`}`);
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

/** A ref isn't where the caller saw it: somebody else moved it first, and nothing was changed. */
export class RefMoved extends Error {
  override name = "RefMoved";
}

interface RunOptions {
  input?: string | Uint8Array;
  env?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Runs git on a repository and returns its standard output; throws a GitError unless it ends with 0. */
export function git(repository: string, args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const child = spawn("git", args, {
    // GIT_DIR names the repository, so that git looks for no other one and asks for no owner.
    env: { ...environment(), GIT_DIR: repository, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
    signal: options.signal,
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.on("error", reject);
  // A command that fails early doesn't read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  child.on("close", (code) => {
    const stdout = Buffer.concat(out);
    if (code === 0) resolve(stdout);
    else reject(new GitError(args, code, stdout, Buffer.concat(err).toString()));
  });
  return promise;
}

/** The only variables that git sees: no configuration, hook or identity of the user who runs the shop takes part. */
function environment(): Record<string, string> {
  const settings = {
    // What a save has confirmed outlives a power cut.
    "core.fsync": "objects,reference",
    "core.hooksPath": "/dev/null",
    "core.quotePath": "false",
    // A link in the repository could lead out of a folder that it is written to.
    "core.symlinks": "false",
  };
  const pairs = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
    ...Object.fromEntries(pairs),
  };
}

const text = async (...call: Parameters<typeof git>): Promise<string> => (await git(...call)).toString().trimEnd();

/** Makes an empty bare repository whose first branch is main; leaves one that exists as it is. */
export async function initRepository(repository: string): Promise<void> {
  await git(repository, ["init", "--quiet", "--bare", "--initial-branch=main", repository]);
}

/** The commit of a ref, branch or id; undefined where there isn't one. */
export const readCommit = async (repository: string, name: string): Promise<string | undefined> =>
  (await readIds(repository, [`${name}^{commit}`]))[0];

/** The ids of several objects by names such as `main^{tree}`, in order; undefined for one that doesn't exist. */
export async function readIds(repository: string, names: readonly string[]): Promise<(string | undefined)[]> {
  const format = "--batch-check=%(objectname)";
  const lines = (await text(repository, ["cat-file", format], { input: `${names.join("\n")}\n` })).split("\n");
  return names.map((_, index) => (lines[index]?.includes(" ") ? undefined : lines[index]));
}

/** Everything in a commit's tree, folders included, or what is at `path` and below it. */
export async function readTree(repository: string, commit: string, path?: string): Promise<TreeEntry[]> {
  const args = ["ls-tree", "-r", "-t", "-z", "--long", "--full-tree", commit];
  const out = await git(repository, path === undefined ? args : [...args, "--", path]);
  return out
    .toString()
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const tab = line.indexOf("\t");
      const [mode = "", type, id = "", size] = line.slice(0, tab).split(/ +/);
      return { path: line.slice(tab + 1), mode, type: type as TreeEntry["type"], id, sizeBytes: Number(size) || 0 };
    })
    .map((entry) => (entry.type === "blob" ? entry : { ...entry, sizeBytes: undefined }));
}

/** The bytes of several blobs, in order; undefined for an id that isn't a blob of the repository. */
export async function readBlobs(repository: string, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
  const out = await git(repository, ["cat-file", "--batch"], { input: ids.map((id) => `${id}\n`).join("") });
  let at = 0;
  return ids.map(() => {
    const end = out.indexOf(10, at);
    const [, type, size] = out.toString("latin1", at, end).split(" ");
    const start = end + 1;
    if (size === undefined || type === "missing") {
      at = start;
      return undefined;
    }
    at = start + Number(size) + 1;
    return type === "blob" ? out.subarray(start, start + Number(size)) : undefined;
  });
}

/** A file's bytes and blob id in a commit; undefined where there isn't a regular file. */
export async function readFile(
  repository: string,
  commit: string,
  path: string,
): Promise<{ id: string; bytes: Buffer } | undefined> {
  const entry = (await readTree(repository, commit, path)).find((each) => each.path === path);
  if (entry === undefined || !entry.mode.startsWith("100")) return undefined;
  const [bytes] = await readBlobs(repository, [entry.id]);
  return bytes && { id: entry.id, bytes };
}

/** The commits of `range` (a commit, or `from..to`), newest first; with `path`, those that changed it. */
export async function readLog(
  repository: string,
  range: string,
  { path, limit }: { path?: string; limit?: number } = {},
): Promise<LogEntry[]> {
  const format = "--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%s%x00";
  const args = ["log", format, ...(limit === undefined ? [] : [`--max-count=${limit}`]), "--end-of-options", range];
  const out = await text(repository, path === undefined ? [...args, "--"] : [...args, "--", path]);
  const fields = out.split("\0");
  return Array.from({ length: Math.floor(fields.length / 6) }, (_, index) => {
    const [id = "", parents = "", name = "", email = "", authored = "", subject = ""] = fields.slice(index * 6);
    return { id: id.trim(), parents: parents.split(" ").filter(Boolean), author: { name, email }, authored, subject };
  });
}

/** Whether a file ever had the contents with an id, up to `commit`. */
export async function hadContents(
  repository: string,
  commit: string,
  { path, id }: { path: string; id: string },
): Promise<boolean> {
  const args = ["log", "--max-count=1", "--format=%H", `--find-object=${id}`, "--end-of-options", commit, "--", path];
  return (await text(repository, args)) !== "";
}

/** Whether `ancestor` is `commit` or one of its ancestors. */
export async function isAncestor(repository: string, ancestor: string, commit: string): Promise<boolean> {
  try {
    await git(repository, ["merge-base", "--is-ancestor", ancestor, commit]);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false;
    throw error;
  }
}

/** Writes a blob and returns its id. */
export const writeBlob = (repository: string, bytes: Uint8Array): Promise<string> =>
  text(repository, ["hash-object", "-w", "--stdin"], { input: bytes });

/**
 * Writes the tree of a commit with some files changed, and returns its id. Git itself refuses paths such as `../a` and
 * `.git/a`, and a file in the place of a folder.
 */
export async function writeTree(repository: string, base: string, changes: readonly Change[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-index-"));
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    await git(repository, ["read-tree", base], { env });
    const removed = changes.filter(({ bytes }) => bytes === null).map(({ path }) => `0 ${NO_OBJECT}\t${path}\0`);
    const added: string[] = [];
    for (const { path, bytes } of changes)
      if (bytes !== null) added.push("--cacheinfo", `100644,${await writeBlob(repository, bytes)},${path}`);
    if (removed.length > 0)
      await git(repository, ["update-index", "-z", "--index-info"], { env, input: removed.join("") });
    // By arguments, because --index-info would skip a path that it doesn't accept, and replace a folder by a file.
    if (added.length > 0) await git(repository, ["update-index", "--add", ...added], { env });
    return await text(repository, ["write-tree"], { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a commit that no branch has yet, and returns its id. */
export function writeCommit(
  repository: string,
  commit: { tree: string; parents: readonly string[]; author: Person; message: string },
): Promise<string> {
  const { tree, parents, author, message } = commit;
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: SHOP.name,
    GIT_COMMITTER_EMAIL: SHOP.email,
  };
  const args = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), tree];
  return text(repository, args, { env, input: message });
}

/** Longer than any update of a ref takes: an older lock is one that a killed git has left. */
const LOCK_SECONDS = 10;

/**
 * Moves a ref (`refs/heads/drafts`) from the commit where the caller saw it to another; undefined means that it doesn't
 * exist. Throws RefMoved if it is elsewhere.
 */
export async function moveRef(repository: string, ref: string, to: string, from: string | undefined): Promise<void> {
  const update = () => git(repository, ["update-ref", ref, to, from ?? NO_OBJECT]);
  try {
    await update();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (/but expected|reference already exists|unable to resolve reference/.test(error.stderr)) throw new RefMoved(ref);
    const lock = join(repository, `${ref}.lock`);
    if (!error.stderr.includes(".lock")) throw error;
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    // Somebody else is moving it at this moment.
    if (Date.now() - mtimeMs < LOCK_SECONDS * 1000) throw new RefMoved(ref);
    await rm(lock, { force: true });
    await update();
  }
}

/** The tree of two commits merged, and the paths that they changed in ways that contradict each other. */
export async function mergeTrees(
  repository: string,
  ours: string,
  theirs: string,
): Promise<{ tree: string; conflicts: string[] }> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories"];
  try {
    const [tree = ""] = (await git(repository, [...args, ours, theirs])).toString().split("\0");
    return { tree, conflicts: [] };
  } catch (error) {
    if (!(error instanceof GitError) || error.exitCode !== 1) throw error;
    const [tree = "", ...names] = error.stdout.toString().split("\0");
    return { tree, conflicts: [...new Set(names.filter((name) => name !== ""))] };
  }
}
