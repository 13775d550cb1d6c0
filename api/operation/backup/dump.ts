import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sql } from "kysely";
import { escape as sqlLiteral } from "mysql2";
import type { Db } from "../../platform/database/pool.ts";

/** The first line of a dump begins with this, and ends with the time of its state, or another name of it. */
export const HEADER = "-- Twinfront backup, format 1, state of ";
/** The last line; without it a dump isn't complete. */
export const FOOTER = "-- complete\n";

/** Locks and marks of processes, which mean nothing in another database. */
const LEFT_OUT = new Set(["migration_lock", "unfinished_restore"]);

/** A statement's length, well below the smallest max_allowed_packet that servers have by default (16 MB). */
const STATEMENT_LENGTH = 500_000;

/** Any table, since a dump takes what is there. */
type AnyTables = Record<string, Record<string, string | number | Buffer | null>>;

/**
 * Writes the database as one consistent state into a gzip file of SQL, one statement a line, without stopping anyone
 * from writing. Our own code, since mysqldump and mariadb-dump each refuse or misread some servers of the other kind.
 * Returns the number of rows. `stateOf` names the state, where it isn't that of now.
 */
export async function dumpDatabase(db: Db, file: string, stateOf?: string): Promise<number> {
  let rows = 0;
  await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      await takeSnapshot(db, transaction);
      const at = stateOf ?? new Date().toISOString();
      const lines = async function* () {
        yield `${HEADER}${at}\n`;
        yield "set names utf8mb4, foreign_key_checks = 0, unique_checks = 0;\n";
        for (const name of await listTables(transaction)) {
          yield `${(await describeTable(transaction, name)).replaceAll("\n", " ")};\n`;
          for await (const { statement, count } of insertStatements(transaction, name)) {
            rows += count;
            yield statement;
          }
        }
        yield FOOTER;
      };
      await pipeline(lines, createGzip(), createWriteStream(file, { mode: 0o600, flush: true }));
    });
  return rows;
}

/**
 * The first read makes the snapshot that all later ones see; while it's made, nobody may be placing or changing an order,
 * or it could hold one and lack the one before (readKeyset in paging.ts). That of orders is locked last, so that nobody's
 * order waits while this waits for an import.
 */
async function takeSnapshot(db: Db, transaction: Db): Promise<void> {
  const counters = (reader: Db) => reader.selectFrom("counters").select("name").orderBy("name", "desc");
  await db.transaction().execute(async (locking) => {
    await counters(locking).forUpdate().execute();
    await counters(transaction).execute();
  });
}

/** kysely_migration comes last, so that no API takes a database that is restored in part for ready. */
async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = database() and table_type = 'BASE TABLE'
  `.execute(db);
  const names = rows.map(({ name }) => name).filter((name) => !LEFT_OUT.has(name));
  return names.sort((a, b) => Number(a === "kysely_migration") - Number(b === "kysely_migration") || (a < b ? -1 : 1));
}

async function describeTable(db: Db, name: string): Promise<string> {
  const { rows } = await sql<{ "Create Table": string }>`show create table ${sql.table(name)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`The table ${name} is gone: a migration runs. Make the backup after it.`);
  return row["Create Table"];
}

async function* insertStatements(db: Db, name: string) {
  const table = sql.table(name).compile(db).sql;
  let values: string[] = [];
  let length = 0;
  const flush = () => {
    const statement = `insert into ${table} values ${values.join(",")};\n`;
    const count = values.length;
    [values, length] = [[], 0];
    return { statement, count };
  };
  for await (const row of db.withTables<AnyTables>().selectFrom(name).selectAll().stream(500)) {
    const text = `(${Object.values(row)
      .map((value) => sqlLiteral(value))
      .join(",")})`;
    values.push(text);
    length += text.length;
    if (length > STATEMENT_LENGTH) yield flush();
  }
  if (values.length > 0) yield flush();
}
