import type { Db } from "../database.ts";

const WORTH_RETRYING = new Set(["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"]);
const MOST_TRIES = 5;

/**
 * Runs `work` in a transaction of its own and again, up to five times, when the engine sacrificed it to another one.
 * READ COMMITTED: under the default, locking reads lock the gaps beside their rows too, and two pushes of neighbouring
 * orders would block each other.
 */
export async function inShortTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await db.transaction().setIsolationLevel("read committed").execute(work);
    } catch (error) {
      const { code = "" }: { code?: string } = Object(error);
      if (count === MOST_TRIES || !WORTH_RETRYING.has(code)) throw error;
    }
  }
}
