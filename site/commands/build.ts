// `npm run build`: content/ → site/dist, as USAGE says.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "../../api/read-arguments.ts";
import { type BuildInput, hashBuildInput, hasPassedDay } from "../build/build-input.ts";
import { RECORD, type RouteKeys, readRecord, writeRecord } from "../build/build-record.ts";
import { openBuilds } from "../build/builds.ts";
import { takeLock } from "../build/lock.ts";
import { FACTS, hashFacts, readFacts, type StockFacts, shareFacts } from "../build/stock-facts.ts";
import { checkOutContent, contentRepository } from "../content-repository/checkout.ts";
import { openContentRoot } from "../content-repository/content-root.ts";
import { ContentError } from "../content-schema/content-error.ts";

const USAGE = `Usage: npm run build

Builds content/, here or in CONTENT_ROOT, into site/dist; with CONTENT_REPOSITORY, content/ of its main. Visitors get the last build until it is complete.

  npm run build -- --if-changed       only if a build's input has changed, or a day that its pages promise has passed;
                                      with --leave-out HASH, not that input either
  npm run build -- --out FOLDER       into a folder, such as a release's, and leaves site/dist alone
  npm run build -- --content COMMIT   content/ of that commit of CONTENT_REPOSITORY
  npm run build -- --refresh          the content of the last build again, with what is left as ${FACTS} beside it says
  npm run build -- --facts FILE       with what is left as that file says; with --out, otherwise with what content/ says`;

const SITE = join(import.meta.dirname, "..");
const LOG = new URL("../build/build-log.ts", import.meta.url);
const ROOT = join(SITE, "..");
const builds = openBuilds(SITE);

/** Allows one build of a folder at a time. */
async function holdFolder(waits: boolean): Promise<void> {
  const lock = `build-${createHash("sha256").update(SITE).digest("hex")}`;
  for (let isFirst = true; !(await takeLock(lock)); isFirst = false) {
    if (!waits) throw new ContentError("Another build of this folder is running. Wait until it finishes.");
    if (isFirst) console.log("Another build of this folder is running: waiting until it finishes …");
    await sleep(500);
  }
}

/** Builds run code that the last one has kept: root must not run another user's, who could have changed it. */
function ensureOwner(): void {
  const cache = join(SITE, ".cache");
  if (process.getuid?.() !== 0 || !existsSync(cache) || statSync(cache).uid === 0) return;
  throw new ContentError(
    `${cache} belongs to another user, who builds here. On a host: systemctl start twinfront-site`,
  );
}

/** Whether the last build is of this input; of which facts, is for a refresh to see. */
function isCurrent({ whole }: BuildInput): boolean {
  return readRecord(builds.dist)?.whole === whole && !hasPassedDay(builds.dist, new Date());
}

/** The facts beside the shown build, which may be a release's. */
const shownFacts = (): string =>
  existsSync(builds.dist) ? join(realpathSync(builds.dist), "..", "..", FACTS) : join(SITE, FACTS);

/** What is built. */
interface Source {
  input: BuildInput;
  /** Commit of CONTENT_REPOSITORY. */
  content: string | undefined;
  facts: StockFacts;
}

async function buildInto(folder: string, { input, content, facts }: Source): Promise<RouteKeys> {
  const keys = (await buildFromLast(folder, input)) ?? (await buildFully(folder, input));
  writeRecord(folder, { ...input, keys, content, facts: hashFacts(facts) });
  return keys;
}

/** The commit of the last build's content. */
function lastContent(): string {
  const { content } = readRecord(builds.dist) ?? {};
  if (content === undefined)
    throw new ContentError("The last build doesn't say which content it has. Build once more.");
  return content;
}

