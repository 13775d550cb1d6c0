import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningChild, runToEnd, startChild, waitUntilReady } from "../nginx/local/child-process.ts";
import { acceptsConnections, privateDatabaseAddress } from "../nginx/local/private-database.ts";
import { StartError } from "../nginx/programs.ts";
import { debianCache, keep, lastUsed, removeUnused } from "./debian-program.ts";
import { touch } from "./kept-folder.ts";

const PACKAGE = "mysql-server-core";

/**
 * The folder of an unpacked MySQL of Debian's sid, the only release that has one, with all libraries of sid that it needs
 * and an initialised data folder. It stays for the next run. Undefined, with the reason printed, where there is no apt or
 * no mirror of Debian answers; but an error where CI is set, whose green must mean that all tests ran.
 */
export async function findMysql(): Promise<string | undefined> {
  const kept = lastUsed(`${PACKAGE}_*`);
  if (kept !== undefined) {
    const folder = join(debianCache(), kept);
    touch(folder);
    return folder;
  }
  try {
    return await fetchMysql();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const reason = `Debian's ${PACKAGE} of sid can't be had here`;
    if (process.env["CI"]) throw new Error(`${reason}, and CI is set. ${error.message}`);
    console.log(`${reason}: the tests on MySQL are skipped. ${error.message}`);
    return undefined;
  }
}

async function fetchMysql(): Promise<string> {
  const folder = mkdtempSync(join(debianCache(), "unpacking-"));
  try {
    const root = join(folder, "root");
    const version = await unpackFromSid(folder, root);
    await initialise(root);
    const place = join(debianCache(), `${PACKAGE}_${version}`);
    keep(root, place);
    removeUnused();
    return place;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks the package and its libraries into `root`, and returns its version. `folder` is for apt's own files. */
async function unpackFromSid(folder: string, root: string): Promise<string> {
  const run = async (what: string, program: string, ...args: string[]) =>
    (await runToEnd(what, program, args, { cwd: folder, timeoutMs: 300_000 })).stdout;
  // Of this machine, only the mirror's address and Debian's keys are used: apt knows nothing else of sid afterwards.
  const targets = ["indextargets", "--format=$(REPO_URI)", "Created-By: Packages"];
  const mirrors = await run("Asking apt for its mirrors", "apt-get", ...targets);
  const mirror = mirrors.split("\n").find((address) => /\/debian\/?$/.test(address));
  if (mirror === undefined) throw new StartError("apt has no mirror of Debian.");
  for (const name of ["lists/partial", "archives/partial"]) mkdirSync(join(folder, name), { recursive: true });
  const keys = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(join(folder, "sid.list"), `deb [${keys}] ${mirror} sid main\n`);
  writeFileSync(join(folder, "status"), "");
  const options = {
    "Dir::Etc::sourcelist": join(folder, "sid.list"),
    "Dir::Etc::sourceparts": "/dev/null",
    "Dir::State": folder,
    "Dir::State::status": join(folder, "status"),
    "Dir::Cache": folder,
    // apt's user can't write to this folder.
    "APT::Sandbox::User": "",
  };
  const settings = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  await run("Reading sid's lists", "apt-get", ...settings, "update", "-q", "--error-on=any");
  const install = ["install", "--simulate", "--no-install-recommends", PACKAGE];
  const plan = await run("Asking apt for MySQL's libraries", "apt-get", ...settings, ...install);
  // A line such as "Inst libaio1t64 (0.3.113-10 …)" for each package, as none is installed. Only its scripts need Perl.
  const packages = [...plan.matchAll(/^Inst (\S+) \((\S+)/gm)].filter(([, name]) => !name?.includes("perl"));
  const names = packages.map(([, name = ""]) => name);
  await run("Downloading MySQL", "apt-get", ...settings, "download", "-q", ...names);
  for (const file of globSync("*.deb", { cwd: folder })) await run(`Unpacking ${file}`, "dpkg", "-x", file, root);
  return packages.find(([, name]) => name === PACKAGE)?.[2] ?? "";
}

// mysqld refuses to run as root without it.
const AS_ROOT = process.getuid?.() === 0 ? ["--user=root"] : [];

/** The command that runs an unpacked mysqld: its libraries are newer than this machine's, so is the loader they need. */
function mysqld(root: string): { program: string; args: string[] } {
  const [loader = ""] = globSync(join(root, "usr/lib/*-linux-gnu/ld-linux-*.so.*"));
  return {
    program: loader,
    args: [
      ...["--library-path", join(loader, ".."), join(root, "usr/sbin/mysqld")],
      "--no-defaults",
      "--secure-file-priv=",
      `--lc-messages-dir=${join(root, "usr/share/mysql")}`,
      `--plugin-dir=${join(root, "usr/lib/mysql/plugin")}`,
      // Without TLS unless `options` name a certificate, as Debian's MariaDB.
      "--auto-generate-certs=OFF",
      // The default is 100 MB, to be copied for each server.
      "--innodb-redo-log-capacity=64M",
      ...AS_ROOT,
    ],
  };
}

async function initialise(root: string): Promise<void> {
  const { program, args } = mysqld(root);
  const data = join(root, "data");
  await runToEnd("Creating MySQL's data", program, [...args, "--initialize-insecure", `--datadir=${data}`]);
}

/**
 * Starts findMysql()'s server with its data in `runtime/data/mysql` and more `options`, as startPrivateDatabase() does it
 * with MariaDB, at the same address.
 */
export async function startMysql(
  root: string,
  runtime: string,
  options: readonly string[] = [],
): Promise<RunningChild> {
  const data = join(runtime, "data", "mysql");
  if (!existsSync(data)) cpSync(join(root, "data"), data, { recursive: true });
  const { socketPath } = privateDatabaseAddress(runtime);
  const createDatabase = join(runtime, "create-database.sql");
  writeFileSync(createDatabase, "CREATE DATABASE IF NOT EXISTS twinfront CHARACTER SET utf8mb4;\n");
  const temporary = join(runtime, "db-tmp");
  mkdirSync(temporary, { recursive: true });
  const logFile = join(runtime, "logs", "database.log");
  const { program, args } = mysqld(root);
  const child = startChild({
    name: "database",
    program,
    args: [
      ...args,
      `--datadir=${data}`,
      `--socket=${socketPath}`,
      `--pid-file=${join(runtime, "db.pid")}`,
      `--init-file=${createDatabase}`,
      `--tmpdir=${temporary}`,
      "--skip-networking",
      "--skip-log-bin",
      "--mysqlx=OFF",
      ...options,
    ],
    logFile,
  });
  await waitUntilReady(child, logFile, () => acceptsConnections(socketPath));
  return child;
}
