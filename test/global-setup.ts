import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Unix socket of the run's private MariaDB; its user root has no password. */
    mariadbSocket: string;
  }
}

/** One private MariaDB for the whole run, on a Unix socket in a folder of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-test-"));
  const server = await startMariadb(folder);
  project.provide("mariadbSocket", join(folder, "db.sock"));
  return async () => {
    await stopMariadb(server);
    await rm(folder, { recursive: true });
  };
}

const asRoot = process.getuid?.() === 0 ? ["--user=root"] : [];

/** Creates a data folder below `folder` unless it is there, and starts a server on `folder`/db.sock. */
export async function startMariadb(folder: string): Promise<ChildProcess> {
  const data = join(folder, "data");
  // A temporary folder of its own: a server that starts deletes the temporary tables of every other one in /tmp.
  const env = { ...process.env, TMPDIR: folder };
  const common = ["--no-defaults", `--datadir=${data}`, ...asRoot];
  if (!existsSync(data)) {
    const install = [...common, "--auth-root-authentication-method=normal", "--skip-test-db"];
    await promisify(execFile)("mariadb-install-db", install, { env });
  }
  // No flush at commit: nothing here outlives the run.
  const options = [`--socket=${join(folder, "db.sock")}`, "--skip-networking", "--innodb-flush-log-at-trx-commit=0"];
  const server = spawn("mariadbd", [...common, ...options], { stdio: "ignore", env });
  await untilReady(join(folder, "db.sock"), server);
  return server;
}

/** Ends a server that startMariadb started; resolves when it is gone. */
export async function stopMariadb(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGTERM");
  await once(server, "exit");
}

async function untilReady(socketPath: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    try {
      const connection = await createConnection({ socketPath, user: "root" });
      return await connection.end();
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`mariadbd ended with code ${server.exitCode} before it was ready.`);
}