/** A quick build; undefined if there has to be a full one. */
async function buildFromLast(folder: string, input: BuildInput) {
  if (readRecord(builds.dist)?.code !== input.code) return undefined;
  // Of a quick build's time a tenth would be the compilation of its modules.
  enableCompileCache(join(SITE, ".cache/renderer/compiled"));
  const { buildQuickly } = await import("../quick-build/quick-build.ts");
  try {
    return await buildQuickly(realpathSync(builds.dist), folder, input);
  } catch (error) {
    if (error instanceof ContentError) throw error;
    console.warn("[WARN] [build] The quick build failed, so everything is built:", error);
    return undefined;
  }
}

async function buildFully(folder: string, input: BuildInput) {
  // Imported here, because loading Astro takes longer than finding that nothing has changed.
  const [{ build }, { default: config }, { keepRenderer }] = await Promise.all([
    import("astro"),
    import("../astro.config.ts"),
    import("../quick-build/astro-renderer.ts"),
  ]);
  const renderer = keepRenderer(input);
  const integrations = [...(config.integrations ?? []), renderer];
  // Passed in, because Astro would load a second copy of our modules, whose ContentError is a different class.
  await build({ ...config, integrations, configFile: false, root: SITE, outDir: folder, logger: { entrypoint: LOG } });
  return renderer.keys;
}

/** Builds, has `place` take the build away from `builds.next`, and says how many pages it has. */
async function buildNext(source: Source, place: () => void): Promise<void> {
  try {
    const routes = Object.keys(await buildInto(builds.next, source));
    place();
    // Only files have a dot in their address.
    console.log(`${routes.filter((path) => !path.includes(".")).length} pages, HTML and Markdown`);
  } finally {
    rmSync(builds.next, { recursive: true, force: true });
  }
}

function putInPlace({ whole }: BuildInput): void {
  const isRefresh = values.refresh === true && readRecord(builds.dist)?.whole === whole;
  // Nothing else than what is left was looked at.
  if (isRefresh) keepTime(join(builds.dist, RECORD), join(builds.next, RECORD));
  builds.putInPlace(isRefresh);
}

function keepTime(from: string, to: string): void {
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}

/** `out` may be on another file system, into which Astro can't build: it renames files there. */
function moveNext(out: string): void {
  mkdirSync(dirname(out), { recursive: true });
  try {
    renameSync(builds.next, out);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    cpSync(builds.next, out, { recursive: true, preserveTimestamps: true });
  }
}

const { values } = readArguments(USAGE, {
  "if-changed": { type: "boolean" },
  "leave-out": { type: "string", multiple: true },
  out: { type: "string" },
  content: { type: "string" },
  refresh: { type: "boolean" },
  facts: { type: "string" },
});
try {
  const out = values.out === undefined ? undefined : resolve(values.out);
  const factsFile = values.facts === undefined ? undefined : resolve(values.facts);
  process.chdir(SITE);
  openContentRoot(ROOT);
  ensureOwner();
  // An editor who publishes while another looks at a preview waits, and so does a shop that starts while its site is built:
  // then it needn't be built again.
  await holdFolder(values.content !== undefined || values["if-changed"] === true || values.refresh === true);
  const repository = contentRepository();
  const commit = values.refresh ? lastContent : () => values.content ?? "main";
  const content = repository && (await checkOutContent(repository, commit()));
  // Hashed before the build reads it, so that a change during a build causes the next one.
  const input = hashBuildInput();
  const facts = factsFile === undefined && out !== undefined ? {} : readFacts(factsFile ?? shownFacts());
  if (values["if-changed"] && isCurrent(input)) {
    const now = new Date();
    utimesSync(join(builds.dist, RECORD), now, now);
    console.log("unchanged since the last build");
  } else if (values["leave-out"]?.includes(input.whole)) {
    console.log("nothing published: this is what the rollback took back");
  } else {
    const source = { input, content, facts };
    shareFacts(facts);
    if (out === undefined) {
      builds.prepare();
      await buildNext(source, () => putInPlace(input));
    } else {
      rmSync(builds.next, { recursive: true, force: true });
      await buildNext(source, () => moveNext(out));
    }
  }
} catch (error) {
  console.error(error instanceof ContentError ? `\n${error.message}\n` : error);
  process.exit(1);
}
