import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** In memory. */
export const SHARED_MEMORY = "/dev/shm";

/** A process's number means something only among those that see each other, such as in one container. */
const NAMESPACE = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");

/** Makes a folder that belongs to this process. The caller removes it, or the next run if the process is killed. */
export const makeFolder = (prefix: string, parent = tmpdir()): string =>
  mkdtempSync(join(parent, `${prefix}${NAMESPACE}.${process.pid}-`));

/** Removes the folders of processes that have ended. */
export function removeAbandoned(): void {
  const name = new RegExp(`^twinfront.*-${NAMESPACE}\\.(\\d+)-\\w{6}$`);
  for (const parent of [SHARED_MEMORY, tmpdir()].filter(existsSync)) {
    for (const entry of readdirSync(parent)) {
      const [, pid] = name.exec(entry) ?? [];
      const path = join(parent, entry);
      if (pid && !isRunning(Number(pid)) && lstatSync(path, { throwIfNoEntry: false })?.uid === userInfo().uid)
        // What can't be removed mustn't stop the tests; another run may be removing it too.
        spawnSync("rm", ["-rf", "--one-file-system", path]);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
