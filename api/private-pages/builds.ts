import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PageProblem } from "./problem-page.ts";

/** The newest build of the site, as something the API has made of it. */
export interface OfBuild<Made> {
  /** Rejects with PageProblem("unavailable") if nothing could be made of any build. */
  current(): Promise<Made>;
  /** Why the newest build isn't used, in one sentence; undefined if it is. */
  findFault(): Promise<string | undefined>;
}

interface Options<Made> {
  /** The path of a build's `.session/`; in development an http address, which is asked at every request. */
  location: string;
  /** Makes what is needed of a build; throws an Error that says why it can't be used. */
  make(read: Read): Promise<Made>;
  /** What is made, for the log, in the plural: `templates`. */
  name: string;
  log: BuildLog;
}

export interface BuildLog {
  info(message: string): void;
  error(message: string): void;
}

/** Between two looks at the manifest. */
const LOOK_EVERY_MS = 1_000;

/** How long a request waits for a new build while the last one can still be used: a large shop takes seconds to index. */
const WAIT_MS = 500;

/** Follows the site's builds from the first request on, each within a second. Until one can be used, the last one is. */
export function followBuilds<Made>({ location, make, name, log }: Options<Made>): OfBuild<Made> {
  const isServer = isAddress(location);
  let used: { made: Made } | undefined;
  let seen: string | undefined;
  let fault: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const read = await openReader(location);
    const text = await read("manifest.json");
    if (text === seen) {
      fault = undefined;
      return;
    }
    const made = await make(read);
    seen = text;
    used = { made };
    fault = undefined;
    log.info(`Using new ${name}.`);
  }

  function refuse(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== fault) log.error(`${reason}${used ? ` The last ${name} stay in use.` : ""}`);
    fault = reason;
  }

  async function lookAgain(): Promise<void> {
    if (!isServer && performance.now() - lookedAt < LOOK_EVERY_MS) return;
    looking ??= look()
      .catch(refuse)
      .finally(() => {
        lookedAt = performance.now();
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

/** Reads a file of a build's `.session/`. */
export type Read = (path: string) => Promise<string>;

const MISSING = "SESSION_PAGES has no templates of the private pages: run `npm run build`.";

const isAddress = (location: string) => /^https?:/.test(location);

/** Opens a folder, or a server in development. */
export const openReader = async (location: string): Promise<Read> =>
  isAddress(location) ? readerOfServer(location) : readerOfFolder(location);

/** Reads one build throughout, although `dist` is a link that the next build replaces. */
async function readerOfFolder(folder: string): Promise<Read> {
  const real = await realpath(folder).catch(() => {
    throw new Error(MISSING);
  });
  return (path) =>
    readFile(join(real, path), "utf8").catch(() => {
      throw new Error(MISSING);
    });
}

const readerOfServer =
  (origin: string): Read =>
  async (path) => {
    const answer = await fetch(`${origin}/${path}`);
    if (!answer.ok) throw new Error("The dev server can't build the templates of the private pages: see its output.");
    return answer.text();
  };
