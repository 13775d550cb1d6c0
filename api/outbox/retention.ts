import { ago } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../database/transaction.ts";
import { KEY_KEPT_MS } from "../http/idempotency.ts";

const DAY_MS = 24 * 3_600_000;

/** So many rows in one statement, so that nobody waits for their locks. */
const BATCH = 200;

/**
 * Forgets what is over, in small batches, until nothing is left of it or `signal` is aborted: idempotency keys after
 * 24 hours; attempts after so many days; and, so many days after a delivery, its body and all that was delivered or given
 * up of its order before. An order's last delivery stays, without its body: a push of that version is still answered
 * with it, and no webhook-id is given twice. So does what failed, so many days after its last attempt; a push of it
 * writes the body again.
 */
export async function deleteExpired(db: Db, keptDays: number, signal?: AbortSignal): Promise<void> {
  for (const forget of [deleteKeys, deleteAttempts, deleteDeliveries, dropFailedBodies])
    while (!signal?.aborted && (await forget(db, keptDays * DAY_MS)) === BATCH);
}

async function deleteKeys(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", ago(KEY_KEPT_MS))
    .orderBy("created_at")
    .limit(BATCH)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function deleteAttempts(db: Db, keptMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("delivery_attempts")
    .where("started_at", "<", ago(keptMs))
    .orderBy("started_at")
    .limit(BATCH)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Returns BATCH while there may be more. */
const deleteDeliveries = (db: Db, keptMs: number): Promise<number> =>
  inTransaction(
    db,
    async (transaction) => {
      const over = await transaction
        .selectFrom("deliveries")
        .select(["id", "order_id"])
        .where("body_kept", "=", 1)
        .where("delivered_at", "<", ago(keptMs))
        .orderBy("delivered_at")
        .limit(BATCH)
        .execute();
      if (over.length === 0) return 0;
      const newest = new Map<number, number>();
      for (const { id, order_id } of over) newest.set(order_id, Math.max(id, newest.get(order_id) ?? 0));
      const before = await transaction
        .selectFrom("deliveries")
        .select("id")
        .where(({ and, or, eb }) =>
          or([...newest].map(([order, id]) => and([eb("order_id", "=", order), eb("id", "<", id)]))),
        )
        .where("state", "!=", "pending")
        .limit(BATCH)
        .execute();
      if (before.length === 0) {
        const ids = over.map(({ id }) => id);
        await transaction
          .updateTable("deliveries")
          .set({ body: Buffer.of(), body_kept: 0 })
          .where("id", "in", ids)
          .execute();
        return over.length;
      }
      const ids = before.map(({ id }) => id);
      // Theirs are older than the delivery, and so gone already, unless somebody's clock was wrong.
      await transaction.deleteFrom("delivery_attempts").where("delivery_id", "in", ids).execute();
      await transaction.deleteFrom("deliveries").where("id", "in", ids).execute();
      return BATCH;
    },
    READ_COMMITTED,
  );

/** Attempts are forgotten first: a failed delivery that has none left had its last one longer ago than that. */
async function dropFailedBodies(db: Db, keptMs: number): Promise<number> {
  const over = await db
    .selectFrom("deliveries")
    .select("id")
    .where("body_kept", "=", 1)
    .where("delivered_at", "is", null) // the rest of the index deliveries_kept
    .where("state", "=", "failed")
    .where("created_at", "<", ago(keptMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom("delivery_attempts").select("number").whereRef("delivery_id", "=", "deliveries.id").limit(1)),
      ),
    )
    .limit(BATCH)
    .execute();
  if (over.length === 0) return 0;
  await db
    .updateTable("deliveries")
    .set({ body: Buffer.of(), body_kept: 0 })
    .where(
      "id",
      "in",
      over.map(({ id }) => id),
    )
    .where("state", "=", "failed") // not what was pushed again meanwhile
    .execute();
  return over.length;
}
