import { ago } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { COUNTED_FOR_MS } from "../http/shared-limits.ts";

const DAY_MS = 24 * 3_600_000;
/** As long as a key in a mail opens its order. */
const KEYS_KEPT_MS = 90 * DAY_MS;

/** Rows per statement, to keep locks short: a session takes its basket with it. */
const BATCH = 200;

/** Days that baskets and checkouts are kept for (ShopFacts.keep). */
interface Kept {
  baskets: number;
  checkouts: number;
}

/**
 * Deletes what customers left behind, in small batches until nothing is left or `signal` aborts: checkouts, placed or
 * not, `checkouts` days after they last changed; sessions with their baskets `baskets` days after their last use, except
 * while they have a checkout; the keys of orders after 90 days; counts of requests after an hour. Placements stay with
 * their orders.
 */
export async function deleteExpiredSessions(db: Db, { baskets, checkouts }: Kept, signal?: AbortSignal): Promise<void> {
  const rounds = [
    () => deleteCheckouts(db, checkouts * DAY_MS),
    () => deleteSessions(db, baskets * DAY_MS),
    () => deleteKeys(db),
    () => deleteCounts(db),
  ];
  for (const round of rounds) while (!signal?.aborted && (await round()) === BATCH);
}

async function deleteCheckouts(db: Db, keptMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("checkouts")
    .where("updated_at", "<", ago(keptMs))
    .orderBy("updated_at")
    .limit(BATCH)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function deleteSessions(db: Db, keptMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("used_at", "<", ago(keptMs))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("checkouts").select("checkouts.id").whereRef("open_session_id", "=", "sessions.id"))),
    )
    .orderBy("used_at")
    .limit(BATCH)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function deleteKeys(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("order_keys")
    .where("created_at", "<", ago(KEYS_KEPT_MS))
    .orderBy("created_at")
    .limit(BATCH)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function deleteCounts(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("request_counts")
    .where("began_at", "<", ago(COUNTED_FOR_MS))
    .orderBy("began_at")
    .limit(BATCH)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
