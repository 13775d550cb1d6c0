import { setTimeout as sleep } from "node:timers/promises";
import type { IsolationLevel } from "kysely";
import type { Db } from "./pool.ts";

/** A COMMIT without a response: the transaction was committed or rolled back. */
export class UnknownOutcomeError extends Error {
  override readonly name = "UnknownOutcomeError";
}

/** Whether the transaction that threw `error` may have been committed; after any other error it was rolled back. */
export const hasUnknownOutcome = (error: unknown): boolean => error instanceof UnknownOutcomeError;

/**
 * For transactions of deliveries. Under the default level, locking reads also lock the gaps beside their rows, and
 * pushes of neighbouring orders would block each other.
 */
export const READ_COMMITTED = { isolation: "read committed" } as const;

interface TransactionOptions {
  isolation?: IsolationLevel;
  /** Once it aborts, nothing more is tried or committed, and its reason is thrown. */
  signal?: AbortSignal | undefined;
}

const MAX_TRIES = 20;
/** No try begins later, so that the last one can still wait for a lock within a request's 10 s. */
const RETRY_FOR_MS = 5_000;

/**
 * Runs `work` in `db` if that is a transaction, else in a new one. A new one is retried after a conflict with another
 * transaction, at any statement or at COMMIT, where Galera detects it; so `work` must have no effects outside of the
 * database.
 */
export async function inTransaction<T>(
  db: Db,
  work: (transaction: Db) => Promise<T>,
  { isolation, signal }: TransactionOptions = {},
): Promise<T> {
  if (db.isTransaction) return work(db);
  const begun = performance.now();
  for (let tries = 1; ; tries += 1) {
    let committing = false;
    const begin = isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction();
    try {
      return await begin.execute(async (transaction) => {
        signal?.throwIfAborted();
        const result = await work(transaction);
        signal?.throwIfAborted();
        committing = true;
        return result;
      });
    } catch (error) {
      const retry = isConflict(error) && tries < MAX_TRIES && performance.now() - begun < RETRY_FOR_MS;
      if (!retry && committing && !isConflict(error))
        throw new UnknownOutcomeError("The database didn't confirm the COMMIT.", { cause: error });
      if (!retry) throw error;
    }
    await sleep(retryDelayMs(tries));
    signal?.throwIfAborted();
  }
}

/** Full jitter, so that transactions that collided don't collide again. */
const retryDelayMs = (tries: number) => Math.random() * Math.min(200, 2 ** tries);

/** The server rolled the transaction back, or may have, because of another one: the same work may succeed now. */
const CONFLICT_CODES = new Set(["ER_LOCK_DEADLOCK", "ER_CHECKREAD", "ER_LOCK_WAIT_TIMEOUT"]);

export function isConflict(error: unknown): boolean {
  const { code = "", sqlState }: { code?: string; sqlState?: string } = Object(error);
  return CONFLICT_CODES.has(code) || sqlState === "40001"; // serialization failure, whatever its error number
}
