import { type Db, probeDatabase } from "../database.ts";
import { watch } from "../watch.ts";

export interface Queue {
  pending: number;
  failed: number;
  last_success_at: string | null;
}

/**
 * The deliveries to the webhook. No webhook can be configured yet, so nothing can be waiting: zeros by construction,
 * as soon as the database is known to answer. Its table will be read here.
 */
async function readQueue(db: Db): Promise<Queue> {
  await probeDatabase(db);
  return { pending: 0, failed: 0, last_success_at: null };
}

/** Within this time the answer leaves, whatever the database does; the status is promised within a second. */
const PATIENCE_MS = 700;

/** Makes a reader of the queue that answers within PATIENCE_MS: null when the database is down or hangs. */
export const watchQueue = (db: Db) => watch(() => readQueue(db), PATIENCE_MS);
