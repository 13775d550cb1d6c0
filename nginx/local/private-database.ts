import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { StartError } from "../programs.ts";
import { type RunningChild, runToEnd, startChild, waitUntilReady } from "./child-process.ts";

export interface PrivateDatabaseAddress {
  /** Its Unix socket: the only way in. */
  socketPath: string;
  /** DATABASE_URL of the shop's database in it. */
  url: string;
}

/** Where the private database of a runtime folder answers. */
export function privateDatabaseAddress(runtime: string): PrivateDatabaseAddress {
  const socketPath = join(runtime, "db.sock");
  return { socketPath, url: `mysql://root@localhost/twinfront?socketPath=${encodeURIComponent(socketPath)}` };
}

// 96 MB by default; a demo shop writes little.
const REDO_LOG_SIZE = "--innodb-log-file-size=16M";

// The server leaves root's account to the socket, and the socket lies in a folder that only its owner may enter.
const AS_ROOT = process.getuid?.() === 0 ? ["--user=root"] : [];

/**
 * Starts a MariaDB server whose data lies in `runtime/data/mariadb`, made at the first start.
 * Returns when it answers. Throws StartError when it does not.
 */
export async function startPrivateDatabase(runtime: string): Promise<RunningChild> {
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
      // A server that starts deletes the temporary tables of every other one that shares its folder for them.
      `--tmpdir=${temporary}`,
      "--skip-networking",
      "--skip-log-bin",
      REDO_LOG_SIZE,
      "--character-set-server=utf8mb4",
      "--default-time-zone=+00:00",
      ...AS_ROOT,
    ],
    logFile,
  });
  try {
    await waitUntilReady(child, logFile, () => accepts(socketPath));
  } catch (error) {
    if (error instanceof StartError)
      error.message += `\n\nTo begin anew with an empty database, remove ${realpathSync(data)}.`;
    throw error;
  }
  return child;
}

/** Into a folder of its own first: an interrupted initialisation is never taken for a database. */
async function initialise(data: string): Promise<void> {
  const unfinished = `${data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  await runToEnd("Making the private database", "mariadb-install-db", [
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

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    // The server speaks first; before that it is still starting.
    socket.once("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
    socket.once("end", () => resolve(false));
  });
}
