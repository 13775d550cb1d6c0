import fs from "node:fs/promises";
import path from "node:path";
import { FileMigrationProvider, Migrator } from "kysely/migration";
import { describeOutage } from "./outage.ts";
import type { Db } from "./pool.ts";

const migrationFolder = path.join(import.meta.dirname, "migrations");

/** Names of this release's migrations. */
export const listMigrations = async (): Promise<string[]> =>
  (await fs.readdir(migrationFolder)).map((file) => path.parse(file).name);

/**
 * Runs the migrations that haven't run yet and returns their names. Throws with the name of one that failed; those
 * before it stay, since MySQL commits every DDL statement.
 */
export async function migrate(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder }) });
  const { error, results = [] } = await migrator.migrateToLatest(); // never throws
  const failed = results.find(({ status }) => status === "Error");
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : String(error);
    const outage = failed ? undefined : describeOutage(error); // inside a migration the error itself says more
    if (outage) throw new Error(outage);
    throw new Error(failed ? `The migration ${failed.migrationName} failed: ${reason}` : reason, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}
