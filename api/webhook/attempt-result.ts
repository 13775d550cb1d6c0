/** How an attempt can end; design §6. `timeout` and `connection`: no whole answer came, in time or at all. */
export const ATTEMPT_OUTCOMES = [
  "delivered",
  "status",
  "redirect",
  "gone",
  "timeout",
  "connection",
  "refused_address",
] as const;

export interface AttemptResult {
  outcome: (typeof ATTEMPT_OUTCOMES)[number];
  /** Of the answer; null when none came. */
  httpStatus: number | null;
  /** At most 1 KiB of the answer's text. */
  excerpt: string | null;
  /** What the answer's Retry-After asks for, 0 to 24 hours. */
  retryAfterMs: number;
  durationMs: number;
}
