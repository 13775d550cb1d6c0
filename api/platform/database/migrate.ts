import fs from "node:fs/promises";
import path from "node:path";
import type { Kysely } from "kysely";
import { FileMigrationProvider, Migrator } from "kysely/migration";
import { holdMigrationLock } from "./migration-lock.ts";
import { describeOutage } from "./outage.ts";
import type { Db } from "./pool.ts";

const migrationFolder = path.join(import.meta.dirname, "migrations");

/** Names of this release's migrations. */
export const listMigrations = async (): Promise<string[]> =>
  (await fs.readdir(migrationFolder)).map((file) => path.parse(file).name);

/**
 * Runs the migrations that haven't run yet and returns their names. Throws with the name of one that failed; those
 * before it stay, since MySQL commits every DDL statement. While another process is migrating it waits, after telling
 * `onWait` which one.
 */
export async function migrate(db: Db, onWait: (holder: string) => void = () => {}): Promise<string[]> {
  return holdMigrationLock(db, onWait, (stillHeld) => run(db, stillHeld));
}

/** `stillHeld` rejects once the lock is lost; each migration begins with it. */
async function run(db: Db, stillHeld: () => Promise<void>): Promise<string[]> {
  const files = new FileMigrationProvider({ fs, path, migrationFolder });
  const provider = {
    async getMigrations() {
      const migrations = Object.entries(await files.getMigrations());
      return Object.fromEntries(
        migrations.map(([name, { up }]) => [
          name,
          { up: (connection: Kysely<unknown>) => stillHeld().then(() => up(connection)) },
        ]),
      );
    },
  };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest(); // never throws
  const failed = results.find(({ status }) => status === "Error");
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : String(error);
    const outage = failed ? undefined : describeOutage(error); // inside a migration the error itself says more
    if (outage) throw new Error(outage);
    throw new Error(failed ? `The migration ${failed.migrationName} failed: ${reason}` : reason, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}
