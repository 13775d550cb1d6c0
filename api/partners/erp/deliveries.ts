import { type Selectable, sql } from "kysely";
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { leased } from "../../platform/outbox/delivery-lease.ts";
import type { Delivery } from "./schema.ts";

/** The newest deliveries of an order, and attempts of a delivery, that are shown. */
const MAX_SHOWN = 50;

const columns = [
  ...(["id", "order_id", "order_version", "webhook_id", "state", "attempts", "next_attempt_at"] as const),
  ...(["delivered_at", "superseded", "created_at"] as const),
] as const;

type Row = Pick<Selectable<Tables["deliveries"]>, (typeof columns)[number]> & { leased: number | null };
type AttemptRow = Selectable<Tables["delivery_attempts"]>;

/** The deliveries of an order, newest first. */
export async function listDeliveries(db: Db, orderId: number): Promise<Delivery[]> {
  const rows = await db
    .selectFrom("deliveries")
    .select([...columns, leased])
    .where("order_id", "=", orderId)
    .orderBy("id", "desc")
    .limit(MAX_SHOWN)
    .execute();
  return withAttempts(db, rows);
}

/** One delivery. Throws if the id is unknown. */
export async function readDelivery(db: Db, id: number): Promise<Delivery> {
  const rows = await db
    .selectFrom("deliveries")
    .select([...columns, leased])
    .where("id", "=", id)
    .execute();
  const [delivery] = await withAttempts(db, rows);
  if (!delivery) throw new Error("The delivery doesn't exist.");
  return delivery;
}

async function withAttempts(db: Db, rows: readonly Row[]): Promise<Delivery[]> {
  if (rows.length === 0) return [];
  const attempts = await db
    .selectFrom("delivery_attempts")
    .innerJoin("deliveries", "deliveries.id", "delivery_attempts.delivery_id")
    .selectAll("delivery_attempts")
    .where(
      "delivery_id",
      "in",
      rows.map(({ id }) => id),
    )
    .where(sql<boolean>`delivery_attempts.number + ${MAX_SHOWN} > deliveries.attempts`)
    .orderBy("delivery_id")
    .orderBy("number")
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => toDelivery(row, byDelivery.get(row.id) ?? []));
}

function toDelivery(row: Row, attempts: readonly AttemptRow[]): Delivery {
  return {
    id: row.id,
    order_id: row.order_id,
    order_version: row.order_version,
    webhook_id: row.webhook_id,
    state: row.state,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      started_at: toRfc3339(attempt.started_at),
      duration_ms: attempt.duration_ms,
      // Its process died, and the delivery hasn't been claimed since.
      outcome: attempt.outcome === "in_flight" && row.leased !== 1 ? "lost" : attempt.outcome,
      http_status: attempt.http_status,
      response_excerpt: attempt.response_excerpt,
    })),
    next_attempt_at: row.next_attempt_at && toRfc3339(row.next_attempt_at),
    delivered_at: row.delivered_at && toRfc3339(row.delivered_at),
    superseded: row.superseded === 1,
    created_at: toRfc3339(row.created_at),
  };
}
