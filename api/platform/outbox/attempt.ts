import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../database/pool.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { AttemptResult, Send } from "../webhook/sender.ts";
import { type Claim, recordAttempt } from "./delivery-lease.ts";
import { DELIVERY_SCHEDULE, retry, type Verdict } from "./retry-schedule.ts";

/** What a push and the worker need to make attempts. */
export interface Outbox {
  db: Db;
  send: Send;
  metrics: Pick<Metrics, "countAttempt">;
}

export interface AttemptLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const GIVEN_UP = "A delivery can't be made, and won't be tried again.";

/** Bridges a short outage of the database, so that an accepted message isn't sent twice. */
const RECORD_TRIES = 4;
const RECORD_PAUSE_MS = 500;

/**
 * Makes a claimed attempt and records its result. Throws when it can't be recorded: the lease then expires, and another
 * attempt follows with the same webhook-id.
 */
export async function makeAttempt({ db, send, metrics }: Outbox, log: AttemptLog, claim: Claim): Promise<void> {
  const result = await send(claim);
  const { outcome, httpStatus, durationMs } = result;
  const { id, orderId, number } = claim;
  metrics.countAttempt(outcome, durationMs / 1_000);
  const verdict = decide(result, claim.tries, Math.random());
  const fields = { delivery: id, order: orderId, attempt: number, outcome, httpStatus, ms: durationMs };
  if (verdict.state === "delivered") log.info(fields, "delivered");
  else log.warn(fields, verdict.state === "failed" ? GIVEN_UP : "A delivery failed; it will be tried again.");
  await recordPersistently(() => recordAttempt(db, claim, result, verdict));
}

/**
 * Decides on a delivery after its try number `tries`, from 1. `random` is in [0, 1). 410 and a refused address fail it at
 * once; other failures are retried, but not before the receiver's Retry-After.
 */
export function decide({ outcome, retryAfterMs }: AttemptResult, tries: number, random: number): Verdict {
  if (outcome === "delivered") return { state: "delivered" };
  if (outcome === "gone" || outcome === "refused_address") return { state: "failed" };
  return retry(DELIVERY_SCHEDULE, tries, random, retryAfterMs);
}

/** Tries a few times to record a result. Throws the last error. */
export async function recordPersistently(record: () => Promise<void>): Promise<void> {
  for (let left = RECORD_TRIES - 1; ; left -= 1) {
    try {
      return await record();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(RECORD_PAUSE_MS);
    }
  }
}
