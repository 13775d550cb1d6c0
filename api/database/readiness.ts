import { listMigrations } from "./migrate.ts";
import { describeOutage, OLD_SCHEMA } from "./outage.ts";
import type { Db } from "./pool.ts";

/** Rejects when the database cannot serve: unreachable, refusing, without our schema, or with one of an older release. */
export async function probeDatabase(db: Db): Promise<void> {
  const known = await listMigrations();
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  const applied = new Set(rows.map(({ name }) => name));
  // A newer schema serves: migrations only add, and a release that is taken back leaves its own behind.
  if (known.some((name) => !applied.has(name)))
    throw Object.assign(new Error("Migrations have not run."), { code: OLD_SCHEMA });
}

interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** At boot: says once that the database is away and once that it is there, looking every second until `signal` aborts. */
export async function reportReadiness(db: Db, log: Log, signal: AbortSignal): Promise<void> {
  let said: string | undefined;
  while (!signal.aborted) {
    try {
      await probeDatabase(db);
      return log.info("The database answers.");
    } catch (error) {
      const outage = describeOutage(error) ?? "The database does not answer.";
      if (outage !== said && !signal.aborted) log.warn(`${outage} Answering 503 until it does.`);
      said = outage;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
  }
}

/**
 * Makes a reader that answers within `patienceMs`, whatever happens behind `look`: null when that fails or takes longer.
 * Callers share one look at a time, so that asking a hung database often does not use up its connections.
 */
export function boundedReader<T>(look: () => Promise<T>, patienceMs: number): () => Promise<T | null> {
  let looking: Promise<T | null> | undefined;
  const share = () => {
    looking ??= look()
      .catch(() => null)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  return async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, patienceMs, null);
    return Promise.race([share(), promise]).finally(() => clearTimeout(timer));
  };
}
