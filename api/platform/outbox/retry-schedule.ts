const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before each try, from the first. */
export type Schedule = readonly number[];

/** Of deliveries to the ERP (Standard Webhooks 1.0.0, "Retry schedule"): ten tries over 75.6 hours. */
export const DELIVERY_SCHEDULE: Schedule = [
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

/**
 * Of mails: twelve tries over 71.7 hours. Somebody waits for a mail, so the first tries are close together: a server that
 * refuses strangers for some minutes (greylisting) takes the third or fourth one, while a code in it can still be entered.
 */
export const MAIL_SCHEDULE: Schedule = [
  0,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  16 * HOUR,
  20 * HOUR,
  20 * HOUR,
];

const JITTER = 0.2;

/** What becomes of something after a try. */
export type Verdict = { state: "delivered" } | { state: "failed" } | { state: "pending"; delayMs: number };

/**
 * Decides after try number `tries`, from 1, which failed in a way that waiting may change: the next one follows after the
 * scheduled delay ±20 %, to spread retries, but not before `atLeastMs`. `random` is in [0, 1).
 */
export function retry(schedule: Schedule, tries: number, random: number, atLeastMs = 0): Verdict {
  const wait = waitAfter(schedule, tries, random);
  return wait === undefined ? { state: "failed" } : { state: "pending", delayMs: Math.max(wait, atLeastMs) };
}

/** Milliseconds between try number `tries`, from 1, and the next; undefined after the last. `random` is in [0, 1). */
export function waitAfter(schedule: Schedule, tries: number, random: number): number | undefined {
  const wait = schedule[tries];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
