import { randomBytes } from "node:crypto";
import { type Connection, createConnection } from "mysql2/promise";
import { inject } from "vitest";
import { readDatabaseAddress } from "../api/env.ts";
import { COMMAND } from "../api/platform/database/pool.ts";
import type { RunningChild } from "../nginx/local/child-process.ts";
import { startPrivateDatabase } from "../nginx/local/private-database.ts";
import { note } from "./costs/note.ts";
import { findMysql, startMysql } from "./mysql-server.ts";

export interface TestDatabase {
  /** Its DATABASE_URL. */
  url: string;
  drop(): Promise<void>;
}

/** Connects to the run's server without choosing a database. */
export function connectToServer({ multipleStatements = false } = {}): Promise<Connection> {
  const { database: _, socketPath, ...address } = readDatabaseAddress({ DATABASE_URL: inject("databaseServer") });
  const options = { ...address, multipleStatements, connectTimeout: COMMAND.connectMs };
  return createConnection(socketPath === undefined ? options : { ...options, socketPath });
}

/** By server, for all tests of this process: three connections for each database took most of the client's part. */
const kept = new Map<string, Promise<Connection>>();

async function run(statements: string): Promise<void> {
  const server = inject("databaseServer");
  const connection = kept.get(server) ?? connectToServer({ multipleStatements: true });
  kept.set(server, connection);
  try {
    await (await connection).query(statements);
  } catch (error) {
    // It may be broken: the next statements get another.
    if (kept.get(server) === connection) kept.delete(server);
    throw error;
  }
}

/** Creates a database for one test, on the run's server: empty, or with what `statements` make in it. */
export async function createDatabase(...statements: string[]): Promise<TestDatabase> {
  note("databases");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await run([`create database ${name}`, `use ${name}`, ...statements].join(";"));
  const url = new URL(inject("databaseServer"));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name}`) };
}

/**
 * Starts another server of the kind that the tests run on, which a test may kill: startPrivateDatabase(), or the same with
 * MySQL.
 */
export async function startDatabase(folder: string, options: readonly string[] = []): Promise<RunningChild> {
  if (inject("privateServer") === "MariaDB") return startPrivateDatabase(folder, options);
  const root = await findMysql();
  if (root === undefined) throw new Error("The MySQL of this run is gone.");
  return startMysql(root, folder, options);
}
