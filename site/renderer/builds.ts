import {
  existsSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Number of builds, with the current one, whose hashed files are still served: pages stay open in browsers and caches. */
const KEPT = 3;
/** Files with a content hash in their names. */
const HASHED = "_astro/**";
/** Lists the hashed files that a build made itself, as opposed to those it keeps from earlier builds. */
const OWN_FILES = ".hashed-files";

/** The last builds of a site: folders `.builds/1`, `.builds/2` and so on, and a link to the current one. */
export interface Builds {
  /** The link to the build that visitors get. */
  dist: string;
  /** The folder to write the next build into. */
  next: string;
  /** Removes what a killed build left, and turns a `dist` folder, as earlier versions made it, into the link. */
  prepare(): void;
  /** Replaces the current build by the one in `next`, atomically, and deletes builds that are too old. */
  publish(): void;
}

/** @param site the folder that contains `dist` and `.builds` */
export function openBuilds(site: string): Builds {
  const dist = join(site, "dist");
  const folder = join(site, ".builds");
  const next = join(folder, "next");

  const buildAt = (number: number) => join(folder, String(number));

  /** The numbers of all complete builds, oldest first. */
  function numbers(): number[] {
    const names = readdirSync(folder).filter((name) => /^\d+$/.test(name));
    return names.map(Number).sort((a, b) => a - b);
  }

  /** Numbers a complete build. */
  function add(build: string): number {
    const number = (numbers().at(-1) ?? 0) + 1;
    renameSync(build, buildAt(number));
    return number;
  }

  function show(number: number): void {
    const link = join(folder, "link");
    rmSync(link, { force: true });
    // Relative, so that the checkout can be moved.
    symlinkSync(join(".builds", String(number)), link);
    renameSync(link, dist);
  }

  return {
    dist,
    next,
    prepare() {
      mkdirSync(folder, { recursive: true });
      // An earlier version built beside `dist` itself.
      for (const left of [next, `${dist}.new`, `${dist}.old`]) rmSync(left, { recursive: true, force: true });
      if (lstatSync(dist, { throwIfNoEntry: false })?.isDirectory()) {
        listOwnFiles(dist);
        // Leaves a short gap, this once: a link can't be renamed over a folder (rename(2)).
        add(dist);
      }
      const last = numbers().at(-1);
      if (!existsSync(dist) && last !== undefined) show(last);
    },
    publish() {
      listOwnFiles(next);
      for (const number of numbers().slice(1 - KEPT)) keepOwnFiles(buildAt(number), next);
      show(add(next));
      for (const number of numbers().slice(0, -KEPT)) rmSync(buildAt(number), { recursive: true });
    },
  };
}

function listOwnFiles(build: string): void {
  const files = globSync(HASHED, { cwd: build }).filter((file) => lstatSync(join(build, file)).isFile());
  writeFileSync(join(build, OWN_FILES), files.sort().join("\n"));
}

/** Hard-links the hashed files of an earlier build into a new one, which copies no data and keeps their ETags. */
function keepOwnFiles(build: string, next: string): void {
  const list = join(build, OWN_FILES);
  const files = existsSync(list) ? readFileSync(list, "utf8").split("\n") : [];
  for (const file of files.filter((name) => name !== "" && !existsSync(join(next, name)))) {
    mkdirSync(dirname(join(next, file)), { recursive: true });
    linkSync(join(build, file), join(next, file));
  }
}
