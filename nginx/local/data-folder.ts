import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
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
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../programs.ts";

/** In DATA_DIR: names the runtime folder of the shop that runs, or ran, from there. */
const RUNTIME_NOTE = "runtime-folder";

export interface DataFolder {
  /** DATA_DIR: what stays. */
  path: string;
  /** Short folder under the system's temporary one, for sockets and rendered configuration; removed at the end. */
  runtime: string;
}

/** A log longer than this is set aside at the next start, in place of the one before it. */
const MAX_LOG_BYTES = 10_000_000;

/** Makes DATA_DIR, readable by its owner alone. Returns its real path. Throws StartError where it cannot be used. */
export async function makeDataFolder(path: string): Promise<string> {
  try {
    await mkdir(join(path, "logs"), { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
    return await realpath(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    throw new StartError(`DATA_DIR=${path} cannot be used (${reason}). Set it to a folder that you may write to.`);
  }
}

/**
 * Makes the runtime folder, whose links `data` and `logs` lead into DATA_DIR: programs get paths without any odd
 * character of the project's own, and short enough for a socket (108 bytes, unix(7)). `path` is locked and real.
 */
export function openDataFolder(path: string): DataFolder {
  removeLeftovers(path);
  const runtime = mkdtempSync(join(tmpdir(), "twinfront-"));
  writeFileSync(join(path, RUNTIME_NOTE), runtime);
  symlinkSync(path, join(runtime, "data"));
  symlinkSync(join(path, "logs"), join(runtime, "logs"));
  for (const name of readdirSync(join(path, "logs"))) {
    const log = join(path, "logs", name);
    if (statSync(log).size > MAX_LOG_BYTES) renameSync(log, `${log}.before`);
  }
  return { path, runtime };
}

/** Removes the runtime folder; DATA_DIR stays. */
export function closeDataFolder({ path, runtime }: DataFolder): void {
  rmSync(runtime, { recursive: true, force: true });
  rmSync(join(path, RUNTIME_NOTE), { force: true });
}

/** What a killed run has left. The note may have been copied along with a folder: only what leads back here is ours. */
function removeLeftovers(path: string): void {
  try {
    const left = readFileSync(join(path, RUNTIME_NOTE), "utf8");
    if (readlinkSync(join(left, "data")) === path) rmSync(left, { recursive: true });
  } catch {
    // There is no note, or what it names is gone.
  }
}

/**
 * Holds DATA_DIR for this process. The kernel lets go of an abstract socket (unix(7)) when its process dies, however it
 * dies, so there is no stale lock. Throws StartError naming the process that holds it already.
 */
export async function lockDataFolder(path: string, url: string): Promise<Server> {
  const address = `\0twinfront-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
  const server = createServer((socket) => socket.end(`process ${process.pid}, ${url}`));
  server.listen(address);
  try {
    await once(server, "listening");
  } catch {
    const holder = connect(address);
    const answer = await holder.toArray().catch(() => []);
    throw new StartError(
      `A shop is already running from ${path} (${Buffer.concat(answer)}).\nStop that one, or give this one a folder and a port: DATA_DIR=.data-2 PORT=8081 npm start`,
    );
  }
  server.unref();
  return server;
}

/** The partner token of this installation: made once, kept in DATA_DIR. */
export function readOrCreateToken(path: string): string {
  const file = join(path, "erp-pull-api-token");
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, "utf8").trim();
}
