import { type Db, inTransaction } from "../database/database.ts";

/**
 * A transaction of deliveries. READ COMMITTED: under the default, locking reads lock the gaps beside their rows too, and
 * two pushes of neighbouring orders would block each other.
 */
export const inShortTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>, signal?: AbortSignal) =>
  inTransaction(db, work, { isolation: "read committed", signal });
