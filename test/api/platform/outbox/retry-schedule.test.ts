import { expect, test } from "vitest";
import { decide } from "../../../../api/platform/outbox/attempt.ts";
import { MAIL_SCHEDULE, retry } from "../../../../api/platform/outbox/retry-schedule.ts";
import { readRetryAfter } from "../../../../api/platform/webhook/sender.ts";
import { VERIFIED_FOR_MS } from "../../../../api/selling/mail/verification-codes.ts";

const failure = { outcome: "status" as const, httpStatus: 500, excerpt: "", retryAfterMs: 0, durationMs: 1 };
const now = Date.parse("2026-11-20T09:30:00.000Z");
const hour = 3_600_000;

/** The delays in milliseconds before each retry, until the delivery fails. */
function delays(random: number): (number | string)[] {
  const seen: (number | string)[] = [];
  for (let tries = 1; tries < 20; tries += 1) {
    const verdict = decide(failure, tries, random);
    if (verdict.state !== "pending") return [...seen, verdict.state];
    seen.push(verdict.delayMs);
  }
  return seen;
}

test("a failing delivery is tried ten times over 75 hours and 35 minutes, then given up", () => {
  const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
  expect(delays(0.5)).toEqual([...seconds.map((wait) => wait * 1_000), "failed"]);
  expect(seconds.reduce((sum, wait) => sum + wait)).toBe(75 * 3_600 + 35 * 60 + 5);
});

test("a mail is tried twelve times within three days, four times of them while its code can be entered", () => {
  const until = MAIL_SCHEDULE.map((_, index) => MAIL_SCHEDULE.slice(0, index + 1).reduce((sum, wait) => sum + wait));
  expect([until.length, until.at(-1)]).toEqual([12, 71 * hour + 42.5 * 60_000]);
  expect(until.filter((wait) => wait * 1.2 < VERIFIED_FOR_MS)).toHaveLength(4);
  expect(retry(MAIL_SCHEDULE, 1, 0.5)).toEqual({ state: "pending", delayMs: 30_000 });
  expect(retry(MAIL_SCHEDULE, 11, 0.5)).toEqual({ state: "pending", delayMs: 20 * hour });
  expect(retry(MAIL_SCHEDULE, 12, 0.5)).toEqual({ state: "failed" });
});

test("each delay varies by up to 20 % in either direction", () => {
  expect(delays(0).slice(0, 3)).toEqual([4_000, 240_000, 1_440_000]);
  expect(delays(0.999_999_9).slice(0, 3)).toEqual([6_000, 360_000, 2_160_000]);
});

test("Retry-After can lengthen a delay but not shorten it", () => {
  expect(decide({ ...failure, retryAfterMs: 60_000 }, 1, 0)).toEqual({ state: "pending", delayMs: 60_000 });
  expect(decide({ ...failure, retryAfterMs: 60_000 }, 2, 0.5)).toEqual({ state: "pending", delayMs: 300_000 });
  expect(decide({ ...failure, retryAfterMs: 60_000 }, 10, 0.5)).toEqual({ state: "failed" });
});

test("410 and a refused address fail a delivery at once; a success on any try delivers it", () => {
  for (const outcome of ["gone", "refused_address"] as const)
    expect(decide({ ...failure, outcome }, 1, 0.5)).toEqual({ state: "failed" });
  for (const tries of [1, 10, 11])
    expect(decide({ ...failure, outcome: "delivered" }, tries, 0.5)).toEqual({ state: "delivered" });
  for (const outcome of ["status", "redirect", "timeout", "connection"] as const)
    expect(decide({ ...failure, outcome }, 1, 0.5).state).toBe("pending");
});

test.each([
  ["120", 120_000],
  ["0", 0],
  [" 7 ", 7_000],
  ["Fri, 20 Nov 2026 09:31:00 GMT", 60_000],
  ["Friday, 20-Nov-26 09:31:00 GMT", 60_000],
  ["Fri Nov 20 09:31:00 2026", 60_000],
  ["Fri, 20 Nov 2026 09:29:00 GMT", 0],
  ["86401", 24 * hour],
  ["99999999999999999999", 24 * hour],
  ["Fri, 20 Nov 2099 09:31:00 GMT", 24 * hour],
  ["-5", 0],
  ["1.5", 0],
  ["soon", 0],
  ["2027", 2_027_000],
  ["2026-11-20T09:31:00Z", 0],
  ["", 0],
  [undefined, 0],
])("Retry-After: %s is read as %s ms", (value, milliseconds) => {
  expect(readRetryAfter(value, now)).toBe(milliseconds);
});
