import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { ago, fromNow, now } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../database/transaction.ts";
import type { AttemptResult } from "../webhook/sender.ts";
import { type Verdict, waitAfter } from "./retry-schedule.ts";

/** Longer than an attempt (15 s, webhook/sender.ts): the process of an expired lease is gone, or too late to count. */
const LEASE_MS = 20_000;

/** Whether a delivery is leased: 1, otherwise 0 or null. */
export const leased = sql<number | null>`leased_until > utc_timestamp(3)`.as("leased");

/** The right to make one attempt, until the lease expires. */
export interface Claim {
  deliveryId: number;
  orderId: number;
  leaseToken: string;
  /** Of this attempt, from 1. */
  number: number;
  /** Attempts since the last push, this one included. */
  tries: number;
  webhookId: string;
  body: Buffer;
}

/** Ids of due deliveries, the longest due first. */
export async function findDue(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("deliveries")
    .select("id")
    .where("state", "=", "pending")
    .where("superseded", "=", 0)
    .where("next_attempt_at", "<=", ago(0))
    .orderBy("next_attempt_at")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Claims a due delivery. Undefined when another process was faster, or when its tries are used up and it fails instead:
 * lost attempts count, so that a reply that crashes the process can't do so for ever. One conditional update decides,
 * without SKIP LOCKED or RETURNING.
 */
export const claimDue = (db: Db, id: number): Promise<Claim | undefined> =>
  inTransaction(
    db,
    async (transaction) => {
      const row = await transaction.selectFrom("deliveries").select("tries").where("id", "=", id).executeTakeFirst();
      if (!row) return undefined;
      const leaseToken = randomUUID();
      const usedUp = waitAfter(row.tries, 0) === undefined;
      const { numUpdatedRows } = await transaction
        .updateTable("deliveries")
        .set(usedUp ? GIVEN_UP : lease(leaseToken, row.tries + 1))
        .where("id", "=", id)
        .where("state", "=", "pending")
        .where("tries", "=", row.tries)
        .where("next_attempt_at", "<=", ago(0))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return undefined;
      await markLost(transaction, id);
      return usedUp ? undefined : beginAttempt(transaction, id, leaseToken);
    },
    READ_COMMITTED,
  );

const GIVEN_UP = { state: "failed" as const, next_attempt_at: null, lease_token: null, leased_until: null };

/**
 * Claims a delivery for a push and restarts its retry schedule. The caller has locked the row and knows that it isn't
 * leased.
 */
export async function claimForPush(transaction: Db, id: number): Promise<Claim> {
  const leaseToken = randomUUID();
  const claimed = { ...lease(leaseToken, 1), state: "pending" as const };
  await transaction.updateTable("deliveries").set(claimed).where("id", "=", id).execute();
  await markLost(transaction, id);
  return beginAttempt(transaction, id, leaseToken);
}

/**
 * Releases a claim before its attempt, so that the delivery is due at once. No effect once another process has the
 * lease.
 */
export const releaseClaim = (db: Db, { deliveryId, leaseToken, number }: Claim): Promise<void> =>
  inTransaction(
    db,
    async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("deliveries")
        .set({
          attempts: sql<number>`attempts - 1`,
          tries: sql<number>`tries - 1`,
          next_attempt_at: sql`case when superseded = 1 then null else ${now()} end`,
          lease_token: null,
          leased_until: null,
        })
        .where("id", "=", deliveryId)
        .where("lease_token", "=", leaseToken)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return;
      await transaction
        .deleteFrom("delivery_attempts")
        .where("delivery_id", "=", deliveryId)
        .where("number", "=", number)
        .execute();
    },
    READ_COMMITTED,
  );

/** If this attempt is lost, the next one follows after the lease and the delay of a failed attempt. */
const lease = (token: string, tries: number) => ({
  attempts: sql<number>`attempts + 1`,
  tries,
  lease_token: token,
  leased_until: fromNow(LEASE_MS),
  next_attempt_at: fromNow(LEASE_MS + (waitAfter(tries, Math.random()) ?? 0)),
});

/** If a delivery can be claimed, the process of its running attempt is gone. */
const markLost = (transaction: Db, id: number) =>
  transaction
    .updateTable("delivery_attempts")
    .set({ outcome: "lost" })
    .where("delivery_id", "=", id)
    .where("outcome", "=", "in_flight")
    .execute();

async function beginAttempt(transaction: Db, id: number, leaseToken: string): Promise<Claim> {
  const row = await transaction
    .selectFrom("deliveries")
    .select(["order_id", "attempts", "tries", "webhook_id", "body"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("delivery_attempts")
    .values({ delivery_id: id, number: row.attempts, started_at: now(), outcome: "in_flight" })
    .execute();
  const { order_id: orderId, attempts: number, tries, webhook_id: webhookId, body } = row;
  return { deliveryId: id, orderId, leaseToken, number, tries, webhookId, body };
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
      const { numUpdatedRows } = await transaction
        .updateTable("deliveries")
        .set({
          state: delivered ? "delivered" : sql`case when superseded = 1 then 'failed' else ${verdict.state} end`,
          next_attempt_at: sql`case when superseded = 1 then null else ${next} end`,
          lease_token: null,
          leased_until: null,
          ...(delivered ? { delivered_at: now(), superseded: 0 } : {}),
        })
        .where("id", "=", claim.deliveryId)
        .where("lease_token", "=", claim.leaseToken)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return;
      await transaction
        .updateTable("delivery_attempts")
        .set({
          outcome: result.outcome,
          duration_ms: result.durationMs,
          http_status: result.httpStatus,
          response_excerpt: result.excerpt,
        })
        .where("delivery_id", "=", claim.deliveryId)
        .where("number", "=", claim.number)
        .execute();
    },
    READ_COMMITTED,
  );
