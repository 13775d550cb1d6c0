import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { SERVER_PATH } from "../nginx/programs.ts";

/** What has been unpacked stays for the next run. */
export const DEBIAN_CACHE = join(tmpdir(), `twinfront-debian-${userInfo().uid}`);

/**
 * The path of a program of a Debian package: this machine's own, or one unpacked from the package without installing it,
 * which any user may do. `path` is relative to the root, such as usr/bin/promtool; where it needs libraries or other
 * programs, run it with `debianEnvironment(packageName)`. Where there is no apt or no mirror answers, undefined with the
 * reason printed, so that tests can be skipped; but an error where CI is set, whose green must mean that all of them ran.
 */
export function debianProgram(packageName: string, path: string): string | undefined {
  const installed = join("/", path);
  if (existsSync(installed)) return installed;
  const folder = unpacked(packageName);
  return folder && join(folder, path);
}

interface DebianPrograms {
  /** The path of a file of one of the packages, relative to the root. */
  file(path: string): string;
  /** With which their programs find each other and their libraries. */
  env: DebianEnvironment;
}

/** The same for several packages at once, which are unpacked even where this machine has them. */
export function debianPrograms(...packageNames: readonly string[]): DebianPrograms | undefined {
  const folders = packageNames.map(unpacked).filter((folder) => folder !== undefined);
  if (folders.length < packageNames.length) return undefined;
  return {
    file(path) {
      const found = folders.map((folder) => join(folder, path)).find(existsSync);
      if (found === undefined) throw new Error(`None of ${packageNames.join(", ")} has ${path}.`);
      return found;
    },
    env: debianEnvironment(...packageNames),
  };
}

type DebianEnvironment = {
  PATH: string;
  LD_LIBRARY_PATH: string;
  /** For a compiler: its headers. */
  CPATH: string;
};

/** The environment in which packages' programs find what was unpacked with them. */
export function debianEnvironment(...packageNames: readonly string[]): DebianEnvironment {
  const roots = packageNames.map((name) => join(DEBIAN_CACHE, name));
  const find = (...patterns: string[]) =>
    roots.flatMap((root) => globSync(patterns, { cwd: root }).map((path) => join(root, path)));
  // Some packages keep libraries of their own in a folder below.
  const libraries = find("{usr/,}lib/*-linux-gnu/{,*/}*.so*").map(dirname);
  return {
    PATH: [SERVER_PATH, ...find("usr/bin", "usr/sbin", "bin", "sbin")].join(":"),
    LD_LIBRARY_PATH: [...new Set(libraries)].join(":"),
    CPATH: find("usr/include", "usr/include/*-linux-gnu").join(":"),
  };
}

/** The folder of an unpacked package. */
function unpacked(packageName: string): string | undefined {
  const folder = join(DEBIAN_CACHE, packageName);
  if (!existsSync(folder)) unpack(packageName);
  if (existsSync(folder)) return folder;
  if (process.env["CI"]) throw new Error(`The Debian package ${packageName} can't be had here, and CI is set.`);
  console.log(`The Debian package ${packageName} can't be had here: its tests are skipped.`);
  return undefined;
}

/** Unpacks a package together with those that it depends on and this machine lacks. */
function unpack(packageName: string): void {
  mkdirSync(DEBIAN_CACHE, { recursive: true });
  const folder = mkdtempSync(join(DEBIAN_CACHE, "unpacking-"));
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 300_000 });
  try {
    // A simulation has a line such as "Inst varnish (7.1.1-2 …)" for each package that is missing.
    const plan = run("apt-get", "install", "--simulate", "--no-install-recommends", packageName);
    const names = new Set([packageName, ...(plan.stdout?.match(/(?<=^Inst )\S+/gm) ?? [])]);
    // Without a sandbox of its own: apt's user can't write to this folder.
    const download = () => run("apt-get", "-o", "APT::Sandbox::User=", "download", ...names).status === 0;
    // A list that is missing or old names packages that the mirror doesn't have; only root can renew it.
    if (!download() && !(run("apt-get", "update", "-q").status === 0 && download())) return;
    const root = join(folder, "root");
    const packages = readdirSync(folder).filter((name) => name.endsWith(".deb"));
    if (packages.some((name) => run("dpkg", "-x", name, root).status !== 0)) return;
    // Renamed when it's complete, since another test may be looking; the one that comes second finds it there.
    if (!existsSync(join(DEBIAN_CACHE, packageName))) renameSync(root, join(DEBIAN_CACHE, packageName));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
