import type { Db } from "../database/database.ts";
import { watch } from "../database/watch.ts";
import { toRfc3339 } from "../http/schema-types.ts";

export interface Queue {
  pending: number;
  failed: number;
  last_success_at: string | null;
}

/** How many deliveries wait or were given up for good, and when the webhook last took one: three looks at an index. */
async function readQueue(db: Db): Promise<Queue> {
  const { pending, failed, last_success_at } = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom("deliveries").select(fn.countAll<number>().as("n")).where("state", "=", "pending").as("pending"),
      selectFrom("deliveries")
        .select(fn.countAll<number>().as("n"))
        .where("state", "=", "failed")
        .where("superseded", "=", 0) // a newer version was pushed instead
        .as("failed"),
      selectFrom("deliveries")
        .select((deliveries) => deliveries.fn.max("delivered_at").as("at"))
        .as("last_success_at"),
    ])
    .executeTakeFirstOrThrow();
  return { pending: pending ?? 0, failed: failed ?? 0, last_success_at: last_success_at && toRfc3339(last_success_at) };
}

/** Within this time the answer leaves, whatever the database does; the status is promised within a second. */
const PATIENCE_MS = 700;

/** Makes a reader of the queue that answers within PATIENCE_MS: null when the database is down or hangs. */
export const watchQueue = (db: Db) => watch(() => readQueue(db), PATIENCE_MS);
