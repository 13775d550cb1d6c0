import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hasProgram, StartError } from "../programs.ts";

const NGINX_MODULES = "/usr/lib/nginx/modules";
const POLICY = "/usr/sbin/policy-rc.d";
const POLICY_BACKUP = `${POLICY}.before-twinfront`;
const OUR_POLICY = "#!/bin/sh\n# Twinfront: nothing that is being installed starts a service.\nexit 101\n";

/** Debian packages, each with a check for the files that we need from it. */
const NEEDED: Readonly<Record<string, () => boolean>> = {
  nginx: () => hasProgram("nginx"),
  "libnginx-mod-http-js": () => existsSync(`${NGINX_MODULES}/ngx_http_js_module.so`),
  "libnginx-mod-http-brotli-static": () => existsSync(`${NGINX_MODULES}/ngx_http_brotli_static_module.so`),
  "mariadb-server-core": () => hasProgram("mariadbd") && hasProgram("mariadb-install-db"),
  "mariadb-client-core": () => hasProgram("my_print_defaults"),
};

/** Chromium without a window, for the browser tests: a page in it takes half of the time that it takes in `chromium`. */
export const CHROMIUM = "chromium-headless-shell";

/**
 * Installs missing system packages with apt-get if run by root: those that the shop needs, and `programs`, each of which is the only
 * one that is needed of the package with its name. Returns the names of those it installed.
 * Throws StartError with the command to run if it isn't root or if apt-get fails.
 */
export function ensureSystemPackages(programs: readonly string[] = []): string[] {
  if (process.getuid?.() === 0) restorePolicy();
  const packages = Object.keys(NEEDED).filter((name) => !NEEDED[name]?.());
  const missing = [...packages, ...programs.filter((name) => !hasProgram(name))];
  if (missing.length === 0) return [];
  const install = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  if (!hasProgram("apt-get")) {
    throw new StartError(
      `These Debian packages, or what they contain, are missing: ${missing.join(", ")}. apt-get isn't available: install them with your system's package manager.`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new StartError(`System packages are missing. Install them, then try again:\n\n  sudo ${install}`);
  }
  console.log(`  packages   Installing ${missing.join(", ")} …`);
  withoutServiceStarts(() => {
    runApt(["update", "-q"], install);
    runApt(["install", "-y", "-q", "--no-install-recommends", ...missing], install);
  });
  if (missing.includes("nginx")) keepOffAtBoot("nginx");
  return missing;
}

/**
 * Runs apt-get with its output in the terminal, because an unreachable mirror is only a warning of `update` and then the
 * reason why `install` fails. `install` is the command that a person can run instead. Throws StartError if apt-get fails.
 */
export function runApt(args: string[], install: string): void {
  const { status, error } = spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=120", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status === 0) return;
  throw new StartError(
    `System packages could not be installed: \`apt-get ${args[0]}\` failed (${error?.message ?? `exit ${status}`}); its reason is above. Check that this machine reaches its Debian mirrors (/etc/apt/), or run this yourself, then try again:\n\n  apt-get update && ${install}`,
  );
}

/** Debian starts services as it installs them unless policy-rc.d exits with 101 (invoke-rc.d(8)). */
function withoutServiceStarts(install: () => void): void {
  if (existsSync(POLICY)) renameSync(POLICY, POLICY_BACKUP);
  try {
    writeFileSync(POLICY, OUR_POLICY);
    chmodSync(POLICY, 0o755);
    install();
  } finally {
    restorePolicy();
  }
}

/** Puts the machine's own policy back, even after a run that was killed. */
function restorePolicy(): void {
  if (existsSync(POLICY) && readFileSync(POLICY, "utf8") === OUR_POLICY) rmSync(POLICY);
  if (existsSync(POLICY_BACKUP)) renameSync(POLICY_BACKUP, POLICY);
}

/** The package also enables its service at boot. */
function keepOffAtBoot(service: string): void {
  spawnSync("update-rc.d", [service, "disable"]);
}
