import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { fromNow } from "./columns.ts";
import type { Db } from "./pool.ts";
import { inTransaction } from "./transaction.ts";

/** After a migrator that was killed, the next one waits for at most this long. */
const LEASE_MS = 15_000;
const RENEW_MS = 3_000;
const POLL_MS = 500;

type LockTables = { migration_lock: { id: number; holder: string; leased_until: Date } };

/**
 * Runs `work` while this process alone holds the migration lock, waiting for it if necessary. The lock is a lease in a
 * row, since Galera doesn't share GET_LOCK or row locks between nodes, but refuses one of two changes of a row. Kysely's
 * GET_LOCK stays inside it: on one server it also waits for a statement that outlives its killed migrator.
 */
export async function holdMigrationLock<T>(
  db: Db,
  onWait: (holder: string) => void,
  work: (stillHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const locks = db.withTables<LockTables>();
  await sql`create table if not exists migration_lock (
    id tinyint unsigned not null primary key,
    holder varchar(255) not null,
    leased_until datetime(3) not null
  )`.execute(db);
  const me = `process ${process.pid} on ${hostname().slice(0, 100)} (${randomUUID().slice(0, 8)})`;
  const take = () => takeLease(locks, me);
  let told: string | undefined;
  for (let holder = await take(); holder !== me; holder = await take()) {
    if (holder !== told) onWait(holder);
    told = holder;
    await sleep(POLL_MS);
  }
  const stillHeld = async () => {
    const holder = await take();
    if (holder !== me) throw new Error(`The migration lock was taken over by ${holder}; run this again.`);
  };
  // A failed renewal isn't an error yet: the next one may succeed, and every migration begins with one.
  const renewal = setInterval(() => stillHeld().catch(() => {}), RENEW_MS);
  try {
    return await work(stillHeld);
  } finally {
    clearInterval(renewal);
    const release = locks.deleteFrom("migration_lock").where("holder", "=", me).execute();
    await release.catch(() => {}); // then the lease ends
  }
}

/** Takes or renews the lease if it's free or `me` has it, and returns who has it now. */
const takeLease = (db: Db, me: string): Promise<string> =>
  inTransaction(db, async (transaction) => {
    const locks = transaction.withTables<LockTables>();
    const free = sql`(holder = ${me} or leased_until < utc_timestamp(3))`;
    await locks
      .insertInto("migration_lock")
      .values({ id: 1, holder: me, leased_until: fromNow(LEASE_MS) })
      .onDuplicateKeyUpdate({
        // Assigned from left to right, so the lease moves exactly if the holder is now this process.
        holder: sql<string>`if(${free}, ${me}, holder)`,
        leased_until: sql<Date>`if(holder = ${me}, ${fromNow(LEASE_MS)}, leased_until)`,
      })
      .execute();
    return (await locks.selectFrom("migration_lock").select("holder").executeTakeFirstOrThrow()).holder;
  });
