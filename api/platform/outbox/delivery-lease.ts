import { sql } from "kysely";
import { fromNow, now } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../database/transaction.ts";
import type { AttemptResult } from "../webhook/sender.ts";
import { endLease, findDueIn, type Lease, type QueueTable, takeLease, takeLeaseAnew } from "./lease.ts";
import { DELIVERY_SCHEDULE, type Verdict } from "./retry-schedule.ts";

/** An attempt takes 15 s (webhook/sender.ts). */
const LEASE_MS = 20_000;

const DELIVERIES: QueueTable = {
  table: "deliveries",
  tries: "tries",
  schedule: DELIVERY_SCHEDULE,
  leaseMs: LEASE_MS,
  onTake: { attempts: sql<number>`attempts + 1`, leased_until: fromNow(LEASE_MS) },
  onEnd: { leased_until: null },
};

/** Whether a delivery is leased: 1, otherwise 0 or null. */
export const leased = sql<number | null>`leased_until > utc_timestamp(3)`.as("leased");

/** The right to make one attempt, until the lease expires. `tries` counts from the last push. */
export interface Claim extends Lease {
  orderId: number;
  /** Of this attempt, from 1. */
  number: number;
  webhookId: string;
  body: Buffer;
}

/** Ids of due deliveries, the longest due first. */
export const findDue = (db: Db, limit: number): Promise<number[]> => findDueIn(db, DELIVERIES, limit);

/** Claims a due delivery. Undefined when another process was faster, or when its tries are used up and it fails instead. */
export const claimDue = (db: Db, id: number): Promise<Claim | undefined> =>
  inTransaction(
    db,
    async (transaction) => {
      const row = await transaction.selectFrom("deliveries").select("tries").where("id", "=", id).executeTakeFirst();
      const lease = row && (await takeLease(transaction, DELIVERIES, id, row.tries));
      if (!lease) return undefined;
      await markLost(transaction, id);
      return lease.isUsedUp ? undefined : beginAttempt(transaction, lease);
    },
    READ_COMMITTED,
  );

/**
 * Claims a delivery for a push and restarts its retry schedule. The caller has locked the row and knows that it isn't
 * leased.
 */
export async function claimForPush(transaction: Db, id: number): Promise<Claim> {
  const lease = await takeLeaseAnew(transaction, DELIVERIES, id);
  await markLost(transaction, id);
  return beginAttempt(transaction, lease);
}

/**
 * Releases a claim before its attempt, so that the delivery is due at once. No effect once another process has the
 * lease.
 */
export const releaseClaim = (db: Db, claim: Claim): Promise<void> =>
  inTransaction(
    db,
    async (transaction) => {
      const isReleased = await endLease(transaction, DELIVERIES, claim, {
        attempts: sql<number>`attempts - 1`,
        tries: sql<number>`tries - 1`,
        next_attempt_at: sql`case when superseded = 1 then null else ${now()} end`,
      });
      if (isReleased) await transaction.deleteFrom("delivery_attempts").where(isAttempt(claim)).execute();
    },
    READ_COMMITTED,
  );

/** If a delivery can be claimed, the process of its running attempt is gone. */
const markLost = (transaction: Db, id: number) =>
  transaction
    .updateTable("delivery_attempts")
    .set({ outcome: "lost" })
    .where("delivery_id", "=", id)
    .where("outcome", "=", "in_flight")
    .execute();

async function beginAttempt(transaction: Db, lease: Lease): Promise<Claim> {
  const row = await transaction
    .selectFrom("deliveries")
    .select(["order_id", "attempts", "webhook_id", "body"])
    .where("id", "=", lease.id)
    .executeTakeFirstOrThrow();
  const { order_id: orderId, attempts: number, webhook_id: webhookId, body } = row;
  await transaction
    .insertInto("delivery_attempts")
    .values({ delivery_id: lease.id, number, started_at: now(), outcome: "in_flight" })
    .execute();
  return { ...lease, orderId, number, webhookId, body };
}

/**
 * Records the result of an attempt. No effect once another process has the lease. A delivery superseded meanwhile stays
 * failed, unless the webhook accepted it.
 */
export const recordAttempt = (db: Db, claim: Claim, result: AttemptResult, verdict: Verdict): Promise<void> =>
  inTransaction(
    db,
    async (transaction) => {
      const delivered = verdict.state === "delivered";
      const next = verdict.state === "pending" ? fromNow(verdict.delayMs) : sql<null>`null`;
      const isRecorded = await endLease(transaction, DELIVERIES, claim, {
        state: delivered
          ? "delivered"
          : sql<"failed" | "pending">`case when superseded = 1 then 'failed' else ${verdict.state} end`,
        next_attempt_at: sql`case when superseded = 1 then null else ${next} end`,
        ...(delivered ? { delivered_at: now(), superseded: 0 } : {}),
      });
      if (!isRecorded) return;
      const { outcome, durationMs: duration_ms, httpStatus: http_status, excerpt: response_excerpt } = result;
      await transaction
        .updateTable("delivery_attempts")
        .set({ outcome, duration_ms, http_status, response_excerpt })
        .where(isAttempt(claim))
        .execute();
    },
    READ_COMMITTED,
  );

const isAttempt = ({ id, number }: Claim) => sql<boolean>`delivery_id = ${id} and number = ${number}`;
