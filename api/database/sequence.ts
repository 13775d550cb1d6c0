import { sql } from "kysely";
import type { Db } from "./pool.ts";

export interface Counter {
  last_id: number;
  last_sequence: number;
}

/**
 * Takes numbers from the counter row and holds that row until the transaction ends, so ids and sequences become
 * visible in order: a poller that has seen a number can never have missed a smaller one (design §6). Writers of one
 * noun therefore queue behind each other; do the slow work before calling this.
 * Call it before the transaction reads or locks a row of the noun: the other way round two writers hold what the other
 * one waits for, a deadlock, and what was read may be old by the time the row is had (ER_CHECKREAD, where MariaDB's
 * innodb_snapshot_isolation is on, as it is from 11.6 on).
 * Returns the last id and sequence that now belong to the caller. Throws when the migrations have not run.
 */
export async function takeNumbers(
  transaction: Db,
  name: "orders" | "products",
  { ids, sequences }: { ids: number; sequences: number },
): Promise<Counter> {
  await transaction
    .updateTable("counters")
    .set({ last_id: sql`last_id + ${ids}`, last_sequence: sql`last_sequence + ${sequences}` })
    .where("name", "=", name)
    .execute();
  return readLastNumbers(transaction, name);
}

/** The last id and sequence that have been handed out, as this transaction sees them. */
export function readLastNumbers(db: Db, name: "orders" | "products"): Promise<Counter> {
  return db
    .selectFrom("counters")
    .select(["last_id", "last_sequence"])
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
}
