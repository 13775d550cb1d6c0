import type { AttemptResult } from "../webhook/attempt-result.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits before each try, the first included (Standard Webhooks 1.0.0, "Retry schedule"): ten tries over 75.6 hours. */
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
const LONGEST_RETRY_AFTER = 24 * HOUR;

export type Verdict = { state: "delivered" } | { state: "failed" } | { state: "pending"; delayMs: number };

/**
 * What becomes of a delivery after its try number `tries` (from 1). `random` is in [0, 1). 410 and an address that may
 * not be dialled end it at once; what else fails is tried again, ±20 % so that a crowd that failed together comes back
 * apart, and never before the receiver's Retry-After.
 */
export function decide({ outcome, retryAfterMs }: AttemptResult, tries: number, random: number): Verdict {
  if (outcome === "delivered") return { state: "delivered" };
  const wait = waitAfter(tries, random);
  if (outcome === "gone" || outcome === "refused_address" || wait === undefined) return { state: "failed" };
  return { state: "pending", delayMs: Math.max(wait, retryAfterMs) };
}

/** Milliseconds between try number `tries` and the next one; undefined after the last. `random` is in [0, 1). */
export function waitAfter(tries: number, random: number): number | undefined {
  const wait = SCHEDULE[tries];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}

/**
 * Milliseconds that a Retry-After asks for (RFC 9110 §10.2.3: seconds or a date), at most 24 hours; 0 when there is
 * none, or none that can be read. `now` in milliseconds.
 */
export function readRetryAfter(value: string | undefined, now: number): number {
  const text = value?.trim() ?? "";
  const asked = /^[0-9]+$/.test(text) ? Number(text) * SECOND : parseDate(text) - now;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), LONGEST_RETRY_AFTER);
}

/** Date.parse takes much that is no date of HTTP; all three forms of RFC 9110 §5.6.7 begin with a day's name. */
const parseDate = (text: string) =>
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text) ? Date.parse(text) : Number.NaN;
