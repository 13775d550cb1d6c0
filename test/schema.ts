import { randomBytes } from "node:crypto";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { readDatabaseAddress } from "../api/env.ts";
import { migrate } from "../api/platform/database/migrate.ts";
import { COMMAND, openDatabase } from "../api/platform/database/pool.ts";

/**
 * Migrates a database on the server and returns the statements that make an equal one, which takes a third of the
 * time of all migrations. They copy its rows, so it stays until `dropTemplate()`; each run has its own on a shared
 * server.
 */
export async function describeSchema(
  serverUrl: string,
): Promise<{ schema: string; dropTemplate: () => Promise<void> }> {
  const template = `test_template_${randomBytes(6).toString("hex")}`;
  const server = await connect(serverUrl);
  await server.query(`create database ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url.href }), { timeouts: COMMAND });
  await migrate(db);
  await db.destroy();
  await server.query(`use ${template}`);
  const statements = ["set foreign_key_checks = 0"];
  for (const [table] of await rows(server, "show tables")) {
    const [[, create] = []] = await rows(server, `show create table ${table}`);
    const [[count] = []] = await rows(server, `select count(*) from ${table}`);
    statements.push(String(create));
    if (Number(count) > 0) statements.push(`insert into ${table} select * from ${template}.${table}`);
  }
  await server.end();
  const dropTemplate = async () => {
    const connection = await connect(serverUrl);
    await connection.query(`drop database ${template}`);
    await connection.end();
  };
  return { schema: statements.join(";\n"), dropTemplate };
}

function connect(url: string): Promise<Connection> {
  const { socketPath, ...address } = readDatabaseAddress({ DATABASE_URL: url });
  const options = { connectTimeout: COMMAND.connectMs, multipleStatements: true };
  return createConnection({ ...address, ...(socketPath !== undefined && { socketPath }), ...options });
}

async function rows(connection: Connection, statement: string): Promise<unknown[][]> {
  const [found] = await connection.query<RowDataPacket[][]>({ sql: statement, rowsAsArray: true });
  return found;
}
