import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { TLocalizedValidationError } from "typebox/error";
import type { Manifest } from "../../contract/built-files/manifest.ts";
import { describeMismatches } from "./built-file.ts";
import { PageProblem } from "./problem-page.ts";

/** The newest build of the site, as something the API has made of it. */
export interface OfBuild<Made> {
  /** Rejects with PageProblem("unavailable") if nothing could be made of any build. */
  current(): Promise<Made>;
  /** Why the newest build isn't used, and what to do about it, in whole sentences; undefined if it is. */
  findFault(): Promise<string | undefined>;
}

/** A build's `.session/`, and its pages. */
interface Build {
  manifest: string;
  read: Read;
  readBytes: ReadBytes;
  /** The HTML of the page at a path that is known to be one of the site's: `/products/kestrel-c2`; undefined without such a page. */
  readPage(path: string): Promise<string | undefined>;
}

/** The newest build. Whoever names the one that they had last gets another one, or the same if it's too early to look. */
export type Builds = (last: Promise<Build> | undefined) => Promise<Build>;

interface Options<Made> {
  builds: Builds;
  /** Makes what is needed of a build; throws an Error that says why it can't be used. */
  make(read: Read, readBytes: ReadBytes): Promise<Made>;
  /** What is made, for the log, in the plural: `templates`. */
  name: string;
  log: BuildLog;
}

export interface BuildLog {
  info(message: string): void;
  error(message: string): void;
}

/** What to do about a build of another release; which of the two is older can't be told from the files. */
export const SAME_CODE =
  "Site and API must have the same code: restart the API and the workers with the site's, or build the site again with theirs.";

/** Between two looks at the manifest of a folder. */
const LOOK_EVERY_MS = 1_000;

/** How long a request waits for a new build while the last one can still be used: on a slow disk, a large one takes a while to read. */
const WAIT_MS = 500;

/**
 * Looks at the path of a build's `.session/`, once a second; in development at an http address, which builds it anew, at
 * every request. All who follow the builds share each look.
 */
export function openBuilds(location: string): Builds {
  const isServer = isAddress(location);
  let newest: { build: Promise<Build>; lookedAt: number } | undefined;
  return (last) => {
    const isRecent = newest && performance.now() - newest.lookedAt < LOOK_EVERY_MS;
    if (newest && isRecent && !(isServer && newest.build === last)) return newest.build;
    const look = { build: openBuild(location), lookedAt: Number.POSITIVE_INFINITY };
    const end = () => {
      look.lookedAt = performance.now();
    };
    look.build.then(end, end);
    newest = look;
    return look.build;
  };
}

async function openBuild(location: string): Promise<Build> {
  const { readBytes, readPage } = await openReader(location);
  const manifest = (await readBytes("manifest.json")).toString();
  const read = async (path: string) => (path === "manifest.json" ? manifest : (await readBytes(path)).toString());
  return { manifest, read, readBytes, readPage };
}

/** Follows the site's builds from the first request on. Until one can be used, the last one is. */
export function followBuilds<Made>({ builds, make, name, log }: Options<Made>): OfBuild<Made> {
  let used: { made: Made } | undefined;
  let seen: string | undefined;
  let fault: string | undefined;
  let last: Promise<Build> | undefined;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const build = builds(last);
    if (build === last) return;
    last = build;
    const { manifest, read, readBytes } = await build;
    if (manifest === seen) {
      fault = undefined;
      return;
    }
    const made = await make(read, readBytes);
    seen = manifest;
    used = { made };
    fault = undefined;
    log.info(`Using new ${name}.`);
  }

  function refuse(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const reason = /[.!?]$/.test(message) ? message : `${message}.`;
    if (reason !== fault) log.error(`${reason}${used ? ` The last ${name} stay in use.` : ""}`);
    fault = reason;
  }

  async function lookAgain(): Promise<void> {
    looking ??= look()
      .catch(refuse)
      .finally(() => {
        looking = undefined;
      });
    await (used ? Promise.race([looking, setTimeout(WAIT_MS, undefined, { ref: false })]) : looking);
  }

  return {
    async current() {
      await lookAgain();
      if (!used) throw new PageProblem("unavailable", { cause: new Error(fault) });
      return used.made;
    },
    async findFault() {
      await lookAgain();
      return fault;
    },
  };
}

