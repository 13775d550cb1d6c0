import { expect, test } from "vitest";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { boughtOrder } from "../selling/mail/mail-shop.ts";
import { startAssistant } from "./assistant-shop.ts";

const CONVERSATIONS = 100;
const ROUNDS = 100;
/** A-1001 to A-1010; the guesses that are answered go on to A-1015. */
const ORDERS = 10;

test("of 10,000 calls that guess order numbers at once, 2,500 are answered, in the same words for known and unknown orders, and none sends a mail", async () => {
  const { app, db, get, call } = await startAssistant({ rateLimitPerMinute: 5_000, now: () => 0 });
  for (let count = 0; count < ORDERS; count += 1) await placeOrder(db, boughtOrder());
  /** A call of each conversation about one order. */
  const guess = (round: number) => {
    const order_number = `A-${1_001 + Math.floor(round / 2)}`;
    return Array.from({ length: CONVERSATIONS }, (_, index) => {
      const options = { conversation: `chat-${index}` };
      return round % 2 === 0
        ? call("order_status", { order_number }, options)
        : call("start_verification", { order_number, email: `eve${index}@evil.example` }, options);
    });
  };
  const counts = new Map<number, number>();
  const words = new Map<number, Set<string>>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { statusCode, json, headers } of await Promise.all(guess(round))) {
      counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
      const { say, detail } = json();
      words.set(statusCode, (words.get(statusCode) ?? new Set()).add(say ?? detail));
      if (statusCode === 429) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
  // A conversation makes 30 calls a minute: 15 ask for the status, and of 15 that ask for a code 10 may.
  expect(Object.fromEntries(counts)).toEqual({ 200: 1_000, 422: 1_500, 429: 7_500 });
  expect([words.get(200)?.size, words.get(422)?.size]).toEqual([1, 1]);
  expect(await db.selectFrom("mails").select("id").execute()).toEqual([]);
  expect(await db.selectFrom("assistant_calls").select("id").execute()).toHaveLength(5_000);
  expect((await get("/api/orders")).statusCode).toBe(200);
  expect((await app.inject({ method: "GET", url: "/search?q=scanner" })).statusCode).toBe(200);
});

test("calls without the assistant's token leave no rows", async () => {
  const { db, call } = await startAssistant();
  for (const token of ["", "another-token-of-at-least-32-letters-x"])
    expect((await call("order_status", { order_number: "A-1001" }, { token })).statusCode).toBe(401);
  expect(await db.selectFrom("assistant_calls").selectAll().execute()).toEqual([]);
});
