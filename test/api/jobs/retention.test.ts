import { expect, onTestFinished, test, vi } from "vitest";
import { deleteExpired } from "../../../api/jobs/retention.ts";
import { fromNow, now } from "../../../api/platform/database/columns.ts";
import type { Db } from "../../../api/platform/database/pool.ts";
import { createMetrics } from "../../../api/platform/monitoring/metrics.ts";
import { deliveryQueue, startWorker } from "../../../api/platform/outbox/worker.ts";
import { makeSender } from "../../../api/platform/webhook/sender.ts";
import { changeOrder } from "../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { storeShopFacts } from "../../../api/selling/shop/queries.ts";
import { eventually } from "../../eventually.ts";
import { migrateAgain } from "../api.ts";
import { queueOrders, startPushing } from "../partners/erp/deliveries.ts";
import { accept, answer, webhookTo } from "../platform/webhook/erp-server.ts";
import { newOrder } from "../selling/orders/new-order.ts";
import { shopFacts } from "../selling/quote/shop.ts";

const DAY_MS = 24 * 3_600_000;

/** Sets the time of everything stored to `days` ago. */
async function age(db: Db, days: number): Promise<void> {
  const then = fromNow(-days * DAY_MS);
  await db.updateTable("deliveries").set({ created_at: then }).execute();
  await db.updateTable("deliveries").set({ delivered_at: then }).where("delivered_at", "is not", null).execute();
  await db.updateTable("delivery_attempts").set({ started_at: then }).execute();
  await db.updateTable("idempotency_keys").set({ created_at: then }).execute();
}

async function count(db: Db, table: "deliveries" | "delivery_attempts" | "idempotency_keys"): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

test("an order's last delivery is kept, without its bytes and attempts, and earlier ones are deleted", async () => {
  const { push, db, deliveries, erp } = await startPushing();
  for (let turn = 0; turn < 3; turn += 1) await push(1, { force: true });
  await age(db, 89);
  await deleteExpired(db);
  expect([await count(db, "deliveries"), await count(db, "delivery_attempts")]).toEqual([3, 3]);
  await age(db, 91);
  await deleteExpired(db);
  expect(await deliveries()).toMatchObject([{ webhook_id: "msg_order_1_1_3", state: "delivered", attempts: [] }]);
  expect(await db.selectFrom("deliveries").select(["body", "body_kept"]).execute()).toEqual([
    { body: Buffer.of(), body_kept: 0 },
  ]);
  expect((await push()).json().delivery).toMatchObject({ webhook_id: "msg_order_1_1_3", state: "delivered" });
  expect(erp.received).toHaveLength(3);
  expect((await push(1, { force: true })).json().delivery).toMatchObject({ webhook_id: "msg_order_1_1_4" });
  expect(String(erp.received[3]?.body)).toBe(String(erp.received[0]?.body));
  await age(db, 91);
  await deleteExpired(db);
  expect(await deliveries()).toMatchObject([{ webhook_id: "msg_order_1_1_4" }]);
});

test("a failed delivery loses its bytes too, and a push restores them; a pending delivery keeps its bytes", async () => {
  const { push, db, deliveries, erp } = await startPushing(answer(410));
  await push();
  await placeOrder(db, newOrder());
  erp.behaviour = answer(500);
  await push(2);
  await age(db, 400);
  await deleteExpired(db);
  expect(await deliveries(2)).toMatchObject([{ state: "pending", attempts: [] }]);
  const kept = () => db.selectFrom("deliveries").select(["order_id", "body_kept"]).orderBy("id").execute();
  expect(await kept()).toEqual([
    { order_id: 1, body_kept: 0 },
    { order_id: 2, body_kept: 1 },
  ]);
  erp.behaviour = accept;
  expect((await push()).json().delivery).toMatchObject({ webhook_id: "msg_order_1_1", state: "delivered" });
  expect(String(erp.received.at(-1)?.body)).toBe(String(erp.received[0]?.body));
  await changeOrder(db, 1, { note: "Ring twice." });
  erp.behaviour = answer(410);
  await push();
  await changeOrder(db, 1, { note: "Ring once." });
  await age(db, 400);
  await deleteExpired(db);
  expect(await deliveries()).toMatchObject([{ state: "failed" }, { state: "delivered" }]);
  erp.behaviour = accept;
  await push();
  await age(db, 400);
  await deleteExpired(db);
  expect(await deliveries()).toMatchObject([{ order_version: 3, state: "delivered" }]);
});

