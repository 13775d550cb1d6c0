import { DAY_MS } from "../../contract/duration.ts";
import { ActRefused } from "./act-refused.ts";

/** Of the reporter's clock. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * When something happened to an order, as it was reported; now, if that was left out. Throws ActRefused for a time in the
 * future, or more than a day before the order (RFC 3339).
 */
export function readReportTime(reported: Date | undefined, orderedAt: string): Date {
  const now = Date.now();
  if (!reported) return new Date(now);
  const earliest = Date.parse(orderedAt) - DAY_MS;
  if (reported.getTime() >= earliest && reported.getTime() <= now + CLOCK_SKEW_MS) return reported;
  throw new ActRefused("content", "The time is in the future, or more than a day before the order.", "time");
}
