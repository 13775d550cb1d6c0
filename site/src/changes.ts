import { execFile } from "node:child_process";
import { posix } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

let remembered: Promise<Map<string, string>> | undefined;

/**
 * The day of each content file's last commit, YYYY-MM-DD, by its path as Astro names it (`../content/…`), in one pass
 * through git's log for the whole build. Empty without git, outside a repository and in a shallow clone, which knows the
 * last commit only and would give every file that day.
 */
export function readChanges(): Promise<Map<string, string>> {
  remembered ??= askGit();
  return remembered;
}

async function askGit(): Promise<Map<string, string>> {
  try {
    // Astro runs in site/.
    const about = await run("git", ["rev-parse", "--is-shallow-repository", "--show-prefix"]);
    const [isShallow, prefix = ""] = about.stdout.split("\n");
    if (isShallow !== "false") return new Map();
    const log = ["log", "--no-renames", "--name-only", "--format=%x00%cs", "--", "../content"];
    const { stdout } = await run("git", log, { maxBuffer: 2 ** 30 });
    return readLog(stdout, (path) => posix.relative(prefix || ".", path));
  } catch {
    return new Map();
  }
}

/**
 * Reads a log of `NUL day`, blank line, one path a line, newest commit first.
 *
 * @param rename turns a path of the repository into the key of the map
 */
export function readLog(log: string, rename: (path: string) => string): Map<string, string> {
  const days = new Map<string, string>();
  for (const commit of log.split("\0").slice(1)) {
    const [day = "", ...paths] = commit.split("\n").filter((line) => line !== "");
    for (const path of paths.map(rename)) if (!days.has(path)) days.set(path, day);
  }
  return days;
}

/** The latest of some days; undefined when none is known. */
export const newest = (days: readonly (string | undefined)[]): string | undefined =>
  days
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
