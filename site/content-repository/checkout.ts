import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ContentError } from "../content-schema/content-error.ts";

/** Always the same folder, because Astro and the quick build know the content of the last build by its path. */
const FOLDER = join(import.meta.dirname, "..", ".cache", "content");

/** The absolute path of CONTENT_REPOSITORY; undefined if content/ of the project is what is built. */
export const contentRepository = (): string | undefined =>
  process.env["CONTENT_REPOSITORY"] && resolve(import.meta.dirname, "..", "..", process.env["CONTENT_REPOSITORY"]);

/**
 * Checks out a commit of a bare repository as a work tree of it, so that days and renames come from its history, and has
 * builds read content/ there. One process at a time. Throws ContentError if the commit has no content.
 */
export function checkOutContent(repository: string, commit: string): void {
  const pointer = join(FOLDER, ".git");
  const pointsTo = existsSync(pointer) ? readFileSync(pointer, "utf8").trim().replace("gitdir: ", "") : "";
  try {
    if (existsSync(pointsTo) && dirname(dirname(pointsTo)) === repository) {
      // Left by a checkout that was killed.
      rmSync(join(pointsTo, "index.lock"), { force: true });
      git(FOLDER, "checkout", "--quiet", "--force", "--detach", commit, "--");
      git(FOLDER, "clean", "--quiet", "-ffdx");
    } else {
      rmSync(FOLDER, { recursive: true, force: true });
      git(repository, "worktree", "prune");
      git(repository, "worktree", "add", "--quiet", "--force", "--detach", FOLDER, commit);
    }
  } catch (error) {
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : error;
    throw new ContentError(`CONTENT_REPOSITORY=${repository}: ${commit} can't be read. ${reason}`);
  }
  if (!existsSync(join(FOLDER, "content", "store.yaml")))
    throw new ContentError(`CONTENT_REPOSITORY=${repository}: ${commit} has no content/store.yaml.`);
  process.env["CONTENT_ROOT"] = FOLDER;
}

function git(folder: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
}
