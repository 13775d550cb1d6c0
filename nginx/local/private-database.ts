import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { StartError } from "../programs.ts";
import { type RunningChild, runToEnd, startChild, waitUntilReady } from "./child-process.ts";

export interface PrivateDatabaseAddress {
  /** Its Unix socket. It doesn't listen on TCP. */
  socketPath: string;
  /** DATABASE_URL of the shop's database. */
  url: string;
}

/** The address of the private database in a runtime folder. */
export function privateDatabaseAddress(runtime: string): PrivateDatabaseAddress {
  const socketPath = join(runtime, "db.sock");
  return { socketPath, url: `mysql://root@localhost/twinfront?socketPath=${encodeURIComponent(socketPath)}` };
}

// The default is 96 MB.
const REDO_LOG_SIZE = "--innodb-log-file-size=16M";

// mariadbd refuses to run as root without it. Its root account has no password; only our user can enter the socket's folder.
const AS_ROOT = process.getuid?.() === 0 ? ["--user=root"] : [];

/**
 * Starts a MariaDB server with its data in `runtime/data/mariadb`, created at the first start, and more `options`.
 * Returns once it answers. Throws StartError if it doesn't.
 */
export async function startPrivateDatabase(runtime: string, options: readonly string[] = []): Promise<RunningChild> {
  const data = join(runtime, "data", "mariadb");
  if (!existsSync(data)) await initialise(data);
  const { socketPath } = privateDatabaseAddress(runtime);
  const createDatabase = join(runtime, "create-database.sql");
  writeFileSync(createDatabase, "CREATE DATABASE IF NOT EXISTS twinfront CHARACTER SET utf8mb4;\n");
  const temporary = join(runtime, "db-tmp");
  mkdirSync(temporary, { recursive: true });
  const logFile = join(runtime, "logs", "database.log");
  const child = startChild({
    name: "database",
    program: "mariadbd",
    args: [
      "--no-defaults",
      `--datadir=${data}`,
      `--socket=${socketPath}`,
      `--pid-file=${join(runtime, "db.pid")}`,
      `--init-file=${createDatabase}`,
      // A starting server deletes other servers' temporary tables from a shared folder.
      `--tmpdir=${temporary}`,
      "--skip-networking",
      "--skip-log-bin",
      REDO_LOG_SIZE,
      "--character-set-server=utf8mb4",
      "--default-time-zone=+00:00",
      ...AS_ROOT,
      ...options,
    ],
    logFile,
  });
  try {
    await waitUntilReady(child, logFile, () => acceptsConnections(socketPath));
  } catch (error) {
    if (error instanceof StartError)
      error.message += `\n\nTo start with an empty database, remove ${realpathSync(data)}.`;
    throw error;
  }
  return child;
}

/** Atomic: initialises in another folder and renames it, so `data` is complete or missing. */
async function initialise(data: string): Promise<void> {
  const unfinished = `${data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  await runToEnd("Creating the private database", "mariadb-install-db", [
    "--no-defaults",
    `--datadir=${unfinished}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    `--tmpdir=${dirname(data)}`,
    REDO_LOG_SIZE,
    ...AS_ROOT,
  ]);
  renameSync(unfinished, data);
}

/** Whether a server is ready for connections at a Unix socket. */
export function acceptsConnections(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    // The server sends the first bytes of the protocol once it is ready.
    socket.once("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
    socket.once("end", () => resolve(false));
  });
}
