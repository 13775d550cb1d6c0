import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { ContentError } from "../content-schema/content-error.ts";

/** Where builds check content out: always the same folder, because Astro and the quick build know its files by their paths. */
export const CHECKOUT = join(import.meta.dirname, "..", ".cache", "content");

/** The absolute path of CONTENT_REPOSITORY; undefined if content/ of the project is what is built. */
export const contentRepository = (): string | undefined =>
  process.env["CONTENT_REPOSITORY"] && resolve(import.meta.dirname, "..", "..", process.env["CONTENT_REPOSITORY"]);

/**
 * Checks out a commit for a build, which then reads content/ there. Returns its id; throws ContentError if it has no
 * content.
 */
export async function checkOutContent(repository: string, commit: string): Promise<string> {
  try {
    await checkOut(repository, commit, CHECKOUT);
  } catch (error) {
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : error;
    throw new ContentError(`CONTENT_REPOSITORY=${repository}: ${commit} can't be read. ${reason}`);
  }
  if (!existsSync(join(CHECKOUT, "content", "store.yaml")))
    throw new ContentError(`CONTENT_REPOSITORY=${repository}: ${commit} has no content/store.yaml.`);
  process.env["CONTENT_ROOT"] = CHECKOUT;
  return (await git(CHECKOUT, "rev-parse", "HEAD")).stdout.trim();
}

/**
 * Checks out a commit of a bare repository in a folder that is a work tree of it, so that days and renames come from its
 * history. One at a time in a folder.
 */
export async function checkOut(repository: string, commit: string, folder: string): Promise<void> {
  const pointer = join(folder, ".git");
  const pointsTo = existsSync(pointer) ? readFileSync(pointer, "utf8").trim().replace("gitdir: ", "") : "";
  if (existsSync(pointsTo) && dirname(dirname(pointsTo)) === repository) {
    // Left by a checkout that was killed.
    rmSync(join(pointsTo, "index.lock"), { force: true });
    await git(folder, "checkout", "--quiet", "--force", "--detach", commit, "--");
    await git(folder, "clean", "--quiet", "-ffdx");
  } else {
    rmSync(folder, { recursive: true, force: true });
    await git(repository, "worktree", "prune");
    await git(repository, "worktree", "add", "--quiet", "--force", "--detach", folder, commit);
  }
}

const run = promisify(execFile);
/** Without a user's settings, which could change line ends. */
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const git = (folder: string, ...args: string[]) => run("git", args, { cwd: folder, env });
