import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readRecord } from "../../site/build/build-record.ts";
import { askHolder, takeLock } from "../../site/build/lock.ts";
import { keepHashedFiles, openNumberedBuilds, replaceLink } from "../../site/build/numbered-builds.ts";
import { StartError } from "../programs.ts";

/** How many releases are kept, beside the current one and the one before it. */
const KEPT_RELEASES = 3;
/** The project that a release is made of. */
export const ROOT = join(import.meta.dirname, "..", "..");
/** What nginx and the API read; from the first release on, a link to the current one. */
const DIST = join(ROOT, "site", "dist");
/** The site in a release. */
const SITE = join("site", "dist");
/** File in a release with the number of the one that it replaced; a release without it was never shown. */
const REPLACED = ".replaced";
/** File in a release that a rollback took back. */
const TAKEN_BACK = ".taken-back";
/** File in a release with the commit of the checkout that it was made of, if that was in Git. */
const COMMIT = ".commit";

/** What the holder of RELEASES_DIR answers. */
const [RELEASE, REFRESH] = ["release", "refresh"];

/** Releases of code and site together: folders 1, 2 and so on, and the link `current`. */
export interface Releases {
  /** The folder to make the next release in. */
  next: string;
  pathOf(number: number): string;
  siteOf(number: number): string;
  /** The current release; undefined before the first. */
  current(): number | undefined;
  /** The release that the current one replaced, if there is one. */
  previous(): number | undefined;
  /** Notes which commit the release in `next` is made of. */
  noteCommit(commit: string): void;
  /** The commit that a release was made of, if it was noted. */
  commitOf(number: number): string | undefined;
  /** The path of the site that visitors get, which `npm run build` may have built since the last release. */
  shownSite(): string | undefined;
  /** Numbers the complete release in `next`. */
  add(): number;
  /** Makes a release the current one, atomically. */
  show(number: number): void;
  /** Shows what was shown when this was opened. */
  goBack(): void;
  /** Notes that a rollback took a release back, in a file whose path it returns. */
  takeBack(number: number): string;
  /** Hashes of what was built into releases that were taken back, unless it has been released again since. */
  takenBack(): string[];
  /** Deletes a release that isn't shown. */
  remove(number: number): void;
  /** Deletes all but the last `KEPT_RELEASES`, the current one, and the one before it. */
  prune(): void;
}

/** What visitors get, as a path without links; undefined without a build. */
export const shownSite = (): string | undefined => (existsSync(DIST) ? realpathSync(DIST) : undefined);

/** The project that has built a site, and can build it again: a release, or this one. Undefined of an earlier version's release. */
export function projectOf(site: string | undefined): string | undefined {
  const [, project] = /^(.+)\/site\/\.builds\/\d+$/.exec(site ?? "") ?? [];
  return project;
}

const nameOfLock = (folder: string) =>
  `release-${createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 32)}`;

/** Holds RELEASES_DIR for a refresh, once no release or rollback is running. The caller closes what it returns. */
export async function holdForRefresh(folder: string): Promise<{ close(): void }> {
  mkdirSync(folder, { recursive: true });
  for (;;) {
    const lock = await takeLock(nameOfLock(folder), (socket) => socket.end(REFRESH));
    if (lock) return lock;
    await sleep(1000);
  }
}

/**
 * Opens RELEASES_DIR, for one release or rollback at a time, and removes what a killed one left. Throws StartError if another
 * is running and `waits` is false.
 */
export async function openReleases(folder: string, waits: boolean): Promise<Releases> {
  mkdirSync(folder, { recursive: true });
  const lock = nameOfLock(folder);
  while (!(await takeLock(lock, (socket) => socket.end(RELEASE)))) {
    // A refresh takes seconds, and nobody has asked for it.
    if (!waits && (await askHolder(lock)) === RELEASE)
      throw new StartError(`Another release or rollback of ${folder} is running. Wait until it finishes.`);
    await sleep(1000);
  }
  const link = join(folder, "current");
  const places = { folder, link, site: SITE, kept: KEPT_RELEASES };
  const { next, pathOf, numbers, shown, add, ...builds } = openNumberedBuilds(places);
  const siteOf = (number: number) => join(pathOf(number), SITE);
  const noteOf = (number: number) => join(pathOf(number), REPLACED);
  const remove = (number: number) => rmSync(pathOf(number), { recursive: true });
  rmSync(next, { recursive: true, force: true });
  for (const number of numbers()) if (!existsSync(noteOf(number))) remove(number);
  if (lstatSync(DIST, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError("site/dist is a folder, as early versions made it. Run `npm run build` once.");
  const before = { release: shown(), dist: targetOfDist() };
  if (before.dist !== join(link, SITE)) ensureWritable(dirname(DIST));
  const linkDist = (target: string) => {
    if (targetOfDist() !== target) replaceLink(DIST, target, `${DIST}.link`);
  };

  function previous(): number | undefined {
    const current = shown();
    const replaced = current === undefined ? "" : readFileSync(noteOf(current), "utf8");
    return replaced !== "" && existsSync(noteOf(Number(replaced))) ? Number(replaced) : undefined;
  }

  return {
    next,
    pathOf,
    siteOf,
    current: shown,
    previous,
    noteCommit(commit) {
      writeFileSync(join(next, COMMIT), commit);
    },
    commitOf(number) {
      const note = join(pathOf(number), COMMIT);
      return existsSync(note) ? readFileSync(note, "utf8") : undefined;
    },
    shownSite,
    add,
    show(number) {
      if (!existsSync(noteOf(number))) writeFileSync(noteOf(number), String(shown() ?? ""));
      // What is shown may be a build instead of a release.
      keepHashedFiles(DIST, siteOf(number));
      builds.show(number);
      if (shownSite() !== realpathSync(siteOf(number))) linkDist(join(link, SITE));
    },
    goBack() {
      const failed = realpathSync(DIST);
      if (before.release !== undefined) builds.show(before.release);
      if (before.dist === undefined) rmSync(DIST);
      else {
        if (existsSync(before.dist)) keepHashedFiles(failed, before.dist);
        linkDist(before.dist);
      }
      if (before.release === undefined) rmSync(link);
    },
    takeBack(number) {
      const note = join(pathOf(number), TAKEN_BACK);
      writeFileSync(note, "");
      return note;
    },
    takenBack() {
      const last = new Map(numbers().map((number) => [readRecord(siteOf(number))?.whole, number]));
      return [...last].flatMap(([input, number]) =>
        input !== undefined && existsSync(join(pathOf(number), TAKEN_BACK)) ? [input] : [],
      );
    },
    remove,
    prune() {
      for (const folder of builds.retire([shown(), previous()])) rmSync(folder, { recursive: true });
    },
  };
}

/** Where the link leads, even to nothing, as on a host before its first release; undefined without the link. */
function targetOfDist(): string | undefined {
  return lstatSync(DIST, { throwIfNoEntry: false }) && resolve(DIST, "..", readlinkSync(DIST));
}

function ensureWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new StartError(
      "site/dist doesn't lead to the releases, and only root can change it: npm run install:host -- --write",
    );
  }
}
