import { randomBytes } from "node:crypto";
import { type Connection, createConnection } from "mysql2/promise";
import { inject } from "vitest";
import { COMMAND } from "../api/database/pool.ts";
import { readDatabaseAddress } from "../api/env.ts";
import { note } from "./costs/note.ts";
import type { RunningChild } from "../nginx/local/child-process.ts";
import { startPrivateDatabase } from "../nginx/local/private-database.ts";
import { findMysql, startMysql } from "./mysql-server.ts";

export interface TestDatabase {
  /** A DATABASE_URL of an empty database. */
  url: string;
  drop(): Promise<void>;
}

/** Connects to the run's server without choosing a database. */
export function connectToServer(): Promise<Connection> {
  const { database: _, socketPath, ...address } = readDatabaseAddress({ DATABASE_URL: inject("databaseServer") });
  const options = { ...address, connectTimeout: COMMAND.connectMs };
  return createConnection(socketPath === undefined ? options : { ...options, socketPath });
}

/** Creates an empty database for one test, on the run's server. */
export async function createDatabase(): Promise<TestDatabase> {
  note("databases");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const connection = await connectToServer();
    await connection.query(statement);
    await connection.end();
  };
  await run(`create database ${name}`);
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
