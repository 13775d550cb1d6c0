import { sql } from "kysely";
import { ASKED_FOR_MS } from "../assistant/conversation/verification.ts";
import type { ShopFacts } from "../contract/built-files/store.ts";
import { days } from "../contract/duration.ts";
import { ago } from "../platform/database/columns.ts";
import { BATCH, deleteInBatches, deleteOldest, type Expiry } from "../platform/database/delete-in-batches.ts";
import type { Db } from "../platform/database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../platform/database/transaction.ts";
import { KEY_KEPT_MS } from "../platform/http/idempotency.ts";
import { COUNTED_FOR_MS } from "../platform/http/shared-limits.ts";
import { ORDER_KEY_KEPT_MS } from "../selling/mail/order-keys.ts";
import { findShopFacts } from "../selling/shop/queries.ts";
import { CHALLENGE_KEPT_MS, LINK_KEPT_MS, SESSION_KEPT_MS } from "../staff/sign-in/lifetimes.ts";

/** Days that deliveries are kept for until the shop's facts are imported. */
const DEFAULT_KEPT_DAYS = 90;

const HAS_OPEN_CHECKOUT = sql<boolean>`exists (select 1 from checkouts where open_session_id = sessions.id)`;

/** Everything that expires as a whole row. Without the shop's facts there are no baskets. */
const expiries = (keep: ShopFacts["keep"] | undefined, deliveriesKeptMs: number): Expiry[] => [
  { table: "idempotency_keys", since: "created_at", keptMs: KEY_KEPT_MS },
  { table: "request_counts", since: "began_at", keptMs: COUNTED_FOR_MS },
  { table: "order_keys", since: "created_at", keptMs: ORDER_KEY_KEPT_MS },
  { table: "delivery_attempts", since: "started_at", keptMs: deliveriesKeptMs },
  { table: "payment_events", since: "received_at", keptMs: days(90) },
  { table: "assistant_calls", since: "called_at", keptMs: days(90) },
  { table: "cases", since: "created_at", keptMs: days(90) },
  { table: "verifications", since: "created_at", keptMs: ASKED_FOR_MS },
  { table: "stock_history", since: "done_at", keptMs: days(730) },
  { table: "editor_links", since: "created_at", keptMs: LINK_KEPT_MS },
  { table: "editor_challenges", since: "created_at", keptMs: CHALLENGE_KEPT_MS },
  { table: "editor_sessions", since: "created_at", keptMs: SESSION_KEPT_MS },
  ...(keep
    ? ([
        { table: "checkouts", since: "updated_at", keptMs: days(keep.checkouts) },
        { table: "sessions", since: "used_at", keptMs: days(keep.baskets), unless: HAS_OPEN_CHECKOUT },
      ] as const)
    : []),
];

/**
 * Deletes what has expired, in small batches until nothing is left or `signal` aborts. An order's last delivery stays
 * without its body, so that a push of that version is answered with it and no webhook-id is used twice; its earlier
 * deliveries are deleted. A failed delivery loses its body that many days after its last attempt; a push writes it again.
 */
export async function deleteExpired(db: Db, signal?: AbortSignal): Promise<void> {
  const keep = (await findShopFacts(db))?.keep;
  const keptMs = days(keep?.deliveries ?? DEFAULT_KEPT_DAYS);
  const rows = expiries(keep, keptMs).map((expiry) => () => deleteOldest(db, expiry));
  // After the attempts, which a failed delivery mustn't have.
  await deleteInBatches([...rows, () => deleteDeliveries(db, keptMs), () => dropFailedBodies(db, keptMs)], signal);
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
