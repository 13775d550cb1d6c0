import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openNumberedBuilds } from "./numbered-builds.ts";

/** How many builds are kept. */
const KEPT_BUILDS = 3;

/** The last builds of a site: folders `.builds/1`, `.builds/2` and so on, and a link to the current one. */
export interface Builds {
  /** The link to the build that visitors get. */
  dist: string;
  /** The folder to write the next build into. */
  next: string;
  /** Removes what a killed build left, and turns a `dist` folder, as earlier versions made it, into the link. */
  prepare(): void;
  /**
   * Replaces the current build by the one in `next`, atomically. Builds that are too old are deleted in the background.
   *
   * @param isRefresh whether both have the same content, so that all hashed files stay
   */
  putInPlace(isRefresh?: boolean): void;
}

/** @param site the folder that contains `dist` and `.builds` */
export function openBuilds(site: string): Builds {
  const dist = join(site, "dist");
  const folder = join(site, ".builds");
  const { next, numbers, add, show, retire } = openNumberedBuilds({ folder, link: dist, kept: KEPT_BUILDS });

  return {
    dist,
    next,
    prepare() {
      mkdirSync(folder, { recursive: true });
      // An earlier version built beside `dist` itself.
      for (const left of [next, `${dist}.new`, `${dist}.old`]) rmSync(left, { recursive: true, force: true });
      // Leaves a short gap, this once: a link can't be renamed over a folder (rename(2)).
      if (lstatSync(dist, { throwIfNoEntry: false })?.isDirectory()) add(dist);
      const last = numbers().at(-1);
      if (!existsSync(dist) && last !== undefined) show(last);
    },
    putInPlace(isRefresh = false) {
      show(add(), isRefresh);
      // By a process that goes on when the build has ended: a large shop's 60,000 files can take longer than a quick build.
      const old = retire();
      if (old.length > 0) spawn("rm", ["-rf", ...old], { detached: true, stdio: "ignore" }).unref();
    },
  };
}