test("many rows are deleted in batches of at most 200, each once, and a stop signal ends the deletion", async () => {
  const { db, push } = await startPushing();
  await push();
  const [stored] = await db.selectFrom("deliveries").selectAll().execute();
  if (!stored) throw new Error("Nothing was delivered.");
  await queueOrders(db, 99, "unpushed");
  const rows = Array.from({ length: 1_500 }, (_, index) => ({
    ...{
      order_id: 1 + (index % 100),
      order_version: 1,
      resend: 2 + index,
      webhook_id: `msg_${index}`,
      body: stored.body,
    },
    ...{ state: "delivered" as const, attempts: 1, created_at: now(), delivered_at: now() },
  }));
  await db.insertInto("deliveries").values(rows).execute();
  const deliveries = await db.selectFrom("deliveries").select("id").where("id", "!=", stored.id).execute();
  const attempts = deliveries.map(({ id }) => ({
    delivery_id: id,
    number: 1,
    started_at: now(),
    outcome: "delivered" as const,
  }));
  await db.insertInto("delivery_attempts").values(attempts).execute();
  const keys = rows.map(({ webhook_id }) => ({ key_hash: webhook_id, order_id: 1, created_at: now() }));
  await db.insertInto("idempotency_keys").values(keys).execute();
  await age(db, 91);
  const stop = new AbortController();
  stop.abort();
  await deleteExpired(db, stop.signal);
  expect(await count(db, "deliveries")).toBe(1_501);

  const changed: number[] = [];
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      changed.push(Number(result.numAffectedRows ?? 0));
      return result;
    },
  });
  await deleteExpired(counted);
  expect(Math.max(...changed)).toBe(200);
  const left = [
    await count(db, "deliveries"),
    await count(db, "delivery_attempts"),
    await count(db, "idempotency_keys"),
  ];
  expect(left).toEqual([100, 0, 0]);
  const kept = await db.selectFrom("deliveries").select("order_id").where("body_kept", "=", 0).distinct().execute();
  expect(kept).toHaveLength(100);
  changed.length = 0;
  await deleteExpired(counted); // nothing is left to delete, and kept rows aren't changed again
  expect(Math.max(...changed)).toBe(0);
});

test("a failed delivery keeps its bytes for 90 days after its last attempt, however old it is", async () => {
  const { push, db } = await startPushing(answer(410));
  await push();
  await age(db, 400);
  await push();
  await deleteExpired(db);
  expect(await db.selectFrom("deliveries").select("body_kept").execute()).toEqual([{ body_kept: 1 }]);
  await age(db, 91);
  await deleteExpired(db);
  expect(await db.selectFrom("deliveries").select(["body", "body_kept"]).execute()).toEqual([
    { body: Buffer.of(), body_kept: 0 },
  ]);
});

test("the shop's keep.deliveries says after how many days, from the next import on", async () => {
  const { push, db } = await startPushing();
  await push();
  await age(db, 31);
  await deleteExpired(db);
  expect(await count(db, "delivery_attempts")).toBe(1);
  await storeShopFacts(db, shopFacts({ keep: { baskets: 30, checkouts: 7, deliveries: 30, invoices: 2_557 } }));
  await deleteExpired(db);
  expect(await count(db, "delivery_attempts")).toBe(0);
  expect(await db.selectFrom("deliveries").select("body_kept").execute()).toEqual([{ body_kept: 0 }]);
});

test("the key of a mail is deleted 90 days after it was made", async () => {
  const { db } = await startPushing();
  const made = { day_89: 89, day_91: 91 };
  for (const [key_hash, days] of Object.entries(made))
    await db
      .insertInto("order_keys")
      .values({ key_hash, order_id: 1, created_at: fromNow(-days * DAY_MS) })
      .execute();
  await deleteExpired(db);
  expect(await db.selectFrom("order_keys").select("key_hash").execute()).toEqual([{ key_hash: "day_89" }]);
});

test("the worker deletes expired rows automatically, and idempotency keys after 24 hours", async () => {
  const { db, push, erp } = await startPushing();
  await push(1, undefined, { "idempotency-key": "k" });
  await push(1, { force: true }, { "idempotency-key": "l" });
  await age(db, 91);
  await push(1, undefined, { "idempotency-key": "today" });
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const outbox = { db, send: makeSender(webhookTo(erp.url)), metrics: createMetrics() };
  const worker = startWorker([deliveryQueue(outbox, log)], [(signal) => deleteExpired(db, signal)], log);
  onTestFinished(() => worker.stop());
  await eventually(async () => expect(await count(db, "deliveries")).toBe(1));
  expect([await count(db, "delivery_attempts"), await count(db, "idempotency_keys")]).toEqual([0, 1]);
  expect(log.error).not.toHaveBeenCalled();
});

test("a table whose rows can't be deleted doesn't keep the others waiting, and the error is reported", async () => {
  const { db, push } = await startPushing();
  await push();
  await age(db, 91);
  await db.schema.dropTable("idempotency_keys").execute();
  await expect(deleteExpired(db)).rejects.toMatchObject({ code: "ER_NO_SUCH_TABLE" });
  expect(await count(db, "delivery_attempts")).toBe(0);
  expect(await db.selectFrom("deliveries").select("body_kept").execute()).toEqual([{ body_kept: 0 }]);
});

test("the migrations can run again", async () => {
  const { db, push } = await startPushing();
  await push();
  await migrateAgain(db, "2026-11-22-05-add-body-kept");
  expect(await db.selectFrom("deliveries").select("body_kept").execute()).toEqual([{ body_kept: 1 }]);
});
