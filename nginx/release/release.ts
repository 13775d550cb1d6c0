// `npm run release`: builds, and puts code and site in place together once everything about them is known to be right.
// `-- --if-changed` does so only if the site's input has changed, or a day that its pages promise has passed.
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { runToEnd } from "../local/child-process.ts";
import { step } from "../local/report.ts";
import { StartError } from "../programs.ts";
import { checkUnseen } from "./check-site.ts";
import { copyProject } from "./project-copy.ts";
import { ROOT } from "./releases.ts";
import {
  adviseRestart,
  checkAsStep,
  importSite,
  type ReleaseSession,
  runReleaseSession,
  runWithCode,
  showSite,
} from "./session.ts";

await runReleaseSession("Release", async (session) => {
  const { releases } = session;
  ensureOwner(dirname(releases.next));
  const before = releases.current();
  const number = await makeRelease(session, process.argv.includes("--if-changed"));
  if (number === undefined) return;
  try {
    await putInPlace(session, number);
  } catch (error) {
    if (releases.current() !== number) releases.remove(number);
    throw error;
  }
  releases.prune();
  console.log(`\nRelease ${number} is live. Back to the last one: npm run rollback`);
  adviseRestart(session, before);
});

/** A release by root would be one that the user who makes the others can't link to or delete. */
function ensureOwner(folder: string): void {
  if (statSync(folder).uid === process.getuid?.()) return;
  throw new StartError(
    `${folder} belongs to another user, who makes the releases. On a host: systemctl start twinfront-site`,
  );
}

/** Builds the site, and copies the code beside it. Returns the release's number; undefined if there is nothing new. */
async function makeRelease(
  { releases, baseUrl, env }: ReleaseSession,
  onlyIfChanged: boolean,
): Promise<number | undefined> {
  const site = join(releases.next, "site", "dist");
  await step("site", async () => {
    const build = [join(ROOT, "site", "commands", "build.ts"), "--out", site];
    const args = onlyIfChanged ? [...build, "--if-changed"] : build;
    const { stdout, stderr } = await runToEnd("Building the site", process.execPath, args, { env });
    return { summary: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
  });
  if (!existsSync(site)) return undefined;
  await step("code", async () => {
    const last = releases.current();
    const how = copyProject(ROOT, releases.next, last === undefined ? undefined : releases.pathOf(last));
    return { summary: `copied, packages ${how}`, value: undefined };
  });
  await step("pages", async () => {
    await checkUnseen(site, baseUrl);
    return { summary: "answer behind an nginx of their own", value: undefined };
  });
  return releases.add();
}

/** Migrates, imports and shows a release, and goes back if it doesn't answer as it should. */
async function putInPlace(session: ReleaseSession, number: number): Promise<void> {
  const { releases, env, isServing } = session;
  const wasServing = await isServing();
  const current = releases.current();
  const shown = { code: current === undefined ? ROOT : releases.pathOf(current), site: releases.shownSite() };
  await step("tables", async () => {
    const printed = await runWithCode(releases.pathOf(number), "Migrating the database", env, "migrate.ts");
    return { summary: printed.split("\n").at(-1) ?? "", value: undefined };
  });
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
