import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BuildInput, hasPassedDay } from "../build/build-input.ts";
import { type BuildRecord, RECORD, type RouteKeys, readRecord } from "../build/build-record.ts";
import { writeAtomically } from "../build/files.ts";
import { linkOrCopyFolder } from "../build/link-or-copy.ts";
import { OWN_FILES, readOwnFiles } from "../build/numbered-builds.ts";
import { checkAside } from "../content-check/check-aside.ts";
import { listWarnings } from "../content-check/problem.ts";
import { contentRoot } from "../content-repository/content-root.ts";
import { parseShop } from "../content-schema/shop.ts";
import { openCompressionCache } from "../finish/compression.ts";
import { finishSome } from "../finish/finish-files.ts";
import { planPath, writeLlmsFull } from "../finish/llms-full.ts";
import { movedListPath, writeMovedFiles } from "../finish/moved-pages.ts";
import { convertPages } from "../markdown-face/convert-pages.ts";
import { longPageWarning, reportPages } from "../markdown-face/markdown-face.ts";
import { privatePageSources, readTextsOf, writePrivatePages } from "../private-pages/integration.ts";
import { llmsFullPath } from "../urls/paths.ts";
import { openRenderer } from "./astro-renderer.ts";

const SITE = join(import.meta.dirname, "..");
const CACHE = join(SITE, ".cache");

/**
 * Builds the site from the last build if only texts in .md files have changed since, or what is left of versions
 * (stock-facts.ts): without Vite, from links to its files, rendering the pages whose keys have changed. The result has the
 * same bytes as a full build's.
 *
 * @param last the folder of the last build
 * @param next the folder to build in, deleted first
 * @returns the keys of the pages; undefined if a full build is needed, which also lists the errors in content/
 */
export async function buildQuickly(last: string, next: string, input: BuildInput): Promise<RouteKeys | undefined> {
  const record = readRecord(last);
  if (record?.code !== input.code) return undefined;
  // Beside the rendering, which needs most of a core. The last build's content was checked then.
  const check = record.whole === input.whole ? undefined : checkAside(contentRoot(), CACHE);
  let keys: RouteKeys | undefined;
  try {
    // All of both, since a full build in the same folder must not begin before they are done.
    const [linked, rendering] = await Promise.allSettled([linkFiles(last, next), renderChanged(last, record, input)]);
    const { errors, warnings } = (await check?.findings) ?? { errors: [], warnings: [] };
    if (errors.length > 0) return undefined;
    if (linked.status === "rejected") throw linked.reason;
    if (rendering.status === "rejected") throw rendering.reason;
    const rendered = rendering.value;
    if (rendered === undefined) return undefined;
    // A full build would list them again.
    if (warnings.length > 0) console.error(listWarnings(warnings));
    await writeChanged(last, next, rendered, record.redirects !== input.redirects);
    keys = rendered.keys;
    console.log(`${rendered.files.size} of ${Object.keys(keys).length} files have changed`);
    return keys;
  } finally {
    await check?.end();
    if (keys === undefined) rmSync(next, { recursive: true, force: true });
  }
}

/** Replaces changed files, and writes what is made of them. Writing into a file would change the last build, which shares it. */
async function writeChanged(
  last: string,
  next: string,
  { files, temporary, searchIndex }: Rendered,
  haveRedirectsChanged: boolean,
): Promise<void> {
  const pages = [...files.keys()].filter((file) => file.endsWith(".html"));
  for (const file of [...files.keys(), ...pages.map((page) => page.replace(/html$/, "md")), llmsFullPath])
    for (const encoding of ["", ".gz", ".br"]) rmSync(join(next, file + encoding), { force: true });
  for (const [file, body] of files) {
    mkdirSync(dirname(join(next, file)), { recursive: true });
    writeAtomically(join(next, file), body);
  }
  const faces = await writeMarkdown(next, pages);
  writeLlmsFull(next, textOf(temporary, planPath));
  // The largest first, because compressing it takes longest.
  const moved = haveRedirectsChanged ? writeMovedFiles(next) : [];
  const changed = [llmsFullPath, ...files.keys(), ...faces, ...moved].map((file) => join(next, file));
  // Compression has threads of its own.
  const finishing = finishSome(next, openCompressionCache(join(CACHE, "compressed")), changed);
  const { frame, counter, search, assistant, contentOffers } = privatePageSources;
  const known = readTextsOf(last);
  const isUnchanged = (path: string) => !files.has(`${path.slice(1)}.html`);
  const writing = writePrivatePages(
    next,
    {
      frame: textOf(temporary, frame),
      counter: textOf(temporary, counter),
      search: searchIndex ? { index: searchIndex } : fileOf(temporary, search),
      assistant: textOf(temporary, assistant),
      contentOffers: textOf(temporary, contentOffers),
    },
    (path) => (isUnchanged(path) ? known(path) : undefined),
  );
  // Until both have ended, because a full build in the same folder may follow a failure.
  for (const result of await Promise.allSettled([finishing, writing]))
    if (result.status === "rejected") throw result.reason;
}

