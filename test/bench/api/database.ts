import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, createConnection } from "mysql2/promise";
import { readDatabaseAddress } from "../../../api/env.ts";
import { migrate } from "../../../api/platform/database/migrate.ts";
import { type Db, openDatabase } from "../../../api/platform/database/pool.ts";
import { type RunningChild, stopChild } from "../../../nginx/local/child-process.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../../../nginx/local/private-database.ts";
import { addCleanup } from "../../cleanup.ts";

export interface BenchDatabase {
  /** A temporary folder that contains `logs`. */
  folder: string;
  url: string;
  socketPath: string;
  /** A pool as the API opens it. */
  db: Db;
  server: RunningChild;
  /** For filling tables and reading the server's counters. */
  connection: Connection;
}

/** Starts a private MariaDB, migrated and empty. The bench removes it at its end. */
export async function startDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-bench-"));
  addCleanup(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["data", "logs"]) mkdirSync(join(folder, name));
  const server = await startPrivateDatabase(folder);
  addCleanup(() => stopChild(server, "SIGKILL", 0)); // its data is discarded
  const { url, socketPath } = privateDatabaseAddress(folder);
  const connection = await createConnection({ socketPath, user: "root", database: "twinfront" });
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }));
  addCleanup(async () => {
    connection.destroy();
    await db.destroy();
  });
  await enlargeServer(connection);
  await migrate(db);
  return { folder, url, socketPath, db, server, connection };
}

/** The private database is sized for a demo shop; a million orders need a production server's memory and log. */
async function enlargeServer(connection: Connection): Promise<void> {
  await connection.query("set global innodb_buffer_pool_size = 2 * 1024 * 1024 * 1024");
  await connection.query("set global innodb_log_file_size = 1024 * 1024 * 1024");
}
