import { expect, test } from "vitest";
import { takeNumbers } from "../../api/counter.ts";
import { type Db, inTransaction } from "../../api/database.ts";
import { openTestDatabase } from "./api.ts";

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
