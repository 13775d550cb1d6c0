import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { linkOrCopyFolder } from "../../site/build/link-or-copy.ts";
import { replaceLink } from "../../site/build/numbered-builds.ts";
import { FACTS } from "../../site/build/stock-facts.ts";
import { type HeldProgram, runToEnd } from "../local/child-process.ts";
import { step } from "../local/report.ts";
import { StartError } from "../programs.ts";
import { checkUnseen } from "./check-site.ts";
import { copyProject } from "./project-copy.ts";
import { projectOf, ROOT } from "./releases.ts";
import { checkAsStep, importSite, type ReleaseRun, runWithCode, showSite } from "./run.ts";

/** A build that hangs is ended: one of 10,000 products takes minutes. */
const BUILD_WITHIN_MS = 30 * 60_000;

/**
 * Makes a release only if the site's input has changed, or a day that its pages promise has passed, and never of input that a
 * rollback took back.
 */
export async function makeReleaseIfChanged(run: ReleaseRun): Promise<number | undefined> {
  const leftOut = run.releases.takenBack().flatMap((input) => ["--leave-out", input]);
  await buildSite(run, ["--if-changed", ...leftOut]);
  if (!existsSync(siteOf(run))) return undefined;
  await copyCode(run);
  return completeRelease(run);
}

/** Makes a release of the content's main, or of another commit. Returns its number. */
export async function makeRelease(run: ReleaseRun, commit?: string): Promise<number> {
  const building = buildSite(run, commit === undefined ? [] : ["--content", commit]);
  // Meanwhile, because the build is a process of its own. Both end here, so that nothing is written to a release that failed.
  const [built, copied] = await Promise.allSettled([building, copyCode(run)]);
  for (const result of [built, copied]) if (result.status === "rejected") throw result.reason;
  return completeRelease(run);
}

const siteOf = ({ releases }: ReleaseRun) => join(releases.next, "site", "dist");

async function buildSite(run: ReleaseRun, buildArguments: readonly string[]): Promise<void> {
  await step("site", async () => {
    const site = join(run.releases.next, "site");
    // The first of the release's own builds, which refreshes follow (refresh.ts).
    const build = join(site, ".builds", "1");
    // What is left as pages say it now. The next refresh looks again.
    const facts = join(projectOf(run.releases.shownSite()) ?? ROOT, "site", FACTS);
    const factsArguments = existsSync(facts) ? ["--facts", facts] : [];
    const args = [join(ROOT, "site", "commands", "build.ts"), "--out", build, ...factsArguments, ...buildArguments];
    const options = { env: run.env, timeoutMs: BUILD_WITHIN_MS };
    const { stdout, stderr } = await runToEnd("Building the site", process.execPath, args, options);
    if (existsSync(build)) {
      replaceLink(siteOf(run), build, `${siteOf(run)}.link`);
      if (existsSync(facts)) cpSync(facts, join(site, FACTS));
      await copyRenderer(site);
    }
    return { summary: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
  });
}

/** Copies what a quick build in the release goes on from (site/quick-build/astro-renderer.ts). */
async function copyRenderer(site: string): Promise<void> {
  const [from, to] = [join(ROOT, "site"), site].map((each) => join(each, ".cache", "renderer"));
  if (from === undefined || to === undefined || !existsSync(from)) return;
  mkdirSync(join(to, ".."), { recursive: true });
  // Another build may replace it meanwhile. Without it, the first refresh builds everything.
  await linkOrCopyFolder(from, to).catch(() => rmSync(to, { recursive: true, force: true }));
}

/**
 * Lets git in the release find the days of its content/ in the history of the folder that it comes from, as of the last commit
 * there (gitrepository-layout(5), commondir).
 */
function linkHistory(contentRoot: string, release: string): void {
  const read = (what: string) => spawnSync("git", ["-C", contentRoot, "rev-parse", what], { encoding: "utf8" });
  const [head, folder] = [read("HEAD"), read("--git-common-dir")];
  if (head.status !== 0 || folder.status !== 0) return;
  mkdirSync(join(release, ".git"));
  writeFileSync(join(release, ".git", "HEAD"), head.stdout);
  writeFileSync(join(release, ".git", "commondir"), `${resolve(contentRoot, folder.stdout.trim())}\n`);
}

async function copyCode({ releases, contentRoot }: ReleaseRun): Promise<void> {
  await step("code", async () => {
    const current = releases.current();
    const last = current === undefined ? undefined : releases.pathOf(current);
    const git = (...args: string[]) => spawnSync("git", ["-C", ROOT, ...args], { encoding: "utf8" });
    // Before the copy. No commit has the code of a checkout with changes.
    const head = git("rev-parse", "--short", "HEAD");
    const changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)content");
    const how = await copyProject(ROOT, releases.next, { last, contentRoot });
    if (contentRoot !== undefined) linkHistory(contentRoot, releases.next);
    if (head.status === 0 && changes.status === 0 && changes.stdout === "") releases.noteCommit(head.stdout.trim());
    return { summary: `copied, packages ${how}`, value: undefined };
  });
}

/** Checks the pages of a complete release, and adds it. Returns its number. */
async function completeRelease(run: ReleaseRun): Promise<number> {
  await step("pages", async () => {
    await checkUnseen(siteOf(run), run.baseUrl);
    return { summary: "answer behind an nginx of their own", value: undefined };
  });
  return run.releases.add();
}

/** Migrates the database with a release's code. Migrations only add, so what is shown goes on working. */
export async function migrate({ releases, env }: ReleaseRun, number: number): Promise<void> {
  await step("tables", async () => {
    const printed = await runWithCode(releases.pathOf(number), "Migrating the database", env, "migrate.ts");
    return { summary: printed.split("\n").at(-1) ?? "", value: undefined };
  });
}

/** Imports and shows a release, and goes back if it doesn't answer as it should. `held` is its import, if that has begun. */
export async function showOrGoBack(run: ReleaseRun, number: number, held?: HeldProgram): Promise<void> {
  const { releases, env, isServing } = run;
  const wasServing = await isServing();
  const current = releases.current();
  const shown = { code: current === undefined ? ROOT : releases.pathOf(current), site: releases.shownSite() };
  await showSite(run, number, held);
  try {
    await checkAsStep(run, wasServing);
  } catch (error) {
    try {
      if (shown.site !== undefined) await importSite(shown.code, shown.site, env);
    } finally {
      releases.goBack();
    }
    throw new StartError(
      `${error instanceof Error ? error.message : error}\n\nThe shop is as it was before this release.`,
    );
  }
}
