import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { SERVER_PATH } from "../api/platform/server-path.ts";
import { openKept, touch } from "./kept-folder.ts";

const CACHE = join(process.env["TMPDIR"] ?? "/var/tmp", `twinfront-debian-${userInfo().uid}`);
/** Links to the versions that apt would install, as long as its lists are the same: to ask it takes half a second each. */
const CURRENT = `lists-${stateOfLists()}`;
/** What nobody has used for so long goes. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The folder of what has been unpacked, which stays for later runs, also after a restart of the machine: each version of a
 * package in a folder of its own.
 */
export function debianCache(): string {
  openKept(CACHE, 0o755);
  return CACHE;
}

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
  const roots = packageNames.map((name) => join(debianCache(), CURRENT, name));
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

/** The path in the cache that matches a pattern and was used last: with it, tests run even if no mirror answers. */
export function lastUsed(pattern: string): string | undefined {
  const cache = debianCache();
  const paths = globSync(pattern, { cwd: cache });
  return paths.sort((one, other) => usedAt(join(cache, one)) - usedAt(join(cache, other))).at(-1);
}

/** When it was last made, renamed or touched; what dpkg unpacks has the package's own times otherwise. */
const usedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Date.now();

/** Gives what has been made its place in the cache, unless another process was faster. */
export function keep(made: string, path: string): void {
  try {
    renameSync(made, path);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Removes what no run has used for a long time: another one may be using everything else. */
export function removeUnused(): void {
  const cache = debianCache();
  for (const name of readdirSync(cache).filter((name) => usedAt(join(cache, name)) < Date.now() - KEPT_MS)) {
    // Half of it must not be found under its name. Another run may be removing it too.
    const removed = mkdtempSync(join(cache, "removing-"));
    spawnSync("mv", [join(cache, name), removed]);
    removeTree(removed);
  }
}

/** Ten times as fast as rmSync, which takes minutes for as many files as a whole Debian has. */
export const removeTree = (folder: string) => spawnSync("rm", ["-rf", "--one-file-system", folder]);

/** Differs when apt's lists do. */
function stateOfLists(): string {
  const files = globSync("/var/lib/apt/lists/*Release").sort();
  const state = files.map((file) => `${basename(file)} ${statSync(file).mtimeMs}`).join("\n");
  return createHash("sha256").update(state).digest("hex").slice(0, 16);
}

/** The folder of an unpacked package. */
function unpacked(packageName: string): string | undefined {
  const links = join(debianCache(), CURRENT);
  const folder = join(links, packageName);
  if (!existsSync(folder)) {
    const version = candidate(packageName);
    const kept = `${packageName}_${version?.replace(":", "_")}`;
    const isKept = version && existsSync(join(debianCache(), kept));
    const found = isKept ? kept : (unpack(packageName) ?? lastUsed(`${packageName}_*`));
    if (found) link(join("..", found), folder);
  }
  if (existsSync(folder)) {
    for (const used of [links, folder]) touch(used);
    return folder;
  }
  if (process.env["CI"]) throw new Error(`The Debian package ${packageName} can't be had here, and CI is set.`);
  console.log(`The Debian package ${packageName} can't be had here: its tests are skipped.`);
  return undefined;
}

/** The version that apt would install; undefined where it has no list of it. */
function candidate(packageName: string): string | undefined {
  const env = { ...process.env, LC_ALL: "C" };
  const { stdout } = spawnSync("apt-cache", ["policy", packageName], { encoding: "utf8", env });
  return /^ {2}Candidate: (\d\S*)$/m.exec(stdout ?? "")?.[1];
}

/** Another process may be making the same link. */
function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, `${path}.${process.pid}`);
  renameSync(`${path}.${process.pid}`, path);
}

/** Unpacks a package together with those that it depends on and this machine lacks. Returns the name of the folder. */
function unpack(packageName: string): string | undefined {
  const folder = mkdtempSync(join(debianCache(), "unpacking-"));
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 300_000 });
  try {
    // A simulation has a line such as "Inst varnish (7.1.1-2 …)" for each package that is missing.
    const plan = run("apt-get", "install", "--simulate", "--no-install-recommends", packageName);
    const names = new Set([packageName, ...(plan.stdout?.match(/(?<=^Inst )\S+/gm) ?? [])]);
    // Without a sandbox of its own: apt's user can't write to this folder.
    const download = () => run("apt-get", "-o", "APT::Sandbox::User=", "download", ...names).status === 0;
    // A list that is missing or old names packages that the mirror doesn't have; only root can renew it.
    if (!download() && !(run("apt-get", "update", "-q").status === 0 && download())) return undefined;
    const root = join(folder, "root");
    const packages = readdirSync(folder).filter((name) => name.endsWith(".deb"));
    if (packages.some((name) => run("dpkg", "-x", name, root).status !== 0)) return undefined;
    // Such as varnish_7.1.1-2_amd64.deb. A version may have an epoch, 1%3a7.1; a path in PATH no colon.
    const own = packages.find((name) => name.startsWith(`${packageName}_`)) ?? "";
    const unpacked = own.slice(0, own.lastIndexOf("_")).replace("%3a", "_");
    keep(root, join(debianCache(), unpacked));
    removeUnused();
    return unpacked;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
