import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, statSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { COMMAND, type Db, openDatabase } from "../../platform/database/pool.ts";
import { SERVER_PATH } from "../../platform/server-path.ts";
import { dumpDatabase } from "./dump.ts";
import { RestoreError } from "./load.ts";

/** In a backup's folder: the server's files as mariadb-backup copies them, and what a restore must know of them. */
const FILES = "mariadb";
const FACTS = "mariadb.json";

interface Facts {
  /** The name of the shop's database. */
  database: string;
  /** RFC 3339: the files have everything until then. */
  copied_until: string;
}

/**
 * Copies the files of the MariaDB server that `db` leads to, which goes on meanwhile, into `folder`. Together with the
 * binary log since then, any later moment can be restored. Throws an Error that says what is missing.
 */
export async function copyServer(db: Db, folder: string): Promise<void> {
  const { rows } = await sql<{ version: string; has_log: number; data: string; socket: string; name: string }>`
    select version() as version, @@log_bin as has_log, @@datadir as data, @@socket as socket, database() as name
  `.execute(db);
  const { version = "", has_log = 0, data = "", socket = "", name = "" } = rows[0] ?? {};
  if (!version.includes("MariaDB")) throw new Error("--point-in-time needs MariaDB: leave it out to write a dump.");
  if (!has_log) throw new Error("The server keeps no binary log: write log_bin and sync_binlog=1 into its [mariadbd].");
  const target = `--target-dir=${join(folder, FILES)}`;
  runProgram("mariadb-backup", ["--backup", target, `--datadir=${data}`, `--socket=${socket}`, "--user=root"]);
  const copiedUntil = new Date().toISOString();
  runProgram("mariadb-backup", ["--prepare", target]);
  const facts: Facts = { database: name, copied_until: copiedUntil };
  await writeFile(join(folder, FACTS), JSON.stringify(facts), { mode: 0o600 });
}

/** Whether a backup's folder has a server's files; otherwise it has a dump. */
export const hasServerFiles = (folder: string): boolean => existsSync(join(folder, FILES));

