import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { boundedReader } from "../../../../api/platform/database/readiness.ts";

/** Keeps the process from reading anything, as a busy machine does. */
function stall(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test("a reader that takes too long gives null, and its answer isn't waited for", async () => {
  expect(await boundedReader(() => new Promise(() => {}), 10)()).toBe(null);
});

test("what arrived while the process was stalled past the limit is read", async () => {
  await setImmediate(); // the event loop then goes on with timers
  const read = boundedReader(() => promisify(randomBytes)(8), 10)();
  stall(200);
  expect(await read).toHaveLength(8);
});
