import { expect, test } from "vitest";
import { describeOutage } from "../../../api/database/outage.ts";
import type { Db } from "../../../api/database/pool.ts";
import { takeNumbers } from "../../../api/database/sequence.ts";
import { inTransaction } from "../../../api/database/transaction.ts";
import { openTestDatabase } from "../api.ts";

const one = { ids: 1, sequences: 1 };

/** Takes numbers from both counters in this order; the first try waits for `bothHold` between the two. */
function takeBoth(db: Db, bothHold: () => Promise<void>, ...names: ("orders" | "products")[]) {
  let tries = 0;
  return inTransaction(db, async (transaction) => {
    tries += 1;
    for (const name of names) {
      await takeNumbers(transaction, name, one);
      if (tries === 1 && name === names[0]) await bothHold();
    }
    return tries;
  });
}

test("two deadlocked transactions both succeed, one of them on its second try", async () => {
  const db = await openTestDatabase();
  const { promise, resolve } = Promise.withResolvers<void>();
  let holders = 0;
  const bothHold = () => {
    holders += 1;
    if (holders === 2) resolve();
    return promise;
  };
  const tries = await Promise.all([
    takeBoth(db, bothHold, "orders", "products"),
    takeBoth(db, bothHold, "products", "orders"),
  ]);
  expect(tries.sort()).toEqual([1, 2]);
  const counters = await db.selectFrom("counters").select(["last_id", "last_sequence"]).execute();
  expect(counters).toEqual(Array(2).fill({ last_id: 2, last_sequence: 2 }));
});

test("other errors aren't retried, nor is a deadlock inside a transaction that is already open", async () => {
  const db = await openTestDatabase();
  let tries = 0;
  const fail = async () => {
    tries += 1;
    throw new RangeError("no");
  };
  await expect(inTransaction(db, fail)).rejects.toThrow(RangeError);
  expect(tries).toBe(1);
  const deadlocked = Object.assign(new Error("a conflict"), { code: "ER_LOCK_DEADLOCK" });
  const open = await db.startTransaction().execute();
  await expect(
    inTransaction(open, async () => {
      tries += 1;
      throw deadlocked;
    }),
  ).rejects.toBe(deadlocked);
  await open.rollback().execute();
  expect(tries).toBe(2);
});

test("deadlocks, lock timeouts and serialization failures are retried, but only for as long as a request lasts", async () => {
  const db = await openTestDatabase();
  const conflicts = [{ code: "ER_LOCK_DEADLOCK" }, { code: "ER_LOCK_WAIT_TIMEOUT" }, { sqlState: "40001" }];
  let tries = 0;
  const meetConflicts = async () => {
    const conflict = conflicts[tries];
    tries += 1;
    if (conflict) throw Object.assign(new Error("a conflict"), conflict);
    return tries;
  };
  expect(await inTransaction(db, meetConflicts)).toBe(4);
  tries = 0;
  const never = inTransaction(db, async () => {
    tries += 1;
    throw Object.assign(new Error("a conflict"), { sqlState: "40001" });
  });
  await expect(never).rejects.toThrow("a conflict");
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThanOrEqual(20);
});

test("an aborted transaction is rolled back", async () => {
  const db = await openTestDatabase();
  const controller = new AbortController();
  const work = inTransaction(
    db,
    async (transaction) => {
      await takeNumbers(transaction, "orders", one);
      controller.abort(new Error("given up"));
    },
    { signal: controller.signal },
  );
  await expect(work).rejects.toThrow("given up");
  expect((await takeNumbers(db, "orders", one)).last_id).toBe(1);
});

test.for(["ER_UNKNOWN_COM_ERROR", "ER_ERROR_DURING_COMMIT", "ER_OPTION_PREVENTS_STATEMENT", "ER_READ_ONLY_MODE"])(
  "%s counts as an outage",
  (code) => {
    expect(describeOutage(Object.assign(new Error("refused"), { code }))).toContain(code);
  },
);
