import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { linkOrCopyFile } from "./link-or-copy.ts";

/** Files with a content hash in their names. */
const HASHED = "_astro/**";
/**
 * A photograph as an editor saved it, which an earlier release published beside what Astro makes of it
 * (`<hash>_<hash>.webp`).
 */
const ORIGINAL = /^_astro\/(?:.*\.)?[\w-]{8}\.(?:jpe?g|png|webp|avif|gif)$/;
/** Lists the hashed files that a build made itself, as opposed to those it keeps from others. */
export const OWN_FILES = ".hashed-files";

/**
 * Builds of a site: folders 1, 2 and so on, and a link to the one that visitors get. A release holds one beside its
 * code.
 */
export interface NumberedBuilds {
  /** The folder to write the next build into. */
  next: string;
  pathOf(number: number): string;
  /** The numbers of all complete builds, oldest first. */
  numbers(): number[];
  /** The number of the build that the link shows; undefined if it shows none of these. */
  shown(): number | undefined;
  /** Numbers the complete build in `next`, or in another folder of the same file system. */
  add(complete?: string): number;
  /**
   * Makes the link show a build, atomically, in which the hashed files of the last ones are reachable too; of a build of the
   * same content also those that it keeps, which other releases have made.
   */
  show(number: number, isSameContent?: boolean): void;
  /**
   * Sets all but the last builds and those in `others` aside. Returns the folders to delete, among them what a killed
   * process has left.
   */
  retire(others?: readonly (number | undefined)[]): string[];
}

interface Places {
  /** Where the builds are. */
  folder: string;
  /** The link to the one that visitors get. */
  link: string;
  /** Path of the site in a build; empty if the build is the site. */
  site?: string;
  /** How many of the last builds stay, with the hashed files that open pages and caches still ask for. */
  kept: number;
}

/** Opens the builds of a folder, which needn't exist yet. */
export function openNumberedBuilds({ folder, link, site = "", kept }: Places): NumberedBuilds {
  const next = join(folder, "next");
  const pathOf = (number: number) => join(folder, String(number));

  function numbers(): number[] {
    const names = readdirSync(folder).filter((name) => /^\d+$/.test(name));
    return names.map(Number).sort((a, b) => a - b);
  }

  return {
    next,
    pathOf,
    numbers,
    shown() {
      const shown = existsSync(link) ? realpathSync(link) : "";
      return dirname(shown) === realpathSync(folder) ? Number(basename(shown)) : undefined;
    },
    add(complete = next) {
      listOwnFiles(join(complete, site));
      const number = (numbers().at(-1) ?? 0) + 1;
      renameSync(complete, pathOf(number));
      return number;
    },
    show(number, isSameContent = false) {
      const [shown, next] = [join(link, site), join(pathOf(number), site)];
      const others = numbers()
        .slice(-kept)
        .map((other) => join(pathOf(other), site));
      for (const other of [...others, shown]) keepHashedFiles(other, next);
      if (isSameContent) keepHashedFiles(shown, next, listHashedFiles(shown));
      replaceLink(link, pathOf(number), join(folder, "link"));
    },
    retire(others = []) {
      for (const number of numbers().slice(0, -kept))
        if (!others.includes(number)) renameSync(pathOf(number), join(folder, `old-${number}`));
      return readdirSync(folder).flatMap((name) => (/^old-\d+$/.test(name) ? [join(folder, name)] : []));
    },
  };
}

/** Points a link at `target`, atomically: `unfinished` is renamed over it. */
export function replaceLink(link: string, target: string, unfinished: string): void {
  rmSync(unfinished, { force: true });
  // Relative, so that the folders can be moved together.
  symlinkSync(relative(dirname(link), target), unfinished);
  renameSync(unfinished, link);
}

const listHashedFiles = (site: string): string[] =>
  globSync(HASHED, { cwd: site }).filter((file) => lstatSync(join(site, file)).isFile());

const listOwnFiles = (site: string) => writeFileSync(join(site, OWN_FILES), listHashedFiles(site).sort().join("\n"));

/** The hashed files that a build's site made itself. */
export function readOwnFiles(site: string): string[] {
  const list = join(site, OWN_FILES);
  return existsSync(list) ? readFileSync(list, "utf8").split("\n").filter(Boolean) : [];
}

/**
 * Links the hashed files of another build's site into a site, which keeps their ETags: by default those that it made itself.
 * Originals are published no longer.
 */
export function keepHashedFiles(other: string, site: string, hashed = readOwnFiles(other)): void {
  for (const file of hashed.filter((name) => !ORIGINAL.test(name) && !existsSync(join(site, name)))) {
    mkdirSync(dirname(join(site, file)), { recursive: true });
    linkOrCopyFile(join(other, file), join(site, file));
  }
}
