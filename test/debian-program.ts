import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { SERVER_PATH } from "../nginx/programs.ts";

const CACHE = join(tmpdir(), `twinfront-debian-${userInfo().uid}`);

/**
 * The path of a program of a Debian package: this machine's own, or one unpacked from the package without installing it,
 * which any user may do. `path` is relative to the root, such as usr/bin/promtool; where it needs libraries or other
 * programs, run it with `debianEnvironment(packageName)`. Where there is no apt or no mirror answers, undefined with the
 * reason printed, so that tests can be skipped; but an error where CI is set, whose green must mean that all of them ran.
 */
export function debianProgram(packageName: string, path: string): string | undefined {
  const [installed, unpacked] = [join("/", path), join(CACHE, packageName, path)];
  if (existsSync(installed)) return installed;
  if (!existsSync(unpacked)) unpack(packageName);
  if (existsSync(unpacked)) return unpacked;
  if (process.env["CI"]) throw new Error(`The Debian package ${packageName} can't be had here, and CI is set.`);
  console.log(`The Debian package ${packageName} can't be had here: its tests are skipped.`);
  return undefined;
}

/** The environment in which a package's programs find what was unpacked with them, such as a compiler its headers. */
export function debianEnvironment(packageName: string): Record<string, string> {
  const root = join(CACHE, packageName);
  const pathOf = (folders: string[]) => [...new Set(folders)].map((folder) => join(root, folder)).join(":");
  // Some packages keep libraries of their own in a folder below.
  const libraries = globSync("{usr/,}lib/*-linux-gnu/{,*/}*.so*", { cwd: root });
  return {
    PATH: `${SERVER_PATH}:${pathOf(["usr/bin", "usr/sbin", "bin", "sbin"])}`,
    LD_LIBRARY_PATH: pathOf(libraries.map(dirname)),
    CPATH: pathOf(["usr/include", ...globSync("usr/include/*-linux-gnu", { cwd: root })]),
  };
}

/** Unpacks a package together with those that it depends on and this machine lacks. */
function unpack(packageName: string): void {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "unpacking-"));
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 300_000 });
  try {
    // A simulation has a line such as "Inst varnish (7.1.1-2 …)" for each package that is missing.
    const plan = run("apt-get", "install", "--simulate", "--no-install-recommends", packageName);
    const names = plan.stdout?.match(/(?<=^Inst )\S+/gm) ?? [];
    // Without a sandbox of its own: apt's user can't write to this folder.
    if (names.length === 0 || run("apt-get", "-o", "APT::Sandbox::User=", "download", ...names).status !== 0) return;
    const root = join(folder, "root");
    const packages = readdirSync(folder).filter((name) => name.endsWith(".deb"));
    if (packages.some((name) => run("dpkg", "-x", name, root).status !== 0)) return;
    // Renamed when it's complete, since another test may be looking; the one that comes second finds it there.
    if (!existsSync(join(CACHE, packageName))) renameSync(root, join(CACHE, packageName));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