export interface Moment {
  /** The folder with the server's binary log. */
  binlogs: string;
  /** A time in RFC 3339, whole seconds in UTC, or `file:position`; undefined: the log's end. */
  until: string | undefined;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const POSITION = /^(?<file>[^/:]+\.\d+):(?<at>\d+)$/;

export const isMoment = (until: string): boolean => TIME.test(until) || POSITION.test(until);

/**
 * Starts a private server on a copy of a backup's files in the folder `scratch`, has it do what the binary log tells it
 * until the moment, and writes its database as a dump to `file`. Throws RestoreError when the log doesn't reach.
 */
export async function dumpMoment(
  folder: string,
  { binlogs, until }: Moment,
  { scratch, file, signal }: { scratch: string; file: string; signal: AbortSignal },
): Promise<void> {
  const replay = join(scratch, "replay.sql");
  const { database, copied_until }: Facts = JSON.parse(await readFile(join(folder, FACTS), "utf8"));
  if (until && Date.parse(until) < Date.parse(copied_until))
    throw new RestoreError(`This backup has the state of ${copied_until}: restore an earlier one.`);
  const options = readBinlogOptions(await readStart(folder), binlogs, until);
  runProgram("mariadb-binlog", ["--no-defaults", ...options, `--result-file=${replay}`]);
  signal.throwIfAborted();
  const data = join(scratch, "data");
  await cp(join(folder, FILES), data, { recursive: true });
  const server = await startServer(data, scratch);
  const address = { host: "localhost", port: 3306, user: USER, password: "", database, socketPath: server.socket };
  const db = openDatabase(address, { timeouts: COMMAND });
  try {
    await server.untilReady(() => sql`do 0`.execute(db));
    signal.throwIfAborted();
    const login = [`--user=${USER}`, `--socket=${server.socket}`];
    runProgram("mariadb", ["--no-defaults", "--binary-mode", ...login], { inputFile: replay });
    signal.throwIfAborted();
    await dumpDatabase(db, file, until ?? "the end of the binary log");
  } finally {
    await db.destroy();
    await server.kill();
  }
}

interface Position {
  file: string;
  at: string;
}

/** Where the binary log was when the files were copied. */
async function readStart(folder: string): Promise<Position> {
  const [file = "", at = ""] = (await readFile(join(folder, FILES, "xtrabackup_binlog_info"), "utf8")).split("\t");
  return { file, at };
}

/** What mariadb-binlog is to read: from the backup's position, in every file that followed. */
function readBinlogOptions(start: Position, folder: string, until: string | undefined): string[] {
  const { file: last, at: stop } = POSITION.exec(until ?? "")?.groups ?? {};
  const numberOf = (name: string) => Number(name.split(".").at(-1));
  const first = numberOf(start.file);
  if (last && stop && (numberOf(last) < first || (last === start.file && Number(stop) < Number(start.at))))
    throw new RestoreError(`This backup has the state of ${start.file}:${start.at}: restore an earlier one.`);
  const base = start.file.slice(0, start.file.lastIndexOf("."));
  const files = readdirSync(folder)
    .filter(
      (name) => name.startsWith(`${base}.`) && numberOf(name) >= first && !(last && numberOf(name) > numberOf(last)),
    )
    .sort((a, b) => numberOf(a) - numberOf(b));
  const isWhole = files[0] === start.file && numberOf(files.at(-1) ?? "") === first + files.length - 1;
  const reachesEnd = !last || (files.at(-1) === last && statSync(join(folder, last)).size >= Number(stop));
  if (!isWhole || !reachesEnd)
    throw new RestoreError(
      `The binary log in ${folder} isn't complete: it needs all of it from ${start.file} to ${until ?? "its end"}.`,
    );
  const end = stop
    ? [`--stop-position=${stop}`]
    : until
      ? [`--stop-datetime=${until.slice(0, 19).replace("T", " ")}`]
      : [];
  return [`--start-position=${start.at}`, ...end, ...files.map((name) => join(folder, name))];
}

/** Of the private server, which has the accounts of the copied one; the binary log may change those. */
const USER = "twinfront_restore";

/** Nobody but us can reach it: it has a Unix socket in our own folder, and no port. */
async function startServer(data: string, scratch: string) {
  const socket = join(scratch, "socket");
  const account = join(scratch, "account.sql");
  const name = `${USER}@localhost`;
  await writeFile(account, `create or replace user ${name};\ngrant all on *.* to ${name} with grant option;\n`);
  const logFile = join(scratch, "server.log");
  const log = openSync(logFile, "a");
  const child = spawn(
    "setpriv",
    [
      ...["--pdeathsig", "KILL", "--", "mariadbd", `--defaults-file=${join(data, "backup-my.cnf")}`],
      ...[`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${join(scratch, "pid")}`, `--tmpdir=${scratch}`],
      ...["--skip-networking", "--skip-log-bin", "--skip-slave-start", `--init-file=${account}`],
      ...(process.getuid?.() === 0 ? ["--user=root"] : []),
    ],
    { env: PROGRAM_ENV, stdio: ["ignore", log, log] },
  );
  const ended = once(child, "close");
  return {
    socket,
    async untilReady(ask: () => Promise<unknown>): Promise<void> {
      for (;;) {
        const failed = await ask().then(
          () => false,
          () => true,
        );
        if (!failed) return;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`mariadbd didn't start:\n${(await readFile(logFile, "utf8")).slice(-2_000)}`);
        await sleep(100);
      }
    },
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** An ordinary user's own PATH leaves out the servers' folder; mariadb-binlog reads times as of the zone. */
const PROGRAM_ENV = { ...process.env, PATH: SERVER_PATH, TZ: "UTC" };

/** Runs a program of MariaDB to its end. It ends with this process, even if that is killed. */
function runProgram(name: string, args: readonly string[], { inputFile = "/dev/null" } = {}): void {
  const input = openSync(inputFile, "r");
  const { status, stderr } = spawnSync("setpriv", ["--pdeathsig", "TERM", "--", name, ...args], {
    env: PROGRAM_ENV,
    encoding: "utf8",
    stdio: [input, "ignore", "pipe"],
    maxBuffer: 100_000_000,
  });
  closeSync(input);
  if (status === 0) return;
  // As setpriv says it.
  if (status === 127) throw new Error(`${name} is missing: apt-get install mariadb-server mariadb-backup`);
  throw new Error(`${name} failed:\n${stderr.trim().slice(-2_000)}`);
}
