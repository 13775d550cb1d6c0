import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";

const CACHE = join(tmpdir(), `twinfront-debian-${userInfo().uid}`);

/**
 * The path of a program of a Debian package: this machine's own, or one unpacked from the package without installing it,
 * which any user may do. `path` is relative to the root, such as usr/bin/promtool. Undefined, with the reason printed,
 * where there is no apt or no mirror answers.
 */
export function debianProgram(packageName: string, path: string): string | undefined {
  const [installed, unpacked] = [join("/", path), join(CACHE, packageName, path)];
  if (existsSync(installed)) return installed;
  if (!existsSync(unpacked)) unpack(packageName);
  if (existsSync(unpacked)) return unpacked;
  console.log(`The Debian package ${packageName} can't be had here: its tests are skipped.`);
  return undefined;
}

function unpack(packageName: string): void {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "unpacking-"));
  try {
    // Without a sandbox of its own: apt's user can't write to this folder.
    spawnSync("apt-get", ["-o", "APT::Sandbox::User=", "download", packageName], { cwd: folder, timeout: 120_000 });
    const [deb] = readdirSync(folder);
    const root = join(folder, "root");
    if (deb === undefined || spawnSync("dpkg", ["-x", join(folder, deb), root]).status !== 0) return;
    // Renamed when it's complete, since another test may be looking; the one that comes second finds it there.
    mkdirSync(dirname(join(CACHE, packageName)), { recursive: true });
    if (!existsSync(join(CACHE, packageName))) renameSync(root, join(CACHE, packageName));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