/** Links or copies a build. Its hashed files are those that it made itself, and its `.session/` is left out. */
async function linkFiles(from: string, to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  await linkOrCopyFolder(from, to);
  const own = new Set(readOwnFiles(from));
  for (const file of globSync("_astro/**", { cwd: to, withFileTypes: true }))
    if (file.isFile() && !own.has(join("_astro", file.name))) rmSync(join(file.parentPath, file.name));
  for (const name of [".session", OWN_FILES, RECORD]) rmSync(join(to, name), { recursive: true, force: true });
}

/** The search index, which knows nothing of what is left. */
const searchIndexFile = ".session/search.index";

/** Files that only the build needs. */
const temporaryFiles: ReadonlySet<string> = new Set([planPath, ...Object.values(privatePageSources)]);

interface Rendered {
  keys: RouteKeys;
  /** The files that have changed, by path in the site. */
  files: Map<string, Buffer>;
  temporary: Map<string, Buffer>;
  /** Where it is as it was. */
  searchIndex: Buffer | undefined;
}

/** Renders every page whose key has changed, or that has no key. Returns undefined if a full build is needed. */
async function renderChanged(last: string, record: BuildRecord, input: BuildInput): Promise<Rendered | undefined> {
  const renderer = await openRenderer(input);
  if (renderer === undefined) return undefined;
  const { routes, render } = renderer;
  const keys = Object.fromEntries(routes.map(({ pathname, cacheKey }) => [pathname, cacheKey ?? null]));
  if (Object.keys(keys).sort().join() !== Object.keys(record.keys).sort().join()) return undefined;
  const own = new Set(readOwnFiles(last));
  const files = new Map<string, Buffer>();
  const temporary = new Map<string, Buffer>();
  const hasSameSearch = record.whole === input.whole && !hasPassedDay(last, new Date());
  const searchIndex = hasSameSearch ? readFileSync(join(last, searchIndexFile)) : undefined;
  for (const route of routes) {
    if (hasSameSearch && route.pathname === privatePageSources.search) continue;
    const key = keys[route.pathname];
    if (key !== null && key === record.keys[route.pathname]) continue;
    const { file, body } = await render(route);
    const isTemporary = temporaryFiles.has(`/${file}`);
    if (!isTemporary && existsSync(join(last, file)) !== (body !== undefined)) return undefined;
    if (body === undefined) continue;
    const before = isTemporary ? Buffer.of() : readFileSync(join(last, file));
    if (before.equals(body)) continue;
    if (hashedNames(body).some((name) => !own.has(decodeURI(name)) && !before.includes(name))) return undefined;
    (isTemporary ? temporary : files).set(file, body);
  }
  return files.has(movedListPath.slice(1)) ? undefined : { keys, files, temporary, searchIndex };
}

/** The hashed files that a file names. The quick build makes none, so those of the last build have to do. */
const hashedNames = (body: Buffer): string[] => [...new Set(body.toString().match(/_astro\/[\w%.-]+/g))];

/** Writes the Markdown of changed pages. Returns its files. */
async function writeMarkdown(dist: string, pages: readonly string[]): Promise<string[]> {
  const { base_url } = parseShop(
    readFileSync(join(contentRoot(), "content/store.yaml"), "utf8"),
    process.env["BASE_URL"],
  );
  const files = pages.map((page) => join(dist, page));
  const converted = await convertPages({ files, origin: base_url, cacheFolder: join(CACHE, "markdown") });
  for (const page of reportPages(dist, converted).long) console.warn(`[WARN] [markdown-face] ${longPageWarning(page)}`);
  return pages.map((page) => page.replace(/html$/, "md"));
}

const textOf = (files: ReadonlyMap<string, Buffer>, path: string): string => fileOf(files, path).toString();

function fileOf(files: ReadonlyMap<string, Buffer>, path: string): Buffer {
  const file = files.get(path.slice(1));
  if (file === undefined) throw new Error(`${path} wasn't rendered.`);
  return file;
}
