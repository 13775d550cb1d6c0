import { MAIN } from "../content/drafts.ts";
import { git, isAncestor } from "../content/git.ts";

/** A commit with which main moved. */
export interface Publication {
  id: string;
  author: string;
  /** YYYY-MM-DD. */
  day: string;
  subject: string;
}

const MOST = 100;
const FORMAT = "--format=%H%x00%an%x00%as%x00%s";

/** What has changed content/ on main, the newest first. */
export async function readHistory(repository: string): Promise<Publication[]> {
  const args = ["log", "--first-parent", "-m", FORMAT, `--max-count=${MOST}`, MAIN, "--", "content"];
  return parse((await git(repository, args)).toString());
}

/** A commit of main with one before it; undefined if there is no such one. */
export async function readPublication(repository: string, id: string): Promise<Publication | undefined> {
  if (!/^[0-9a-f]{40}$/.test(id) || !(await isAncestor(repository, id, MAIN).catch(() => false))) return undefined;
  const [found] = parse((await git(repository, ["log", "-1", FORMAT, id, "--"])).toString());
  const parents = (await git(repository, ["log", "-1", "--format=%P", id, "--"])).toString().trim();
  return parents === "" ? undefined : found;
}

const parse = (log: string): Publication[] =>
  log
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [id = "", author = "", day = "", subject = ""] = line.split("\0");
      return { id, author, day, subject };
    });
