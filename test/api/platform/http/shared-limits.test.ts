import { expect, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { takeShared, takeSharedOf } from "../../../../api/platform/http/shared-limits.ts";
import { openMigratedDatabase, PATIENT } from "../../api.ts";

test("the first requests of an hour pass, and later ones don't", async () => {
  const { db } = await openMigratedDatabase();
  const taken = [];
  for (let turn = 0; turn < 5; turn += 1) taken.push(await takeShared(db, "find", "192.0.2.1", 3));
  expect(taken).toEqual([true, true, true, false, false]);
});

test("names and clients are counted apart", async () => {
  const { db } = await openMigratedDatabase();
  await takeShared(db, "find", "192.0.2.1", 1);
  expect(await takeShared(db, "find", "192.0.2.2", 1)).toBe(true);
  expect(await takeShared(db, "vies", "192.0.2.1", 1)).toBe(true);
  expect(await takeShared(db, "find", "192.0.2.1", 1)).toBe(false);
});

test("an hour after the first request the count begins again, at one", async () => {
  const { db } = await openMigratedDatabase();
  for (let turn = 0; turn < 9; turn += 1) await takeShared(db, "find", "192.0.2.1", 2);
  await db
    .updateTable("request_counts")
    .set({ began_at: fromNow(-3_600_001) })
    .execute();
  const taken = [];
  for (let turn = 0; turn < 3; turn += 1) taken.push(await takeShared(db, "find", "192.0.2.1", 2));
  expect(taken).toEqual([true, true, false]);
});

test("two processes count together, also at the same time", async () => {
  const { db, url } = await openMigratedDatabase();
  const other = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: PATIENT });
  try {
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => takeShared(turn % 2 ? db : other, "placements", "2001:db8::/64", 30)),
    );
    expect(taken.filter(Boolean)).toHaveLength(30);
  } finally {
    await other.destroy();
  }
});

test("the /64 networks of a /56 have eight times the limit together", async () => {
  const { db } = await openMigratedDatabase();
  const taken = [];
  for (let network = 0; network < 10; network += 1)
    taken.push(await takeSharedOf(db, "find", `2001:db8:0:${network}::1`, 1));
  expect(taken).toEqual([...Array(8).fill(true), false, false]);
  expect(await takeSharedOf(db, "find", "2001:db8:0:100::1", 1)).toBe(true);
  expect(await takeSharedOf(db, "find", "192.0.2.1", 1)).toBe(true);
});