interface FileOptions<Made> extends Pick<Options<Made>, "builds" | "name" | "log"> {
  /** The manifest has its hash under its name without the ending. */
  file: `${keyof Manifest}.${string}`;
  /** Makes what is needed of the file; throws an Error that says why it can't be used. */
  make(bytes: Buffer): Made | Promise<Made>;
}

/** Follows a large file of the site's builds, which is made into something again only when it has changed. */
export function followFile<Made>({ file, make, ...options }: FileOptions<Made>): OfBuild<Made> {
  const [key = ""] = file.split(".");
  let last: { hash: unknown; made: Made } | undefined;
  return followBuilds({
    ...options,
    async make(read, readBytes) {
      const { [key]: hash }: Record<string, unknown> = Object(parseFile("manifest.json", await read("manifest.json")));
      if (last && last.hash === hash) return last.made;
      const bytes = await readBytes(file);
      if ((await hashInSteps(bytes)) !== hash)
        throw new Error(`${file} is of another build than the manifest. The next build mends this.`);
      last = { hash, made: await make(bytes) };
      return last.made;
    },
  });
}

/** Bytes that are hashed at a time, in a few milliseconds, between which other requests have their turn. */
const HASH_BYTES = 2 ** 22;

async function hashInSteps(bytes: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for (let from = 0; from < bytes.length; from += HASH_BYTES) {
    hash.update(bytes.subarray(from, from + HASH_BYTES));
    await setImmediate();
  }
  return hash.digest("hex");
}

interface Validator<Content> {
  Check(value: unknown): value is Content;
  Errors(value: unknown): [boolean, TLocalizedValidationError[]];
}

/** Throws an Error if what a build's file has isn't what this release expects there. */
export function requireShape<Content>(file: string, value: unknown, validator: Validator<Content>): Content {
  if (validator.Check(value)) return value;
  const [mismatch] = describeMismatches(validator.Errors(value)[1], file);
  throw new Error(`${file} doesn't fit this release of the API: ${mismatch} ${SAME_CODE}`);
}

/** Reads a file of a build's `.session/`. */
export type Read = (path: string) => Promise<string>;
type ReadBytes = (path: string) => Promise<Buffer>;

/** Parses a JSON file of a build. Throws an Error that names it. */
export function parseFile(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new Error(`${path} of the site's build is broken (${why}): build the site again, with \`npm run build\`.`);
  }
}

const MISSING = "SESSION_PAGES has no templates of the private pages: run `npm run build`.";

const isAddress = (location: string) => /^https?:/.test(location);

/** Opens a folder, or a server in development. */
const openReader = async (location: string): Promise<Pick<Build, "readBytes" | "readPage">> =>
  isAddress(location) ? readerOfServer(location) : readerOfFolder(location);

/** Reads one build throughout, although `dist` is a link that the next build replaces. */
async function readerOfFolder(folder: string): Promise<Pick<Build, "readBytes" | "readPage">> {
  const real = await realpath(folder).catch(explainRead(MISSING));
  return {
    readBytes: (path) =>
      readFile(join(real, path)).catch(
        explainRead(path === "manifest.json" ? MISSING : `The site's build has no ${path}. ${SAME_CODE}`),
      ),
    readPage: (path) =>
      readFile(join(real, "..", `${path}.html`), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        return undefined;
      }),
  };
}

/** Only a file that isn't there is mended by a build. */
const explainRead =
  (missing: string) =>
  (cause: NodeJS.ErrnoException): never => {
    throw new Error(cause.code === "ENOENT" ? missing : `The site's build can't be read: ${cause.message}.`, { cause });
  };

function readerOfServer(address: string): Pick<Build, "readBytes" | "readPage"> {
  const get = (url: string) =>
    fetch(url).catch((cause: unknown) => {
      throw new Error(`The dev server at ${address} doesn't answer: see its output.`, { cause });
    });
  return {
    async readBytes(path) {
      const answer = await get(`${address}/${path}`);
      if (!answer.ok) throw new Error("The dev server can't build the templates of the private pages: see its output.");
      return Buffer.from(await answer.arrayBuffer());
    },
    async readPage(path) {
      const answer = await get(new URL(path, address).href);
      return answer.ok ? answer.text() : undefined;
    },
  };
}
