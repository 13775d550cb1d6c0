import { execFile } from "node:child_process";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { contentRoot } from "../../content-repository/content-root.ts";

const run = promisify(execFile);

let cached: Promise<Map<string, string>> | undefined;

/**
 * The day of each content file's last commit, YYYY-MM-DD, by its path from site/, in Astro's form (`../content/…`). If git can't tell, it is
 * empty and one warning gives the reason.
 */
export function readLastChanged(): Promise<Map<string, string>> {
  // Astro runs in site/.
  cached ??= readCommitDays(".", contentRoot()).then(({ days, reason }) => {
    if (reason !== undefined) console.warn(`Pages without \`updated\` have no date, also in the sitemap: ${reason}`);
    return days;
  });
  return cached;
}

/** Reads the days from git's log, or the reason why there aren't any; `root` is the folder that contains content/. */
export async function readCommitDays(
  site: string,
  root = join(site, ".."),
): Promise<{ days: Map<string, string>; reason?: string }> {
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: root, maxBuffer: 2 ** 30, env: { ...process.env, LC_ALL: "C" } })).stdout;
  const nothing = (reason: string) => ({ days: new Map<string, string>(), reason });
  try {
    const [isShallow, prefix = ""] = (await git("rev-parse", "--is-shallow-repository", "--show-prefix")).split("\n");
    // A shallow clone would give older files the day of its oldest commit.
    if (isShallow !== "false")
      return nothing("this clone is shallow, without earlier commits. Run `git fetch --unshallow`.");
    const log = await git("log", "--no-renames", "--name-only", "--format=%x00%cs", "--", "content");
    const days = parseGitLog(log, (path) => relative(site, join(root, relative(prefix, path))));
    return days.size > 0 ? { days } : nothing("nothing in content/ is committed to git yet.");
  } catch (error) {
    return nothing(explain(error));
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT") return "git isn't installed. Install it: `apt-get install git`.";
  const stderr = "stderr" in error ? String(error.stderr).trim() : error.message;
  const [remedy] = /git config --global --add safe\.directory .+/.exec(stderr) ?? [];
  if (remedy !== undefined)
    return `the folder belongs to another user, so git refuses to read it. Run \`${remedy}\` as the user who builds.`;
  if (/not a git repository/.test(stderr))
    return "this folder isn't in a git repository. Clone the shop instead of copying it, or write `updated` into each file.";
  return `git says "${stderr.split("\n", 1)[0]}".`;
}

/**
 * Parses a log of `NUL day`, an empty line, and one path a line, newest commit first.
 *
 * @param rename turns a path in the repository into a key of the map
 */
export function parseGitLog(log: string, rename: (path: string) => string): Map<string, string> {
  const days = new Map<string, string>();
  for (const commit of log.split("\0").slice(1)) {
    const [day = "", ...paths] = commit.split("\n").filter((line) => line !== "");
    for (const path of paths.map(rename)) if (!days.has(path)) days.set(path, day);
  }
  return days;
}

/** The latest of several days; undefined if all are unknown. */
export const latestDay = (days: readonly (string | undefined)[]): string | undefined =>
  days
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
