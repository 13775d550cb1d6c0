import { ago } from "../platform/database/columns.ts";
import type { Db } from "../platform/database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../platform/database/transaction.ts";
import { KEY_KEPT_MS } from "../platform/http/idempotency.ts";
import { ORDER_KEY_KEPT_MS } from "../selling/mail/order-keys.ts";
import { findShopFacts } from "../selling/shop/queries.ts";

const DAY_MS = 24 * 3_600_000;

/** Days that deliveries are kept for until the shop's facts are imported. */
const DEFAULT_KEPT_DAYS = 90;

/** Rows per statement, to keep locks short. */
const BATCH = 200;

/**
 * Deletes what has expired, in small batches until nothing is left or `signal` aborts: idempotency keys after 24 hours,
 * keys in mails after 90 days, and after the days that the shop keeps deliveries for: attempts, and a delivery's body
 * with the order's earlier deliveries. An order's last delivery stays without its body, so that a push of that version is
 * answered with it and no webhook-id is used twice. A failed delivery loses its body that many days after its last
 * attempt; a push writes it again.
 */
export async function deleteExpired(db: Db, signal?: AbortSignal): Promise<void> {
  const keptMs = ((await findShopFacts(db))?.keep.deliveries ?? DEFAULT_KEPT_DAYS) * DAY_MS;
  for (const expire of [deleteKeys, deleteOrderKeys, deleteAttempts, deleteDeliveries, dropFailedBodies])
    while (!signal?.aborted && (await expire(db, keptMs)) === BATCH);
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

async function deleteOrderKeys(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("order_keys")
    .where("created_at", "<", ago(ORDER_KEY_KEPT_MS))
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
      // Usually deleted already, since they are older than the delivery.
      await transaction.deleteFrom("delivery_attempts").where("delivery_id", "in", ids).execute();
      await transaction.deleteFrom("deliveries").where("id", "in", ids).execute();
      return BATCH;
    },
    READ_COMMITTED,
  );

/** Attempts are deleted first, so a failed delivery without attempts had its last one longer ago. */
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
