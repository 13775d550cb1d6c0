import { type RawBuilder, sql } from "kysely";
import { ago } from "./columns.ts";
import type { Db } from "./pool.ts";
import type { Tables } from "./tables.ts";

/** Rows per statement, to keep locks short: a session, for instance, takes its basket with it. */
export const BATCH = 200;

/** A table whose rows are deleted so many milliseconds after the time in a column, which has an index. */
export type Expiry = {
  [Table in keyof Tables]: {
    table: Table;
    since: keyof Tables[Table] & string;
    keptMs: number;
    /** What keeps a row longer. */
    unless?: RawBuilder<boolean>;
  };
}[keyof Tables];

/** Deletes the oldest expired rows of a table, BATCH at most, and returns how many. */
export async function deleteOldest(db: Db, { table, since, keptMs, unless }: Expiry): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)}
    where ${sql.ref(since)} < ${ago(keptMs)} and not ${unless ?? sql.lit(false)}
    order by ${sql.ref(since)} limit ${sql.lit(BATCH)}
  `.execute(db);
  return Number(numAffectedRows);
}

/**
 * Repeats each deletion, which returns how many rows it dealt with, until that's fewer than BATCH or `signal` aborts.
 * One that fails doesn't keep the others waiting; the first error is thrown at the end.
 */
export async function deleteInBatches(
  deletions: readonly (() => Promise<number>)[],
  signal?: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  for (const deletion of deletions)
    try {
      while (!signal?.aborted && (await deletion()) === BATCH);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}
