import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SettingsError } from "../../api/env.ts";
import { type HeldProgram, runToEnd, runUntilLine } from "../local/child-process.ts";
import { localRepository, takeOverCheckout } from "../local/content-repository.ts";
import { findRuntimeFolder, readEnvironmentBesideShop, readOrCreateToken } from "../local/data-folder.ts";
import { askNginx, findOwnNginx } from "../local/own-nginx.ts";
import { privateDatabaseAddress } from "../local/private-database.ts";
import { probeShop } from "../local/ready.ts";
import { step } from "../local/report.ts";
import { StartError } from "../programs.ts";
import { readShopSettings, releasesDirOf, type ShopSettings } from "../settings.ts";
import { checkSite } from "./check-site.ts";
import { processesThatDiffer } from "./project-copy.ts";
import { openReleases, type Releases, ROOT } from "./releases.ts";

export interface ReleaseRun {
  releases: Releases;
  /** Origin without trailing slash, as the build used it. */
  baseUrl: string;
  /** Absolute path of the repository whose main is built; undefined if content/ in `contentRoot` is. */
  contentRepository: string | undefined;
  /** The folder whose content/ is built; undefined if that of a repository is. */
  contentRoot: string | undefined;
  /** Environment of the build and of the API's commands. */
  env: Record<string, string | undefined>;
  /** Whether nginx answers visitors; before the first start of a host it doesn't. */
  isServing(): Promise<boolean>;
  /** Checks over HTTP what visitors and partners get. Throws StartError. */
  checkShown(): Promise<void>;
}

/** The settings of the shop that runs here, its database, and RELEASES_DIR. Throws StartError or SettingsError. */
export function findShop(): { settings: ShopSettings; databaseUrl: string; releasesDir: string } {
  const settings = readShopSettings(readEnvironmentBesideShop());
  const runtime = findRuntimeFolder(settings.dataDir);
  const databaseUrl = settings.databaseUrl ?? (runtime && privateDatabaseAddress(runtime).url);
  if (!databaseUrl)
    throw new StartError(
      `No shop is running from ${settings.dataDir}. Run npm start beside this, or set DATABASE_URL.`,
    );
  const releasesDir = releasesDirOf(settings.environment);
  if (existsSync(releasesDir)) ensureOwner(releasesDir);
  return { settings, databaseUrl, releasesDir };
}

/** Reads the settings, opens RELEASES_DIR, where it can wait for another release, and runs a release or a rollback. A failure is one message and exit code 1. */
export async function runRelease(title: string, work: (run: ReleaseRun) => Promise<void>, { waits = false } = {}) {
  console.log(`\n${title}\n`);
  let releases: Releases | undefined;
  try {
    const { settings, databaseUrl, releasesDir } = findShop();
    const contentRepository = settings.contentRepository ?? (await updateLocalContent(settings));
    const opened = await openReleases(releasesDir, waits);
    releases = opened;
    const nginx = findOwnNginx(settings);
    await work({
      releases: opened,
      baseUrl: settings.baseUrl,
      contentRepository,
      contentRoot: contentRepository === undefined ? settings.contentRoot : undefined,
      env: { ...settings.environment, DATABASE_URL: databaseUrl, CONTENT_REPOSITORY: contentRepository },
      isServing: () =>
        askNginx(nginx, "/", {}, AbortSignal.timeout(5_000)).then(
          () => true,
          () => false,
        ),
      async checkShown() {
        const site = opened.shownSite();
        if (site) await checkSite(nginx, site);
        // With a database elsewhere, nobody has a token that isn't in the settings.
        const token = settings.token ?? (settings.databaseUrl ? undefined : readOrCreateToken(settings.dataDir));
        await probeShop(nginx, token);
      },
    });
    process.exit();
  } catch (error) {
    const isExpected = error instanceof StartError || error instanceof SettingsError;
    console.error(`\n${isExpected ? error.message : error instanceof Error ? error.stack : error}\n`);
    if (releases && /\b(?:ENOSPC|EDQUOT)\b/.test(String(error))) {
      // What there is of it would keep the disk full.
      rmSync(releases.next, { recursive: true, force: true });
      const disks = `${dirname(releases.next)} or ${join(ROOT, "site")}`;
      console.error(
        `The disk of ${disks} is full. Free space there and run this again. Visitors get what they got before.\n`,
      );
    }
    process.exit(1);
  }
}

