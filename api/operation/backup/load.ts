import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { sql } from "kysely";
import type { Db } from "../../platform/database/pool.ts";
import { FOOTER, HEADER } from "./dump.ts";

/** A restore that can't begin or be finished: the message says why, and what the database has now. */
export class RestoreError extends Error {
  override readonly name = "RestoreError";
}

/** Reads a dump to its end and returns the time of its state. Throws RestoreError unless it's complete. */
export async function checkDump(file: string): Promise<string> {
  let first: string | undefined;
  let last = "";
  for await (const line of readLines(file)) {
    first ??= line;
    last = line;
  }
  if (!first?.startsWith(HEADER))
    throw new RestoreError(`${file} isn't a backup of this shop, or of a release with another format.`);
  if (`${last}\n` !== FOOTER) throw damaged(file);
  return first.slice(HEADER.length);
}

const damaged = (file: string) =>
  new RestoreError(`${file} is cut off or damaged: take another backup. The database wasn't touched.`);

/** By "\n" alone: node:readline would also split at U+2028, which texts may contain. */
async function* readLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const unzipped = input.pipe(createGunzip());
  input.on("error", (error) => unzipped.destroy(error));
  // Joined once a line is whole: one with an invoice comes in hundreds of pieces.
  let rest: string[] = [];
  try {
    unzipped.setEncoding("utf8");
    for await (const chunk of unzipped) {
      const [first, ...others] = String(chunk).split("\n");
      rest.push(first ?? "");
      for (const other of others) {
        yield rest.join("");
        rest = [other];
      }
    }
  } catch (error) {
    const { code = "" }: { code?: string } = Object(error);
    if (code === "ENOENT" || code === "ENOTDIR") throw new RestoreError(`There is no backup here: ${file} is missing.`);
    throw code.startsWith("Z_") ? damaged(file) : error;
  }
  if (rest.some((piece) => piece !== "")) throw damaged(file);
}

/** Its presence says that the tables beside it aren't complete yet. */
const MARK = "unfinished_restore";

/**
 * Loads a dump that was checked into an empty database, then runs `finish` on it. When anything fails or `signal`
 * aborts, the database is empty again. Throws RestoreError if it isn't empty, or if another restore has begun in it.
 */
export async function loadDump(
  db: Db,
  file: string,
  finish: (connection: Db) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    await claimEmpty(connection);
    try {
      for await (const line of readLines(file)) {
        signal.throwIfAborted();
        if (!line.startsWith("--")) await sql.raw(line).execute(connection);
      }
      signal.throwIfAborted();
      await finish(connection);
      signal.throwIfAborted();
      await sql`drop table ${sql.table(MARK)}`.execute(connection);
    } catch (error) {
      await clear(db, error);
      throw signal.aborted ? new RestoreError("Stopped. The database is empty again.") : error;
    }
  });
}

/** Throws RestoreError if the database has tables of something else than a restore. */
export async function refuseUnlessEmpty(db: Db): Promise<void> {
  const tables = await listTables(db);
  if (tables.length > 0 && !tables.includes(MARK))
    throw new RestoreError("The database in DATABASE_URL isn't empty. Create a new one and restore into that.");
}

async function claimEmpty(connection: Db): Promise<void> {
  await refuseUnlessEmpty(connection);
  try {
    await sql`create table ${sql.table(MARK)} (id int not null primary key)`.execute(connection);
  } catch (error) {
    const { code }: { code?: string } = Object(error);
    if (code !== "ER_TABLE_EXISTS_ERROR") throw error;
    throw new RestoreError(
      "Another restore into this database is running, or was killed. If none is running, drop the database, create it again and restore into that.",
    );
  }
}

/** On another connection, since the first may be lost. The mark goes last. */
async function clear(db: Db, cause: unknown): Promise<void> {
  try {
    await db.connection().execute(async (connection) => {
      await sql`set foreign_key_checks = 0`.execute(connection);
      const tables = (await listTables(connection)).filter((name) => name !== MARK);
      for (const name of [...tables, MARK]) await sql`drop table ${sql.table(name)}`.execute(connection);
      await sql`set foreign_key_checks = 1`.execute(connection);
    });
  } catch {
    throw new RestoreError(
      "The restore stopped, and what it had loaded couldn't be removed: drop the database and create it again.",
      { cause },
    );
  }
}

async function listTables(connection: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = database()
  `.execute(connection);
  return rows.map(({ name }) => name);
}
