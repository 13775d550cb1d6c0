import { ago } from "../platform/database/columns.ts";
import type { Db } from "../platform/database/pool.ts";
import { COUNTED_FOR_MS } from "../platform/http/shared-limits.ts";
import { findShopFacts } from "../selling/shop/queries.ts";

const DAY_MS = 24 * 3_600_000;

/** Rows per statement, to keep locks short: a session takes its basket with it. */
const BATCH = 200;

/**
 * Deletes what customers left behind, in small batches until nothing is left or `signal` aborts: checkouts, placed or
 * not, as many days after their last change as the shop keeps them; sessions with their baskets likewise after their
 * last use, except while a checkout is open; counts of requests once they have no effect.
 * Placements stay with their orders. Without the shop's facts there are no baskets.
 */
export async function deleteExpiredSessions(db: Db, signal?: AbortSignal): Promise<void> {
  const shop = await findShopFacts(db);
  if (!shop) return;
  const rounds = [
    () => deleteCheckouts(db, shop.keep.checkouts * DAY_MS),
    () => deleteSessions(db, shop.keep.baskets * DAY_MS),
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

async function deleteCounts(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("request_counts")
    .where("began_at", "<", ago(COUNTED_FOR_MS))
    .orderBy("began_at")
    .limit(BATCH)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
