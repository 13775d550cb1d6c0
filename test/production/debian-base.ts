import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  debianCache,
  debianEnvironment,
  debianProgram,
  keep,
  lastUsed,
  removeTree,
  removeUnused,
} from "../debian-program.ts";
import { touch } from "../kept-folder.ts";

const SUITE = "bookworm";

/** A bare Debian 12, and the packages that it and machines made from it have downloaded. */
export interface DebianBase {
  root: string;
  packages: string;
}

/** Whether this process may change its root, mount, and have control groups of its own: root, where the kernel lets it. */
const canMount =
  spawnSync("unshare", ["--mount", "--pid", "--net", "--fork", "mount", "-t", "cgroup2", "none", "/sys/fs/cgroup"])
    .status === 0;

/**
 * A bare Debian 12 with these further packages, as debootstrap makes it from this machine's own mirror. It is kept for later
 * runs until the mirror has another release of Debian 12, and used if the mirror doesn't answer. Where it can't be had,
 * undefined with the reason printed; but an error where CI is set.
 */
export function debianBase(...further: readonly string[]): DebianBase | undefined {
  if (!canMount) return unavailable("This process may not mount or change its root");
  const debootstrap = debianProgram("debootstrap", "usr/sbin/debootstrap");
  if (!debootstrap) return undefined;
  const name = ["base", ...further].join("+");
  const release = currentRelease();
  const path = release ? join(release, name) : lastUsed(`${SUITE}-*/${name}`);
  if (!path) return unavailable(`The mirror of Debian ${SUITE} doesn't answer`);
  const root = join(debianCache(), path);
  const base = { root, packages: join(dirname(root), "packages") };
  if (!existsSync(root)) make(base, further, debootstrap);
  for (const used of [dirname(root), root]) touch(used);
  return base;
}

function make({ root, packages }: DebianBase, further: readonly string[], debootstrap: string): void {
  mkdirSync(join(packages, "partial"), { recursive: true });
  const unfinished = mkdtempSync(`${root}.unfinished-`);
  const include = further.length > 0 ? [`--include=${further.join(",")}`] : [];
  try {
    // What it mounts goes with it, even if it's killed.
    const { status, stdout } = spawnSync(
      "unshare",
      ["--mount", debootstrap, "--variant=minbase", ...include, `--cache-dir=${packages}`, SUITE, unfinished, mirror()],
      {
        env: {
          ...process.env,
          ...debianEnvironment("debootstrap"),
          DEBOOTSTRAP_DIR: join(debootstrap, "../../share/debootstrap"),
        },
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new Error(`debootstrap failed: ${stdout}`);
    // They are in `packages`.
    for (const file of globSync(join(unfinished, "var/cache/apt/archives/*.deb"))) rmSync(file);
    // What is lost with the power doesn't matter here, and packages unpack in half the time.
    writeFileSync(join(unfinished, "etc/dpkg/dpkg.cfg.d/unsafe-io"), "force-unsafe-io\n");
    writeFileSync(join(unfinished, "etc/hosts"), "127.0.0.1 localhost\n");
    spawnSync("chmod", ["755", unfinished]);
    keep(unfinished, root);
    removeUnused();
  } finally {
    if (existsSync(unfinished)) removeTree(unfinished);
  }
}

/** Copies the base, with its devices and owners. The caller removes the copy. */
export function copyBase(base: DebianBase, copy: string): void {
  const { status, stderr } = spawnSync("cp", ["-a", base.root, copy], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(join(copy, "etc/resolv.conf"), readFileSync("/etc/resolv.conf"));
}

/** Such as bookworm-2026-01-10: the day of the mirror's newest point release. */
function currentRelease(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-release-"));
  try {
    // apt's own helper knows the proxies of its configuration.
    const file = join(folder, "InRelease");
    const from = `${mirror()}/dists/${SUITE}/InRelease`;
    const options = ["-o", "APT::Sandbox::User=", "-o", "Acquire::http::Timeout=30", "-o", "Acquire::Retries=2"];
    spawnSync("/usr/lib/apt/apt-helper", [...options, "download-file", from, file], { timeout: 120_000 });
    const [, date = ""] = existsSync(file) ? (/^Date: (.+)$/m.exec(readFileSync(file, "utf8")) ?? []) : [];
    return date ? `${SUITE}-${new Date(date).toISOString().slice(0, 10)}` : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mirror(): string {
  const wanted = ["Created-By: Packages", `Codename: ${SUITE}`, "Component: main"];
  const { stdout } = spawnSync("apt-get", ["indextargets", "--format", "$(REPO_URI)", ...wanted], { encoding: "utf8" });
  return (stdout.split("\n")[0] || "http://deb.debian.org/debian").replace(/\/$/, "");
}

function unavailable(reason: string): undefined {
  if (process.env["CI"]) throw new Error(`${reason}, and CI is set.`);
  console.log(`${reason}: tests of a bare Debian are skipped.`);
  return undefined;
}
