import { setTimeout as sleep } from "node:timers/promises";
import type { IsolationLevel } from "kysely";
import type { Db } from "./pool.ts";

/** A COMMIT without an answer: what the transaction did stands, or was undone. */
export class UnknownOutcomeError extends Error {
  override readonly name = "InDoubtError";
}

/** Whether `error` leaves open what the transaction that threw it did; any other one undid it. */
export const hasUnknownOutcome = (error: unknown): boolean => error instanceof UnknownOutcomeError;

/**
 * For transactions of deliveries. Under the default level, locking reads also lock the gaps beside their rows, and pushes
 * of neighbouring orders would block each other.
 */
export const READ_COMMITTED = { isolation: "read committed" } as const;

interface TransactionOptions {
  isolation?: IsolationLevel;
  /** Once it aborts nothing is tried or committed any more, and its reason is thrown. */
  signal?: AbortSignal | undefined;
}

const MAX_TRIES = 20;
/** No try begins later than this, so that the last one can wait for a lock within a request's ten seconds, too. */
const RETRY_FOR_MS = 5_000;

/**
 * Runs `work` in the transaction at hand, or in one of its own. One of its own is tried again when another transaction
 * gets in its way, at any statement or at COMMIT, where Galera finds out; so `work` keeps its effects within the
 * database. At hand, that is up to whoever opened it.
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
        throw new UnknownOutcomeError("The database did not say whether it committed.", { cause: error });
      if (!retry) throw error;
    }
    await sleep(retryDelayMs(tries));
    signal?.throwIfAborted();
  }
}

/** Full jitter: rivals that met once come back apart. Milliseconds. */
const retryDelayMs = (tries: number) => Math.random() * Math.min(500, 10 * 2 ** tries);

/** The server has undone the transaction, or may have, for another one's sake: the same work may succeed now. */
const CONFLICT_CODES = new Set(["ER_LOCK_DEADLOCK", "ER_CHECKREAD", "ER_LOCK_WAIT_TIMEOUT"]);

export function isConflict(error: unknown): boolean {
  const { code = "", sqlState }: { code?: string; sqlState?: string } = Object(error);
  return CONFLICT_CODES.has(code) || sqlState === "40001"; // serialization failure, whatever an engine numbers it
}
