import type { AttemptResult } from "../webhook/sender.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay before each try, from the first (Standard Webhooks 1.0.0, "Retry schedule"): ten tries over 75.6 hours. */
const SCHEDULE = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;

export type Verdict = { state: "delivered" } | { state: "failed" } | { state: "pending"; delayMs: number };

/**
 * Decides on a delivery after its try number `tries`, from 1. `random` is in [0, 1). 410 and a refused address fail it
 * at once; other failures are retried after the scheduled delay ±20 %, to spread retries, and never before the
 * receiver's Retry-After.
 */
export function decide({ outcome, retryAfterMs }: AttemptResult, tries: number, random: number): Verdict {
  if (outcome === "delivered") return { state: "delivered" };
  const wait = waitAfter(tries, random);
  if (outcome === "gone" || outcome === "refused_address" || wait === undefined) return { state: "failed" };
  return { state: "pending", delayMs: Math.max(wait, retryAfterMs) };
}

/** Milliseconds between try number `tries`, from 1, and the next; undefined after the last. `random` is in [0, 1). */
export function waitAfter(tries: number, random: number): number | undefined {
  const wait = SCHEDULE[tries];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
