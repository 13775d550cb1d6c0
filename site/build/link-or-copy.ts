import { execFile } from "node:child_process";
import { cpSync, linkSync, rmSync } from "node:fs";
import { promisify } from "node:util";

// Files get a second name, which writes no data and keeps their times. They are copied where that can't be: between file systems
// or two of systemd's ReadWritePaths, which are mounts of one (link(2)), and from another user (fs.protected_hardlinks).
// Never write into a linked file: replace it.

const run = promisify(execFile);

/** Links or copies a file, and replaces what has the new name. */
export function linkOrCopyFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Or the name exists.
    rmSync(to, { force: true });
    cpSync(from, to, { preserveTimestamps: true });
  }
}

/** Links or copies all of a folder to a path where nothing is yet, and says which. */
export async function linkOrCopyFolder(from: string, to: string): Promise<"linked" | "copied"> {
  try {
    await run("cp", ["-al", from, to]);
    return "linked";
  } catch {
    rmSync(to, { recursive: true, force: true });
    await run("cp", ["-a", from, to]);
    return "copied";
  }
}
