import { expect, test } from "vitest";
import { placeOrder } from "../../../api/orders/place-order.ts";
import { boughtOrder } from "../mail/mail-shop.ts";
import { startAssistant } from "./assistant-shop.ts";

const CALLS = 1_000;
/** A busy machine's noise shrinks with each further round, and a real difference stays. */
const MOST_ROUNDS = 8;
const BAR = 0.05;

const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

test("fault 11: the times of 1,000 calls or more about a known order and of as many about unknown ones have medians within 5 %", async () => {
  const { db, call } = await startAssistant();
  await placeOrder(db, boughtOrder());
  /** Milliseconds of a call that no limit stops. */
  const time = async (order_number: string, conversation: string): Promise<number> => {
    await db.deleteFrom("request_counts").execute();
    const begin = performance.now();
    const args = { order_number, email: "ada@example.com" };
    const { statusCode } = await call("start_verification", args, { conversation });
    const took = performance.now() - begin;
    expect(statusCode).toBe(200);
    return took;
  };
  const [known, unknown]: [number[], number[]] = [[], []];
  let difference = Infinity;
  for (let round = 0; round < MOST_ROUNDS && difference > BAR; round += 1) {
    for (let index = 0; index < CALLS; index += 1) {
      // In turn, and each first as often as the other.
      const both = [
        async () => known.push(await time("A-1001", `known-${round}-${index}`)),
        async () => unknown.push(await time(`A-${5_000 + index}`, `unknown-${round}-${index}`)),
      ];
      for (const each of index % 2 === 0 ? both : both.reverse()) await each();
    }
    difference = Math.abs(median(known) / median(unknown) - 1);
  }
  console.log(`Medians of ${known.length} calls each differ by ${(difference * 100).toFixed(1)} %.`);
  expect(difference).toBeLessThanOrEqual(BAR);
}, 900_000);
