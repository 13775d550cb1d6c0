import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { access, constants, mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askHolder, takeLock } from "../../site/build/lock.ts";
import { StartError } from "../programs.ts";
import { dataDirOf, readEnvironment } from "../settings.ts";

/** File in DATA_DIR with the path of the current or last runtime folder. */
const RUNTIME_NOTE = "runtime-folder";

export interface DataFolder {
  /** DATA_DIR, which is kept. */
  path: string;
  /** Folder with a short path below the system's temporary one, for sockets and configuration; removed at the end. */
  runtime: string;
}

/** In the runtime folder: settings for commands beside the shop, none of them a secret. */
const SETTINGS = "settings.json";
/** Where the shop is. */
const ADDRESS = ["HOST", "PORT", "BASE_URL"];
/**
 * What is pushed of orders. Only commands that change orders get it: others would refuse it as incomplete, since the webhook's
 * secret isn't among these settings.
 */
const FOLLOW_UP = ["ERP_PUSH_WHEN", "ERP_PUSH_LATER"];

/** Where mails are kept in DATA_DIR unless they are sent. */
export const mailFolder = (dataDir: string): string => join(dataDir, "mails");

/** A longer log is renamed to `.before` at the next start. */
const MAX_LOG_BYTES = 10_000_000;

/** Creates DATA_DIR, readable by its owner only. Returns its real path. Throws StartError if it can't be written to. */
export async function makeDataFolder(path: string): Promise<string> {
  try {
    await mkdir(join(path, "logs"), { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
    return await realpath(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    throw new StartError(`DATA_DIR=${path} can't be used (${reason}). Set it to a folder that you can write to.`);
  }
}

/**
 * Creates the runtime folder, with links `data` and `logs` into DATA_DIR. Its paths contain no odd characters and are short
 * enough for a socket (108 bytes, unix(7)). `path` is the real path of DATA_DIR, locked by this process; `environment` are the
 * shop's settings.
 */
export function openDataFolder(path: string, environment: Record<string, string | undefined>): DataFolder {
  removeLeftovers(path);
  const runtime = mkdtempSync(join(tmpdir(), "twinfront-"));
  const told = Object.fromEntries([...ADDRESS, ...FOLLOW_UP].map((name) => [name, environment[name]]));
  writeFileSync(join(runtime, SETTINGS), JSON.stringify(told), { mode: 0o600 });
  writeFileSync(join(path, RUNTIME_NOTE), runtime);
  symlinkSync(path, join(runtime, "data"));
  symlinkSync(join(path, "logs"), join(runtime, "logs"));
  for (const name of readdirSync(join(path, "logs"))) {
    const log = join(path, "logs", name);
    if (statSync(log).size > MAX_LOG_BYTES) renameSync(log, `${log}.before`);
  }
  return { path, runtime };
}

/** Removes the runtime folder and keeps DATA_DIR. */
export function closeDataFolder({ path, runtime }: DataFolder): void {
  rmSync(runtime, { recursive: true, force: true });
  rmSync(join(path, RUNTIME_NOTE), { force: true });
}

/** The runtime folder of the shop that runs from DATA_DIR at `path`, or of one that was killed; undefined if none does. */
export function findRuntimeFolder(path: string): string | undefined {
  const note = join(path, RUNTIME_NOTE);
  return existsSync(note) ? readFileSync(note, "utf8") : undefined;
}

/**
 * The environment of a command that runs beside the shop in DATA_DIR: its address, and with `changesOrders` what it pushes, are as
 * that shop has them unless they are set. With DATABASE_URL it's another shop.
 */
export function readEnvironmentBesideShop({ changesOrders = false } = {}): Record<string, string | undefined> {
  const environment = readEnvironment();
  const runtime = environment["DATABASE_URL"] ? undefined : findRuntimeFolder(dataDirOf(environment));
  const file = join(runtime ?? "", SETTINGS);
  if (!runtime || !existsSync(file)) return environment;
  const told = Object.entries<string>(JSON.parse(readFileSync(file, "utf8")));
  const settings = told.filter(([name]) => changesOrders || !FOLLOW_UP.includes(name));
  return { ...Object.fromEntries(settings), ...environment };
}

/** Removes the runtime folder of a killed run. DATA_DIR may be a copy of another: only a folder that links back here is ours. */
function removeLeftovers(path: string): void {
  try {
    const left = readFileSync(join(path, RUNTIME_NOTE), "utf8");
    if (readlinkSync(join(left, "data")) === path) rmSync(left, { recursive: true });
  } catch {
    // No note, or its folder is gone.
  }
}

/** Locks DATA_DIR for this process. Throws StartError naming the process that holds the lock. */
export async function lockDataFolder(path: string, url: string): Promise<void> {
  const name = createHash("sha256").update(path).digest("hex").slice(0, 32);
  if (await takeLock(name, (socket) => socket.end(`process ${process.pid}, ${url}`))) return;
  throw new StartError(
    `A shop is already running from ${path} (${await askHolder(name)}).\nStop it, or start this one with its own folder and port: DATA_DIR=.data-2 PORT=8081 npm start`,
  );
}

/** Returns the partner token kept in DATA_DIR at `path`, generated at the first start. */
export function readOrCreateToken(path: string): string {
  const file = join(path, "erp-pull-api-token");
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, "utf8").trim();
}
