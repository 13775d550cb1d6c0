import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { listMigrations } from "../../../../api/platform/database/migrate.ts";
import { holdMigrationLock } from "../../../../api/platform/database/migration-lock.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { createDatabase } from "../../../database.ts";
import { PATIENT } from "../../api.ts";
import { run, until } from "../../server-process.ts";

async function openEmptyDatabase() {
  const { url, drop } = await createDatabase();
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: PATIENT });
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  const locks = db.withTables<{ migration_lock: { id: number; holder: string; leased_until: string } }>();
  return { db, locks, migrate: () => run("commands/migrate.ts", { DATABASE_URL: url }) };
}

test("two migrators at once apply each migration once, and both succeed", async () => {
  const { locks, migrate } = await openEmptyDatabase();
  const migrators = [migrate(), migrate()];
  expect(await Promise.all(migrators.map(({ ended }) => ended))).toEqual([0, 0]);
  const applied = migrators.flatMap(({ output }) => output.stdout.match(/(?<=^Applied ).*(?=\.$)/gm) ?? []);
  expect(applied.sort()).toEqual((await listMigrations()).sort());
  expect(await locks.selectFrom("migration_lock").selectAll().execute()).toEqual([]);
});

test("a second migrator says who holds the lock and waits while the lease is renewed, until it's released", async () => {
  const { db, locks, migrate } = await openEmptyDatabase();
  const released = Promise.withResolvers<void>();
  const first = holdMigrationLock(
    db,
    () => {},
    () => released.promise,
  );
  const { output, ended } = migrate();
  const held = `The migration lock is held by process ${process.pid} on `;
  await until(
    async () => output.stdout,
    (text) => text.includes(held),
  );
  const lease = () => locks.selectFrom("migration_lock").selectAll().executeTakeFirstOrThrow();
  const { holder, leased_until } = await lease();
  await until(lease, (renewed) => renewed.leased_until > leased_until);
  expect((await lease()).holder).toBe(holder);
  expect(output.stdout).not.toContain("Applied");
  released.resolve();
  await first;
  expect([await ended, output.stdout.split(held).length]).toEqual([0, 2]);
  expect(output.stdout).toContain("he database is up to date.");
});

test("the lock of a migrator that was killed is freed", async () => {
  const { db, locks, migrate } = await openEmptyDatabase();
  await holdMigrationLock(
    db,
    () => {},
    async () => {},
  );
  const soon = new Date(Date.now() + 3_000).toISOString().slice(0, -1);
  await locks.insertInto("migration_lock").values({ id: 1, holder: "a killed process", leased_until: soon }).execute();
  const { output, ended } = migrate();
  expect([await ended, output.stderr]).toEqual([0, ""]);
});

test("a migrator that lost its lock runs no further migration", async () => {
  const { db, locks } = await openEmptyDatabase();
  const lost = holdMigrationLock(
    db,
    () => {},
    async (stillHeld) => {
      await stillHeld();
      const other = { holder: "process 2 on elsewhere", leased_until: "2999-01-01" };
      await locks.updateTable("migration_lock").set(other).execute();
      await stillHeld();
    },
  );
  await expect(lost).rejects.toThrow("The migration lock was taken over by process 2 on elsewhere; run this again.");
});
