import { sql } from "kysely";
import { ago } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { boundedReader } from "../database/readiness.ts";
import type { QueueState, QueueStates } from "../monitoring/metrics.ts";

/** Reads every queue by its index on state. */
export async function readQueueStates(db: Db): Promise<QueueStates> {
  const [deliveries, mails] = await Promise.all([readQueueState(db, "deliveries"), readQueueState(db, "mails")]);
  return { deliveries, mails };
}

async function readQueueState(db: Db, queue: keyof QueueStates): Promise<QueueState> {
  const jobs = db.selectFrom(queue);
  const failed = jobs.where("state", "=", "failed");
  const counted = queue === "deliveries" ? failed.where(sql`superseded`, "=", 0) : failed;
  const waited = sql<number>`timestampdiff(second, min(next_attempt_at), utc_timestamp())`;
  const [{ n: pending }, { n: given }, { seconds }] = await Promise.all([
    jobs
      .where("state", "=", "pending")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow(),
    counted.select(({ fn }) => fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    jobs
      .where("state", "=", "pending")
      .where("next_attempt_at", "<=", ago(0))
      .select(waited.as("seconds"))
      .executeTakeFirstOrThrow(),
  ]);
  return { pending, failed: given, overdueSeconds: seconds ?? 0 };
}

/** The time to wait for the database; Prometheus gives a scrape ten seconds. */
const PATIENCE_MS = 2_000;

/** Makes a reader of all queues that resolves within PATIENCE_MS, to null when the database is down or hangs. */
export const queueStateReader = (db: Db) => boundedReader(() => readQueueStates(db), PATIENCE_MS);