/** A release holds code, which would run as root, and one by root the user who makes the others couldn't link to or delete. */
function ensureOwner(folder: string): void {
  if (statSync(folder).uid === process.getuid?.()) return;
  throw new StartError(
    `${folder} belongs to another user, who makes the releases. On a host: systemctl start twinfront-site, or to go back, twinfront-rollback`,
  );
}

/** Beside `npm start`, a release is made of the content that it shows, with the checkout's changes since; undefined otherwise. */
async function updateLocalContent(settings: ShopSettings): Promise<string | undefined> {
  const repository = findLocalContent(settings);
  if (repository !== undefined) await takeOverCheckout(settings.contentRoot, repository);
  return repository;
}

/** The repository of the content that `npm start` shows; undefined with a database elsewhere, or before the first start. */
export function findLocalContent({ databaseUrl, dataDir }: ShopSettings): string | undefined {
  const repository = localRepository(dataDir);
  return databaseUrl || !existsSync(repository) ? undefined : repository;
}

/** Runs one of the API's commands with a project's own code, which knows its own site. Returns what it printed. */
export async function runWithCode(
  project: string,
  what: string,
  env: Record<string, string | undefined>,
  command: string,
  ...args: string[]
): Promise<string> {
  const program = [join(project, "api", "commands", command), ...args];
  const { stdout } = await runToEnd(what, process.execPath, program, { env, cwd: project });
  return stdout.trim();
}

/** Imports a site's catalogue. If it fails, the database is as it was. */
export const importSite = (project: string, site: string, env: Record<string, string | undefined>) =>
  runWithCode(project, "Importing the catalogue", env, "import.ts", join(site, "products.json"));

/** Imports a release's catalogue in a transaction that stays open: `goOn` commits it at once, `giveUp` rolls it back. */
export async function holdImport({ releases, env }: ReleaseRun, number: number): Promise<HeldProgram> {
  return step("trial", async () => {
    const project = releases.pathOf(number);
    const program = [join(project, "api", "commands", "import.ts"), "--hold"];
    const file = join(releases.siteOf(number), "products.json");
    const options = { env, cwd: project };
    const held = await runUntilLine("Importing the catalogue", process.execPath, [...program, file], options);
    return { summary: held.line, value: held };
  });
}

/** Imports a release's catalogue and shows its site: the API has a new price first, and the pages a moment later. */
export async function showSite({ releases, env }: ReleaseRun, number: number, held?: HeldProgram): Promise<void> {
  await step("live", async () => {
    if (held) await held.goOn();
    else await importSite(releases.pathOf(number), releases.siteOf(number), env);
    releases.show(number);
    return { summary: `catalogue imported, release ${number} shown`, value: undefined };
  });
}

/** Runs the check of what is shown as a step, unless nginx didn't answer before either. */
export async function checkAsStep({ checkShown }: ReleaseRun, wasServing: boolean): Promise<void> {
  await step("check", async () => {
    if (wasServing) await checkShown();
    const summary = wasServing ? "pages, style sheet and the API answer" : "left out: nginx isn't running";
    return { summary, value: undefined };
  });
}

/** Says which processes go on with the code of the release `before`, nginx among them, and how they get the current one's. */
export function adviseRestart(
  { releases, contentRepository }: ReleaseRun,
  before: number | undefined,
  isRollback = false,
): void {
  const current = releases.current();
  if (before === undefined || current === undefined) return;
  const names = processesThatDiffer(releases.pathOf(before), releases.pathOf(current), contentRepository !== undefined);
  if (names.length === 0) return;
  const processes = names.filter((name) => name !== "nginx");
  const steps = [
    ...(processes.length > 0 ? [`restart ${processes.join(", ")}`] : []),
    ...(names.includes("nginx")
      ? [
          "write nginx's configuration again (on a host: npm run install:host -- --write, otherwise: npm run nginx -- FOLDER) and reload nginx",
        ]
      : []),
  ];
  const checkout = `\nWhat runs from ${ROOT}, as on a host, first needs the code of release ${current} there: check out its commit.`;
  console.log(`\nThe code has changed: ${steps.join("; ")}.${isRollback ? checkout : ""}`);
}
