import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isDraft } from "../content-schema/draft.ts";
import { type CheckedPage, formerSlugs } from "./duplicates.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { pathOf } from "./targets.ts";

interface Rename {
  from: string;
  to: string;
  /** A commit that still has the file under its old name. */
  before: string;
}

/**
 * Pages that git knows under another name, whose old address leads nowhere. Doubts: one file may have taken the place of
 * another that is alike. Without git, or its history, nobody knows of them.
 */
export async function findRenamed(root: string, pages: readonly CheckedPage[]): Promise<Problem[]> {
  const folder = join(root, "content");
  const renames = await readRenames(folder).catch(() => []);
  const byFile = new Map(pages.map((checked) => [checked.page.file, checked]));
  const addresses = new Set(
    pages.flatMap((checked) =>
      [checked.page.slug, ...formerSlugs(checked).map(({ name }) => name)].map((slug) =>
        pathOf({ ...checked.page, slug }),
      ),
    ),
  );
  const missing = new Map<CheckedPage, string[]>();
  for (const { from, to, before } of latest(renames)) {
    const checked = byFile.get(`content/${to}`);
    const [, kind, slug = ""] = /^(products|categories|guides|pages)\/(?:[^/]+\/)?([^/]+)\.mdx?$/.exec(from) ?? [];
    if (checked?.yaml === undefined || !to.startsWith(`${kind}/`)) continue;
    if (addresses.has(pathOf({ ...checked.page, slug }))) continue;
    // What was a draft then had no address that anybody could know.
    const text = await git(folder, ["show", `${before}:./${from}`]).catch(() => "");
    if (!isDraft(text)) missing.set(checked, [...(missing.get(checked) ?? []), slug]);
  }
  return [...missing].map(([checked, slugs]) => {
    const { page, yaml } = checked;
    const old = slugs.map((slug) => `\`${pathOf({ ...page, slug })}\``).join(" and ");
    const all = [...formerSlugs(checked).map(({ name }) => name), ...slugs].join(", ");
    const message = `This page was renamed: links to ${old} lead nowhere. Write \`formerly: [${all}]\`.`;
    return {
      file: page.file,
      line: yaml === undefined ? 1 : locate(yaml, ["formerly"]).line,
      message,
      isDoubt: true as const,
    };
  });
}

/** Every old name with the name of today, each once; `renames` begin with the newest. */
function latest(renames: readonly Rename[]): Rename[] {
  const now = new Map<string, Rename>();
  for (const { from, to, before } of renames) {
    if (!now.has(from)) now.set(from, { from, to: now.get(to)?.to ?? to, before });
  }
  return [...now.values()];
}

const run = promisify(execFile);

async function git(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run("git", args, { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 28 });
  return stdout.trimEnd();
}

/** By folder and last commit: the dev server checks after every save, and the history up to a commit stays the same. */
const histories = new Map<string, Promise<Rename[]>>();

async function readRenames(folder: string): Promise<Rename[]> {
  const [head, index = ""] = (await git(folder, ["rev-parse", "HEAD", "--git-path", "index"])).split("\n");
  const key = `${folder} ${head}`;
  const history = histories.get(key) ?? readHistory(folder);
  histories.set(key, history);
  return [...(await readUncommitted(folder, resolve(folder, index))), ...(await history)];
}

// Alike by seven tenths: two products of one maker often are by half.
const how = ["-M70%", "--diff-filter=R", "--name-status", "--relative"];

async function readHistory(folder: string): Promise<Rename[]> {
  const log = await git(folder, ["log", ...how, "--format=%x00%H", "--", "."]);
  return log.split("\0").flatMap((entry) => {
    const [commit = "", ...lines] = entry.split("\n");
    return readLines(lines, `${commit}^`);
  });
}

/** What was renamed since the last commit. Git must be told of new files first, in a copy of its index: the editor's own stays as it is. */
async function readUncommitted(folder: string, index: string): Promise<Rename[]> {
  const temporary = await mkdtemp(join(tmpdir(), "twinfront-index-"));
  try {
    const env = { GIT_INDEX_FILE: join(temporary, "index") };
    await copyFile(index, env.GIT_INDEX_FILE);
    await git(folder, ["add", "--intent-to-add", "--", "."], env);
    return readLines((await git(folder, ["diff", ...how, "HEAD", "--", "."], env)).split("\n"), "HEAD");
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Lines such as `R093`, the old name and the new one, with tabs between them. */
const readLines = (lines: readonly string[], before: string): Rename[] =>
  lines.flatMap((line) => {
    const [, from, to] = line.split("\t");
    return from === undefined || to === undefined ? [] : { from, to, before };
  });
