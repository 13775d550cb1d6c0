// `npm run refresh`: pages follow what is left of the versions that are counted, until it's stopped.
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readDatabaseAddress } from "../../api/env.ts";
import { openStockMark } from "../../api/operation/stock-mark.ts";
import { readArguments } from "../../api/read-arguments.ts";
import { readRecord } from "../../site/build/build-record.ts";
import { FACTS, hashFacts, readFacts } from "../../site/build/stock-facts.ts";
import { killChildren, runToEnd } from "../local/child-process.ts";
import { step } from "../local/report.ts";
import { holdForRefresh, projectOf, ROOT, shownSite } from "./releases.ts";
import { findLocalContent, findShop } from "./run.ts";

const USAGE = `Usage: npm run refresh

Pages follow what is left of the versions that are counted, and the ERP's prices, until Ctrl-C: within the current release.
npm start does it itself.`;

/** The least time between two looks at the database. */
const PAUSE_MS = 20_000;
/** A busy shop's refreshes take a fifth of the time, or of a core where they use several, so that they never use one up. */
const PAUSE_OF_WORK = 4;
/** How often it's looked whether a release or a rollback has put another site in place, which costs no more than a link. */
const LOOK_MS = 1_000;
const BUILD_WITHIN_MS = 30 * 60_000;

/** In clock ticks (proc(5)), of which every Linux has a hundred a second. */
const TICK_MS = 10;

const READ_STOCK = join("api", "commands", "stock-facts.ts");
/** The facts that a project's pages are to show. Their time is when they last did, by which the doctor knows since when they don't. */
const factsOf = (project: string) => join(project, "site", FACTS);
const shownFacts = (site: string) => readRecord(site)?.facts ?? "";

readArguments(USAGE, {});
// The last build is shown until the next is complete, so there is nothing to wait for.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    void killChildren();
    process.exit();
  });
await keepRefreshing();

/** The shop that runs here, as a refresh needs it. */
function openShop() {
  const { settings, databaseUrl, releasesDir } = findShop();
  const CONTENT_REPOSITORY = settings.contentRepository ?? findLocalContent(settings);
  const stock = openStockMark(readDatabaseAddress({ DATABASE_URL: databaseUrl }));
  return { releasesDir, stock, env: { ...settings.environment, CONTENT_REPOSITORY, DATABASE_URL: databaseUrl } };
}

/**
 * Lets pages follow what is left of the versions that are counted: within the current release, with its code and content,
 * without a copy, an import or a number. Never returns; what is wrong is printed once, and all is tried again.
 */
async function keepRefreshing(): Promise<never> {
  let shop: ReturnType<typeof openShop> | undefined;
  let seen: { site?: string | undefined; mark?: string } = {};
  let told = "";
  for (;;) {
    let site = shownSite();
    let workMs = 0;
    try {
      shop ??= openShop();
      // Before what it stands for, so that a change in the meantime is seen the next time.
      const mark = await shop.stock.read();
      if ((mark !== seen.mark || site !== seen.site) && (mark !== "" || hasFacts(site))) {
        const held = await holdForRefresh(shop.releasesDir);
        const [since, usedMs] = [performance.now(), readChildrenMs()];
        try {
          await refresh(shop.env);
          site = shownSite();
        } finally {
          workMs = Math.max(performance.now() - since, readChildrenMs() - usedMs);
          held.close();
        }
      }
      noteShown(site);
      seen = { mark, site };
      told = "";
    } catch (error) {
      const text = describe(error);
      // Astro's lines begin with the time.
      const what = text.replace(/\d+:\d+:\d+/g, "");
      if (what !== told) console.error(`\nThe pages don't follow the stock; it's tried again. ${text}\n`);
      told = what;
      // It may run elsewhere the next time.
      await shop?.stock.close();
      shop = undefined;
    }
    await pause(Math.max(PAUSE_MS, PAUSE_OF_WORK * workMs), site);
  }
}

/** Waits, at most until another site is shown. */
async function pause(forMs: number, site: string | undefined): Promise<void> {
  const until = performance.now() + forMs;
  do await sleep(LOOK_MS);
  while (performance.now() < until && shownSite() === site);
}

function describe(error: unknown): string {
  const text = String((error instanceof Error && error.message) || error);
  if (!/\b(?:ENOSPC|EDQUOT)\b/.test(text)) return text;
  return `The disk of ${projectOf(shownSite()) ?? ROOT} is full. Free space there. Visitors get what they got before.`;
}

/** The processor time of all children that have ended, in milliseconds. */
function readChildrenMs(): number {
  // Of the fields after the name, which may contain anything: cutime and cstime (proc(5)).
  const [user, system] = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ").slice(13) ?? [];
  return (Number(user) + Number(system)) * TICK_MS;
}

/** The project that can build a site again with what is left; a release of an earlier version shows what its content/ says. */
function findProject(site: string | undefined): string | undefined {
  const project = projectOf(site);
  return project !== undefined && existsSync(join(project, READ_STOCK)) ? project : undefined;
}

/** Whether a site shows what was left of anything. */
function hasFacts(site: string | undefined): boolean {
  const project = findProject(site);
  if (site === undefined || project === undefined) return false;
  return shownFacts(site) !== "" || hashFacts(readFacts(factsOf(project))) !== "";
}

/** Notes that a site shows what is left. */
function noteShown(site: string | undefined): void {
  const project = findProject(site);
  if (project === undefined) return;
  const file = factsOf(project);
  if (existsSync(file)) utimesSync(file, new Date(), new Date());
  else writeFileSync(file, "{}\n");
}

/** Brings the shown pages up to date, if they differ from what is left. */
async function refresh(env: Record<string, string | undefined>): Promise<void> {
  const site = shownSite();
  const project = findProject(site);
  if (site === undefined || project === undefined) return;
  // A release has a copy of its content, in place of what there is in CONTENT_ROOT since.
  const options = { env: project === ROOT ? env : { ...env, CONTENT_ROOT: undefined }, cwd: project };
  const file = factsOf(project);
  const isShown = () => hashFacts(readFacts(file)) === shownFacts(site);
  const shownAt = existsSync(file) ? statSync(file).mtime : undefined;
  await runToEnd("Reading what is left", process.execPath, [join(project, READ_STOCK), file], options);
  if (isShown()) return;
  if (shownAt) utimesSync(file, shownAt, shownAt);
  await step("refresh", async () => {
    const args = [join(project, "site", "commands", "build.ts"), "--refresh"];
    const { stdout, stderr } = await runToEnd("The refresh of pages", process.execPath, args, {
      ...options,
      timeoutMs: BUILD_WITHIN_MS,
    });
    const [summary] = /^\d+ of \d+ files have changed$/m.exec(stdout) ?? [];
    // A quick build's warnings are about content, and whoever released it has seen them. A whole one's may say why it's one.
    if (summary !== undefined) return { summary, value: undefined };
    return { summary: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
  });
}
