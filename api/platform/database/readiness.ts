import { listMigrations } from "./migrate.ts";
import { describeOutage, OLD_SCHEMA } from "./outage.ts";
import type { Db } from "./pool.ts";

/** Rejects when the database is unavailable, or lacks a migration of this release. */
export async function probeDatabase(db: Db): Promise<void> {
  const known = await listMigrations();
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  const applied = new Set(rows.map(({ name }) => name));
  // Newer migrations are fine: they only add, and a release that is rolled back leaves its own behind.
  if (known.some((name) => !applied.has(name)))
    throw Object.assign(new Error("Migrations haven't run."), { code: OLD_SCHEMA });
}

interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * At start: logs once that the database is away and once that it responds, checking every second until `signal` aborts.
 */
export async function reportReadiness(db: Db, log: Log, signal: AbortSignal): Promise<void> {
  let reported: string | undefined;
  while (!signal.aborted) {
    try {
      await probeDatabase(db);
      return log.info("The database responds.");
    } catch (error) {
      const outage = describeOutage(error) ?? "The database doesn't respond.";
      if (outage !== reported && !signal.aborted) log.warn(`${outage} Answering 503 until it does.`);
      reported = outage;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
  }
}

/**
 * Wraps `read` so that it resolves within `timeoutMs`: to null when it fails or takes longer. Concurrent callers share
 * one read, so that a hung database doesn't use up the connections.
 */
export function boundedReader<T>(read: () => Promise<T>, timeoutMs: number): () => Promise<T | null> {
  let reading: Promise<T | null> | undefined;
  const readOnce = () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  return async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    // After a stall Node runs due timers before it reads what has arrived meanwhile.
    const timer = setTimeout(() => setImmediate(resolve, null), timeoutMs);
    return Promise.race([readOnce(), promise]).finally(() => clearTimeout(timer));
  };
}
