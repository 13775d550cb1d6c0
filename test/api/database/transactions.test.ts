import { expect, test } from "vitest";
import { describeOutage } from "../../../api/database/outage.ts";
import type { Db } from "../../../api/database/pool.ts";
import { takeNumbers } from "../../../api/database/sequence.ts";
import { inTransaction } from "../../../api/database/transaction.ts";
import { openTestDatabase } from "../api.ts";

const one = { ids: 1, sequences: 1 };

/** Takes both numbers in this order; on the first try the second one not before `bothHold` one. */
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

test("of two transactions in a deadlock both succeed, one at the second try", async () => {
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

test("a transaction that fails for another reason is not tried again, and in one at hand nothing is", async () => {
  const db = await openTestDatabase();
  let tries = 0;
  const fail = async () => {
    tries += 1;
    throw new RangeError("no");
  };
  await expect(inTransaction(db, fail)).rejects.toThrow(RangeError);
  expect(tries).toBe(1);
  const deadlocked = Object.assign(new Error("a rival"), { code: "ER_LOCK_DEADLOCK" });
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

test("a rival is met at any statement and at COMMIT, under whatever number, and for no longer than a request lasts", async () => {
  const db = await openTestDatabase();
  const rivals = [{ code: "ER_LOCK_DEADLOCK" }, { code: "ER_LOCK_WAIT_TIMEOUT" }, { sqlState: "40001" }];
  let tries = 0;
  const meetRivals = async () => {
    const rival = rivals[tries];
    tries += 1;
    if (rival) throw Object.assign(new Error("a rival"), rival);
    return tries;
  };
  expect(await inTransaction(db, meetRivals)).toBe(4);
  tries = 0;
  const never = inTransaction(db, async () => {
    tries += 1;
    throw Object.assign(new Error("a rival"), { sqlState: "40001" });
  });
  await expect(never).rejects.toThrow("a rival");
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThanOrEqual(20);
});

test("work that nobody waits for any more is undone, not committed", async () => {
  const db = await openTestDatabase();
  const given = new AbortController();
  const work = inTransaction(
    db,
    async (transaction) => {
      await takeNumbers(transaction, "orders", one);
      given.abort(new Error("given up"));
    },
    { signal: given.signal },
  );
  await expect(work).rejects.toThrow("given up");
  expect((await takeNumbers(db, "orders", one)).last_id).toBe(1);
});

test.for(["ER_UNKNOWN_COM_ERROR", "ER_ERROR_DURING_COMMIT", "ER_OPTION_PREVENTS_STATEMENT", "ER_READ_ONLY_MODE"])(
  "%s is an outage",
  (code) => {
    expect(describeOutage(Object.assign(new Error("refused"), { code }))).toContain(code);
  },
);
