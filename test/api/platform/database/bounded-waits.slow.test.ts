import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { pushOrder } from "../../../../api/partners/erp/push.ts";
import { describeOutage } from "../../../../api/platform/database/outage.ts";
import { COMMAND, MONITORING, openDatabase, SERVING } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { claimDue, findDue } from "../../../../api/platform/outbox/delivery-lease.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { listOrders } from "../../../../api/selling/orders/queries.ts";
import { openMigratedDatabase, startApi } from "../../api.ts";
import { startPushing } from "../../partners/erp/deliveries.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { until } from "../../server-process.ts";
import { webhookTo } from "../webhook/erp-server.ts";
import { startProxy } from "./proxy.ts";

/** A migrated, empty database with the timeouts of the API, and its URL. */
async function openServing() {
  const { url } = await openMigratedDatabase();
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }));
  onTestFinished(() => db.destroy());
  return { db, url };
}

test("silently dropped connections are given up, and readiness, status and orders recover with the database", async () => {
  const { url } = await openMigratedDatabase();
  const proxy = await startProxy(url);
  const address = readDatabaseAddress({ DATABASE_URL: proxy.url });
  const [db, monitoringDb] = [openDatabase(address), openDatabase(address, { timeouts: MONITORING })];
  onTestFinished(async () => {
    // A connection that was begun while they were dropped may still run into its timeout, which a pool's end says.
    await Promise.allSettled([db.destroy(), monitoringDb.destroy()]);
  });
  const { get } = await startApi({ db, monitoringDb });
  const paths = ["/api/health/ready", "/api/orders", "/api/products"];
  const ask = async () => Promise.all(paths.map(async (path) => (await get(path)).statusCode));
  const state = async () => (await get("/api/erp/status")).json().status;
  expect([await ask(), await state()]).toEqual([[200, 200, 200], "ok"]);
  proxy.cut();
  expect([await ask(), await state()]).toEqual([[503, 503, 503], "degraded"]);
  proxy.heal();
  await until(ask, (statuses) => statuses.every((status) => status === 200));
  await until(state, (word) => word === "ok");
});

test("nine writers waiting for a locked row are refused, and readers are served meanwhile", async () => {
  const { db, url } = await openServing();
  const patient = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: COMMAND });
  onTestFinished(() => patient.destroy());
  const holder = await patient.startTransaction().execute();
  await takeNumbers(holder, "orders", { ids: 1, sequences: 1 });
  let refused = 0;
  const writers = Array.from({ length: SERVING.connections - 1 }, async () => {
    const error: unknown = await placeOrder(db, newOrder()).catch((reason) => reason);
    refused += 1;
    return describeOutage(error);
  });
  expect((await listOrders(db, { column: "id", after: 0, upTo: 1, limit: 1 })).orders).toEqual([]);
  expect(refused).toBeLessThan(writers.length);
  expect(await Promise.all(writers)).toEqual(writers.map(() => expect.stringContaining("held a lock for too long")));
  await holder.rollback().execute();
  expect((await placeOrder(db, newOrder())).id).toBe(1);
});

test("a statement that runs too long counts as an outage, not as an internal error", async () => {
  const { url } = await openMigratedDatabase();
  const monitoringDb = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: MONITORING });
  onTestFinished(() => monitoringDb.destroy());
  const slow = monitoringDb
    .withTables<{ "information_schema.columns": { column_name: string } }>()
    .selectFrom([
      "information_schema.columns as a",
      "information_schema.columns as b",
      "information_schema.columns as c",
      "information_schema.columns as d",
    ])
    .select(({ fn }) => fn.count("a.column_name").distinct().as("n"))
    .where(({ eb, ref }) => eb("a.column_name", "<>", ref("d.column_name")));
  const error: unknown = await slow.execute().catch((reason: unknown) => reason);
  expect(describeOutage(error)).toMatch(/too slow|doesn't respond/);
});

test("when too many queries wait for a connection, further ones are refused at once", async () => {
  const { url } = await openMigratedDatabase();
  const monitoringDb = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: MONITORING });
  onTestFinished(() => monitoringDb.destroy());
  const query = monitoringDb.selectFrom("counters").select("name");
  const outcomes = await Promise.allSettled(Array.from({ length: 250 }, () => query.execute()));
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [describeOutage(outcome.reason)] : [],
  );
  expect(refused).toEqual(Array(250 - 202).fill("The database is too slow (POOL_FULL)."));
});

test("a push of a locked order answers 503 and says that nothing was sent, and nothing is sent when the lock is released", async () => {
  const { db, url } = await openServing();
  const { push, erp, deliveries } = await startPushing(undefined, { db });
  const patient = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: COMMAND });
  onTestFinished(() => patient.destroy());
  await placeOrder(db, newOrder());
  const holder = await patient.startTransaction().execute();
  await holder.selectFrom("orders").select("id").where("id", "=", 1).forUpdate().execute();
  const refused = await push();
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
  expect(refused.json().detail).toContain("The order was not sent, and nothing was stored");
  await holder.rollback().execute();
  const taken = await push();
  expect([taken.statusCode, taken.json().delivery.attempts.length]).toEqual([200, 1]);
  expect(erp.received).toHaveLength(1);
  expect(await deliveries()).toHaveLength(1);
});

test("if its COMMIT gets no answer, a push says that it may have been stored", async () => {
  const { url } = await openMigratedDatabase();
  const proxy = await startProxy(url);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: proxy.url }));
  onTestFinished(() => db.destroy());
  const { push, erp } = await startPushing(undefined, { db });
  await placeOrder(db, newOrder());
  proxy.cutAt("commit");
  const refused = await push();
  expect(refused.statusCode).toBe(503);
  expect(refused.json().detail).toMatch(/didn't confirm whether it stored the push\. The order was not sent yet/);
  expect(erp.received).toHaveLength(0);
});

test("if its COMMIT takes too long, a push answers 503 without an attempt, says that it is stored, and the worker can send it", async () => {
  const { url } = await openMigratedDatabase();
  const proxy = await startProxy(url);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: proxy.url }));
  onTestFinished(() => db.destroy());
  const { erp, deliveries } = await startPushing(undefined, { db });
  await placeOrder(db, newOrder());
  const limit = new AbortController();
  proxy.delayAt("commit", async () => {
    limit.abort();
    await sleep(500);
  });
  const outbox = { db, send: makeSender(webhookTo(erp.url)), metrics: createMetrics() };
  const refused = await pushOrder(outbox, { info() {}, warn() {} }, 1, false, limit.signal).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ status: 503, message: expect.stringContaining("The push is stored") });
  expect(erp.received).toHaveLength(0);
  expect(await deliveries()).toMatchObject([{ state: "pending", attempts: [] }]);
  expect(await claimDue(db, (await findDue(db, 1))[0] ?? 0)).toMatchObject({ number: 1, tries: 1 });
});
