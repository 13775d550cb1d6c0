import { randomUUID } from "node:crypto";
import type { UpdateObject } from "kysely";
import { ago, fromNow } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";
import { type Schedule, waitAfter } from "./retry-schedule.ts";

type QueueName = "deliveries" | "mails";
type Changes = UpdateObject<Tables, QueueName>;

/** A table of what leaves the shop later. Processes share it by leases, without locks while they send. */
export interface QueueTable {
  table: QueueName;
  /** The column that counts tries; lost ones count, so that what crashes the process can't do so for ever. */
  tries: "tries" | "attempts";
  schedule: Schedule;
  /** Longer than an attempt takes: the process of an expired lease is gone, or too late to count. */
  leaseMs: number;
  /** What a lease changes besides. */
  onTake: Changes;
  /** What the end of a lease changes besides. */
  onEnd: Changes;
}

/** The right to make one attempt, until it expires. */
export interface Lease {
  id: number;
  token: string;
  /** Tries on the schedule, this one included. */
  tries: number;
  /** There was no try left: it has failed instead, and there is no attempt to make. */
  isUsedUp: boolean;
}

/** Ids of what is due, the longest due first. */
export async function findDueIn(db: Db, { table }: QueueTable, limit: number): Promise<number[]> {
  const due = db.selectFrom(table).select("id").where("state", "=", "pending").where("next_attempt_at", "<=", ago(0));
  // What is superseded isn't pending; the index of deliveries has this column before the time.
  const rows = await (table === "deliveries" ? due.where("superseded", "=", 0) : due)
    .orderBy("next_attempt_at")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Takes the lease of a due row, whose `tries` so far the caller has read in this transaction. Undefined when another
 * process was faster. One conditional update decides, without SKIP LOCKED or RETURNING.
 */
export async function takeLease(
  transaction: Db,
  queue: QueueTable,
  id: number,
  tries: number,
): Promise<Lease | undefined> {
  const isUsedUp = waitAfter(queue.schedule, tries, 0) === undefined;
  const lease = { id, token: randomUUID(), tries: tries + 1, isUsedUp };
  const { numUpdatedRows } = await transaction
    .updateTable(queue.table)
    .set(isUsedUp ? { state: "failed", next_attempt_at: null, ...ended(queue) } : taken(queue, lease))
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where(queue.tries, "=", tries)
    .where("next_attempt_at", "<=", ago(0))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 0n ? undefined : lease;
}

/**
 * Takes the lease for the first try of a schedule that begins anew. The caller has locked the row and knows that it isn't
 * leased.
 */
export async function takeLeaseAnew(transaction: Db, queue: QueueTable, id: number): Promise<Lease> {
  const lease = { id, token: randomUUID(), tries: 1, isUsedUp: false };
  await transaction
    .updateTable(queue.table)
    .set({ state: "pending", ...taken(queue, lease) })
    .where("id", "=", id)
    .execute();
  return lease;
}

/** Ends a lease with these changes. Returns whether it did: no effect once another process has the lease. */
export async function endLease(
  db: Db,
  queue: QueueTable,
  { id, token }: Pick<Lease, "id" | "token">,
  changes: Changes,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(queue.table)
    .set({ ...changes, ...ended(queue) })
    .where("id", "=", id)
    .where("lease_token", "=", token)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** If this attempt is lost, the next one follows after the lease and the delay of a failed attempt. */
const taken = ({ tries, schedule, leaseMs, onTake }: QueueTable, lease: Lease): Changes => ({
  ...onTake,
  [tries]: lease.tries,
  lease_token: lease.token,
  next_attempt_at: fromNow(leaseMs + (waitAfter(schedule, lease.tries, Math.random()) ?? 0)),
});

const ended = ({ onEnd }: QueueTable): Changes => ({ ...onEnd, lease_token: null });
