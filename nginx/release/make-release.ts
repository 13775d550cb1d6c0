import { existsSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../local/child-process.ts";
import { step } from "../local/report.ts";
import { StartError } from "../programs.ts";
import { checkUnseen } from "./check-site.ts";
import { copyProject } from "./project-copy.ts";
import { ROOT } from "./releases.ts";
import { checkAsStep, importSite, type ReleaseSession, runWithCode, showSite } from "./session.ts";

/** A build that hangs is ended: one of 10,000 products takes minutes. */
const BUILD_WITHIN_MS = 30 * 60_000;

/** Makes a release only if the site's input has changed, or a day that its pages promise has passed. */
export async function makeReleaseIfChanged(session: ReleaseSession): Promise<number | undefined> {
  await buildSite(session, ["--if-changed"]);
  return existsSync(siteOf(session)) ? completeRelease(session) : undefined;
}

/** Makes a release of the content's main, or of another commit. Returns its number. */
export async function makeRelease(session: ReleaseSession, commit?: string): Promise<number> {
  await buildSite(session, commit === undefined ? [] : ["--content", commit]);
  return completeRelease(session);
}

const siteOf = ({ releases }: ReleaseSession) => join(releases.next, "site", "dist");

async function buildSite(session: ReleaseSession, buildArguments: readonly string[]): Promise<void> {
  await step("site", async () => {
    const args = [join(ROOT, "site", "commands", "build.ts"), "--out", siteOf(session), ...buildArguments];
    const options = { env: session.env, timeoutMs: BUILD_WITHIN_MS };
    const { stdout, stderr } = await runToEnd("Building the site", process.execPath, args, options);
    return { summary: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
  });
}

/** Copies the code beside a site that was built, and checks its pages. Returns the release's number. */
async function completeRelease(session: ReleaseSession): Promise<number> {
  const { releases, baseUrl } = session;
  await step("code", async () => {
    const last = releases.current();
    const how = copyProject(ROOT, releases.next, last === undefined ? undefined : releases.pathOf(last));
    return { summary: `copied, packages ${how}`, value: undefined };
  });
  await step("pages", async () => {
    await checkUnseen(siteOf(session), baseUrl);
    return { summary: "answer behind an nginx of their own", value: undefined };
  });
  return releases.add();
}

/** Migrates the database with a release's code. Migrations only add, so what is shown goes on working. */
export async function migrate({ releases, env }: ReleaseSession, number: number): Promise<void> {
  await step("tables", async () => {
    const printed = await runWithCode(releases.pathOf(number), "Migrating the database", env, "migrate.ts");
    return { summary: printed.split("\n").at(-1) ?? "", value: undefined };
  });
}

/** Imports and shows a release, and goes back if it doesn't answer as it should. */
export async function showOrGoBack(session: ReleaseSession, number: number): Promise<void> {
  const { releases, env, isServing } = session;
  const wasServing = await isServing();
  const current = releases.current();
  const shown = { code: current === undefined ? ROOT : releases.pathOf(current), site: releases.shownSite() };
  await showSite(session, number);
  try {
    await checkAsStep(session, wasServing);
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
