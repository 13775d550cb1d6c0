import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { describeOutage } from "../../../../api/platform/database/outage.ts";
import { type Db, openDatabase } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { inTransaction } from "../../../../api/platform/database/transaction.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { openMigratedDatabase, openTestDatabase, startApi } from "../../api.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { startProxy } from "./proxy.ts";
import { isMariadb, sessionValues } from "./session-values.ts";

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

/** A database behind a proxy that can answer statements by errors. */
async function openRefusingDatabase() {
  const { db: direct, url } = await openMigratedDatabase();
  const { url: through, refuse } = await startProxy(url);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: through }));
  onTestFinished(() => db.destroy());
  return { direct, db, refuse };
}

test("an order whose transaction meets rivals at any statement, COMMIT included, is placed once", async () => {
  const { direct, db, refuse } = await openRefusingDatabase();
  const words = ["begin", "update `counters`", "insert into `orders`", "commit", "commit"];
  refuse(...words.map((word) => ({ word, errno: 1213, sqlState: "40001" })));
  refuse({ word: "update `counters`", errno: 1205, sqlState: "HY000" });
  expect(await placeOrder(db, newOrder())).toEqual({ id: 1, sequence: 1 });
  const ids = await direct.selectFrom("orders").select("id").execute();
  expect(ids).toEqual([{ id: 1 }]);
});

test("after 20 tries a transaction gives up, and the conflict counts as an outage", async () => {
  const { direct, db, refuse } = await openRefusingDatabase();
  refuse(...Array.from({ length: 20 }, () => ({ word: "commit", errno: 1213, sqlState: "40001" })));
  const error: unknown = await placeOrder(db, newOrder()).catch((reason: unknown) => reason);
  expect(describeOutage(error)).toContain("ER_LOCK_DEADLOCK");
  expect(await direct.selectFrom("orders").select("id").execute()).toEqual([]);
  expect((await placeOrder(db, newOrder())).id).toBe(1); // the 21st COMMIT
});

test.for([
  { errno: 1047, sqlState: "08S01" },
  { errno: 1180, sqlState: "HY000" },
  { errno: 1213, sqlState: "40001" },
  { errno: 1290, sqlState: "HY000" },
  { errno: 1836, sqlState: "HY000" },
])("a database that answers a read by error $errno means 503 with Retry-After", async (error) => {
  const { db, refuse } = await openRefusingDatabase();
  const { get } = await startApi({ db });
  refuse({ word: "select", ...error });
  const refused = await get("/api/orders");
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
  expect((await get("/api/orders")).statusCode).toBe(200);
});

test.for([
  { errno: 1047, sqlState: "08S01", leaves: true },
  { errno: 1180, sqlState: "HY000", leaves: true },
  { errno: 1290, sqlState: "HY000", leaves: true },
  { errno: 1836, sqlState: "HY000", leaves: true },
  { errno: 1062, sqlState: "23000", leaves: false },
])(
  "a connection whose server refuses to serve is closed, and after an ordinary error kept: $errno",
  async ({ leaves, ...error }) => {
    const { db, refuse } = await openRefusingDatabase();
    const connection = () => sessionValues(db, "session_variables", "pseudo_thread_id");
    const before = await connection();
    expect(await connection()).toEqual(before);
    refuse({ word: "update `counters`", ...error });
    await expect(inTransaction(db, (transaction) => takeNumbers(transaction, "orders", one))).rejects.toThrow();
    expect(String(await connection()) !== String(before)).toBe(leaves);
  },
);

test("reads wait for other nodes only on a node of a Galera cluster", async () => {
  const { db: direct, url } = await openMigratedDatabase();
  const proxy = await startProxy(url);
  // A server that isn't in a cluster answers for its wsrep_on as one that is.
  proxy.replace("value = 'ON'", "value ='OFF'");
  const inCluster = openDatabase(readDatabaseAddress({ DATABASE_URL: proxy.url }));
  onTestFinished(() => inCluster.destroy());
  const read = (db: Db) => sessionValues(db, "session_variables", "wsrep_sync_wait");
  // MySQL, which has no such cluster, lacks the variable: setting it would be an error.
  const [off, on] = (await isMariadb(direct)) ? [["0"], ["1"]] : [[], []];
  expect(await read(direct)).toEqual(off);
  const together = await Promise.all([read(inCluster), read(inCluster), read(inCluster)]);
  expect([...together, await read(inCluster)]).toEqual(Array(4).fill(on));
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

test.for([
  ["doesn't respond", "ER_UNKNOWN_COM_ERROR", "ER_ERROR_DURING_COMMIT", "ER_QUERY_INTERRUPTED", "ER_CON_COUNT_ERROR"],
  ["is read-only", "ER_OPTION_PREVENTS_STATEMENT", "ER_READ_ONLY_MODE", "ER_INNODB_READ_ONLY", "ER_SCHEMA_READ_ONLY"],
  ["can't write: free space", "ER_RECORD_FILE_FULL", "ER_DISK_FULL", "ER_ERROR_ON_WRITE", "EE_WRITE"],
  ["can't write: free space", "ER_BINLOG_LOGGING_IMPOSSIBLE", "ER_TEMP_FILE_WRITE_FAILURE", "EE_CANTCREATEFILE"],
  ["can't use one of its files", "ER_GET_ERRNO", "ER_CANT_OPEN_FILE"],
  ["lacks memory", "ER_OUT_OF_RESOURCES", "ER_OUTOFMEMORY", "ER_LOCK_TABLE_FULL", "ER_CANT_CREATE_THREAD"],
])("an outage whose sentence says that the database %s: %s and others", ([sentence = "", ...codes]) => {
  const described = codes.map((code) => describeOutage(Object.assign(new Error("refused"), { code })));
  expect(described).toEqual(codes.map((code) => expect.stringMatching(new RegExp(`${sentence}.*\\(${code}\\)`))));
});

test.for([
  ["can't write: free space", "ER_GET_ERRNO", 'Got error 28 "No space left on device" from storage engine InnoDB'],
  ["lacks memory", "ER_CANT_OPEN_FILE", `Can't open file: './shop/orders.ibd' (errno: 24 "Too many open files")`],
  [
    "can't use one of its files",
    "ER_GET_ERRNO",
    'Got error 176 "Read page with wrong checksum" from storage engine Aria',
  ],
])("an outage that %s: %s, whose reason is in its text: %s", ([sentence = "", code, text]) => {
  expect(describeOutage(Object.assign(new Error(text), { code }))).toContain(sentence);
});
