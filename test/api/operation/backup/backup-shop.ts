import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { dumpDatabase } from "../../../../api/operation/backup/dump.ts";
import { COMMAND, type Db, openDatabase } from "../../../../api/platform/database/pool.ts";
import { createDatabase } from "../../../database.ts";
import { run } from "../../server-process.ts";

/** A folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "twinfront-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A folder with a dump of the database, as `npm run backup` makes it. */
export async function makeBackup(db: Db): Promise<string> {
  const folder = await makeFolder();
  await dumpDatabase(db, join(folder, "database.sql.gz"));
  return folder;
}

/** An empty database, and `npm run restore` for it. */
export async function openEmptyDatabase(): Promise<{ db: Db; url: string; restore: (...args: string[]) => Restore }> {
  const { url, drop } = await createDatabase();
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: COMMAND });
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  return { db, url, restore: (...args) => startRestore(url, args) };
}

interface Restore {
  child: ReturnType<typeof run>["child"];
  /** Exit code, stdout and stderr, once it has ended. */
  result: Promise<[number | null, string, string]>;
}

export function startRestore(databaseUrl: string, args: readonly string[], env: Record<string, string> = {}): Restore {
  const { child, output, ended } = run("commands/restore.ts", { DATABASE_URL: databaseUrl, ...env }, ...args);
  return { child, result: ended.then((code) => [code, output.stdout, output.stderr]) };
}

/** The names of a database's tables, sorted. */
export async function tablesOf(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.map(({ name }) => name).sort();
}
