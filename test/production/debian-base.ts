import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEBIAN_CACHE, debianEnvironment, debianProgram } from "../debian-program.ts";

const BASE = join(DEBIAN_CACHE, "bookworm");
/** Packages that an earlier run has downloaded. */
export const PACKAGE_CACHE = join(DEBIAN_CACHE, "bookworm-packages");

/** Whether this process may change its root and mount, which takes root and a kernel that lets it. */
const canMount = spawnSync("unshare", ["--mount", "--pid", "--net", "--fork", "true"]).status === 0;

/**
 * A folder with a bare Debian 12 as debootstrap makes it, from this machine's own mirror; made once and kept for the next
 * run. Undefined, with the reason printed, where that can't be.
 */
export function debianBase(): string | undefined {
  if (!canMount) {
    console.log("This process may not mount or change its root: tests of a bare Debian are skipped.");
    return undefined;
  }
  if (existsSync(BASE)) return BASE;
  const debootstrap = debianProgram("debootstrap", "usr/sbin/debootstrap");
  if (!debootstrap) return undefined;
  mkdirSync(PACKAGE_CACHE, { recursive: true });
  const unfinished = `${BASE}.${process.pid}`;
  const { status, stdout } = spawnSync(
    debootstrap,
    ["--variant=minbase", `--cache-dir=${PACKAGE_CACHE}`, "bookworm", unfinished, mirror()],
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
  // What is lost with the power doesn't matter here, and packages unpack in half the time.
  writeFileSync(join(unfinished, "etc/dpkg/dpkg.cfg.d/unsafe-io"), "force-unsafe-io\n");
  writeFileSync(join(unfinished, "etc/hosts"), "127.0.0.1 localhost\n");
  renameSync(unfinished, BASE);
  return BASE;
}

/** Copies the base, with its devices and owners. The caller removes the copy. */
export function copyBase(base: string, copy: string): void {
  const { status, stderr } = spawnSync("cp", ["-a", base, copy], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(join(copy, "etc/resolv.conf"), readFileSync("/etc/resolv.conf"));
}

function mirror(): string {
  const wanted = ["Created-By: Packages", "Codename: bookworm", "Component: main"];
  const { stdout } = spawnSync("apt-get", ["indextargets", "--format", "$(REPO_URI)", ...wanted], { encoding: "utf8" });
  return stdout.split("\n")[0] || "http://deb.debian.org/debian";
}
