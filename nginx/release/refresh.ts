// `npm run refresh`: pages follow what is left of the versions that are counted, until it's stopped.
import { existsSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readDatabaseAddress } from "../../api/env.ts";
import { openStockMark } from "../../api/operation/stock-mark.ts";
import { readArguments } from "../../api/read-arguments.ts";
import { readRecord } from "../../site/build/build-record.ts";
import { FACTS, hashFacts, readFacts } from "../../site/build/stock-facts.ts";
import { killChildren, runToEnd } from "../local/child-process.ts";
import { step } from "../local/report.ts";
import { holdForRefresh, projectOf, shownSite } from "./releases.ts";
import { findLocalContent, findShop } from "./run.ts";

const USAGE = `Usage: npm run refresh

Pages follow what is left of the versions that are counted, until Ctrl-C: within the current release, whenever a word changes.
npm start does it itself.`;

/** The least time between two looks at the database. */
const PAUSE_MS = 20_000;
/** A busy shop's refreshes take a fifth of the time, so that they never use up a core. */
const PAUSE_OF_WORK = 4;
/** How often it's looked whether a release or a rollback has put another site in place, which costs no more than a link. */
const LOOK_MS = 1_000;
const BUILD_WITHIN_MS = 30 * 60_000;

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
        const since = performance.now();
        try {
          await refresh(shop.env);
          site = shownSite();
        } finally {
          workMs = performance.now() - since;
          held.close();
        }
      }
      seen = { mark, site };
      told = "";
    } catch (error) {
      const text = String((error instanceof Error && error.message) || error);
      if (text !== told) console.error(`\nThe pages don't follow the stock. ${text}\n`);
      told = text;
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

/** Whether a site shows what was left of anything. */
function hasFacts(site: string | undefined): boolean {
  const project = projectOf(site);
  if (site === undefined || project === undefined) return false;
  return shownFacts(site) !== "" || hashFacts(readFacts(factsOf(project))) !== "";
}

/** Brings the shown pages up to date, if they differ from what is left. */
async function refresh(env: Record<string, string | undefined>): Promise<void> {
  const site = shownSite();
  const project = projectOf(site);
  if (site === undefined || project === undefined) return;
  const readStock = join(project, "api", "commands", "stock-facts.ts");
  // A release of an earlier version shows what its content/ says.
  if (!existsSync(readStock)) return;
  const options = { env, cwd: project };
  const file = factsOf(project);
  const isShown = () => hashFacts(readFacts(file)) === shownFacts(site);
  const behindSince = existsSync(file) && !isShown() ? statSync(file).mtime : undefined;
  await runToEnd("Reading what is left", process.execPath, [readStock, file], options);
  if (isShown()) return;
  // By this the doctor knows since when, though what is left goes on changing.
  if (behindSince) utimesSync(file, behindSince, behindSince);
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
