import { lstatSync, mkdirSync, utimesSync } from "node:fs";
import { userInfo } from "node:os";

/**
 * Makes a folder for what later runs use, unless it's there. What is kept there is run, so it must be this user's own, and
 * nobody may do more with it than `mode` says.
 */
export function openKept(folder: string, mode: number): void {
  mkdirSync(folder, { recursive: true, mode });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== userInfo().uid || (found.mode & 0o777 & ~mode) !== 0)
    throw new Error(`${folder} isn't a folder that only you can write to. Remove it.`);
}

/** Says that something kept has been used. */
export function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}
