import { expect, test } from "vitest";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import { readQueueStates } from "../../../../api/platform/outbox/queue-state.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { eventually } from "../../../eventually.ts";
import { startApi, token } from "../../api.ts";
import { accept, answer, type Behaviour } from "../../platform/webhook/erp-server.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { startPushing } from "./deliveries.ts";

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("a push sends the order at once and answers with the delivery", async () => {
  const { push, erp, deliveries, get } = await startPushing();
  const pushed = await push();
  expect(pushed.statusCode).toBe(200);
  expect(pushed.json()).toEqual({
    delivery: {
      id: expect.any(Number),
      order_id: 1,
      order_version: 1,
      webhook_id: "msg_order_1_1",
      state: "delivered",
      attempts: [
        {
          number: 1,
          started_at: time,
          duration_ms: expect.any(Number),
          outcome: "delivered",
          http_status: 200,
          response_excerpt: "ok",
        },
      ],
      next_attempt_at: null,
      delivered_at: time,
      superseded: false,
      created_at: time,
    },
  });
  expect(await deliveries()).toEqual([pushed.json().delivery]);
  const order = (await get("/api/orders/1")).json();
  expect(JSON.parse(String(erp.received[0]?.body))).toEqual({
    type: "order.pushed",
    timestamp: order.updated_at,
    data: order,
  });
});

test("a delivered version isn't sent again unless forced, and then its id ends in _2, _3", async () => {
  const { push, erp, deliveries } = await startPushing();
  const first = (await push()).json();
  expect((await push(1, {})).json()).toEqual(first);
  expect((await push(1, { force: false })).json()).toEqual(first);
  expect(erp.received).toHaveLength(1);
  for (const id of ["msg_order_1_1_2", "msg_order_1_1_3"]) {
    const forced = await push(1, { force: true });
    expect([forced.statusCode, forced.json().delivery.webhook_id]).toEqual([200, id]);
  }
  expect((await push()).json().delivery.webhook_id).toBe("msg_order_1_1_3");
  const ids = ["msg_order_1_1", "msg_order_1_1_2", "msg_order_1_1_3"];
  expect(erp.received.map(({ headers }) => headers["webhook-id"])).toEqual(ids);
  expect((await deliveries()).map(({ webhook_id }: { webhook_id: string }) => webhook_id)).toEqual(ids.toReversed());
});

test("a temporary failure answers 202 with its kind and the next attempt's time, and a push retries at once", async () => {
  const { push, erp, db } = await startPushing(answer(503, { "Retry-After": "120" }, "later"));
  const begin = Date.now();
  const pending = await push();
  expect(pending.statusCode).toBe(202);
  const { delivery } = pending.json();
  expect(delivery).toMatchObject({ state: "pending", delivered_at: null, next_attempt_at: time });
  expect(delivery.attempts).toMatchObject([{ outcome: "status", http_status: 503, response_excerpt: "later" }]);
  const next = Date.parse(delivery.next_attempt_at);
  expect(next).toBeGreaterThanOrEqual(begin + 120_000 - 1_000);
  expect(next).toBeLessThanOrEqual(Date.now() + 120_000 + 5_000);
  expect((await readQueueStates(db)).deliveries).toMatchObject({ pending: 1, failed: 0 });
  erp.behaviour = accept;
  const again = (await push()).json().delivery;
  expect(again).toMatchObject({ id: delivery.id, state: "delivered", attempts: [{ number: 1 }, { number: 2 }] });
  expect(new Set(erp.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["msg_order_1_1"]));
  expect(erp.received[0]?.body.equals(erp.received[1]?.body ?? Buffer.alloc(0))).toBe(true);
  expect((await readQueueStates(db)).deliveries).toMatchObject({ pending: 0 });
});

test("the public status is the same before and after an order is pushed, and says only what has waited or failed for a minute", async () => {
  const { push, erp, db, get } = await startPushing();
  const status = async () => (await get("/api/erp/status")).body;
  const idle = await status();
  expect(JSON.parse(idle)).toEqual({
    status: "ok",
    pull_api: { configured: true },
    webhook: { configured: true },
    queue: { pending: null, failed: null, waiting: false, failing: false },
    last_success_at: null,
    version: expect.any(String),
  });
  await push();
  expect(await status()).toBe(idle);
  await changeOrder(db, 1, { note: "Ring twice." });
  erp.behaviour = answer(503);
  expect((await push()).json().delivery.state).toBe("pending");
  expect(await status()).toBe(idle);
  await db
    .updateTable("deliveries")
    .set({ created_at: fromNow(-61_000) })
    .where("state", "=", "pending")
    .execute();
  expect(await status()).toBe(idle.replace('"waiting":false', '"waiting":true'));
  await db.updateTable("deliveries").set({ state: "failed" }).where("state", "=", "pending").execute();
  expect(await status()).toBe(idle.replace('"failing":false', '"failing":true'));
  await changeOrder(db, 1, { note: "Ring once." });
  await push();
  expect(await status()).toBe(idle);
});

test("a permanent failure answers 502 as a problem with the delivery, and the order can be pushed again", async () => {
  const { push, erp, db } = await startPushing(answer(410));
  const failed = await push();
  expect([failed.statusCode, failed.headers["content-type"]]).toEqual([502, "application/problem+json"]);
  expect(failed.json()).toMatchObject({
    type: "https://shop.example/developers#bad-gateway",
    status: 502,
    delivery: { state: "failed", next_attempt_at: null, attempts: [{ outcome: "gone", http_status: 410 }] },
  });
  expect((await readQueueStates(db)).deliveries).toMatchObject({ pending: 0, failed: 1 });
  erp.behaviour = accept;
  expect((await push()).json().delivery).toMatchObject({ state: "delivered", webhook_id: "msg_order_1_1" });
});

test("a refused ERP address answers 502", async () => {
  const { push } = await startPushing(accept, {
    send: async () => ({ outcome: "refused_address", httpStatus: null, excerpt: null, retryAfterMs: 0, durationMs: 1 }),
  });
  expect((await push()).json()).toMatchObject({
    status: 502,
    delivery: { attempts: [{ outcome: "refused_address" }] },
  });
});

test("of two simultaneous pushes one sends and the other gets 409; another order can be pushed meanwhile", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold: Behaviour = (response) => promise.then(() => void response.writeHead(500).end());
  const { push, erp, db, deliveries } = await startPushing(hold);
  await placeOrder(db, newOrder());
  const answers = [push(), push()];
  await eventually(() => expect(erp.received).toHaveLength(1));
  expect(await deliveries()).toMatchObject([
    { state: "pending", attempts: [{ outcome: "in_flight", duration_ms: null }] },
  ]);
  erp.behaviour = accept;
  expect((await push(2)).statusCode).toBe(200); // while the first push is still waiting
  resolve();
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()).toEqual([202, 409]);
  expect(erp.received).toHaveLength(2);
});

test("an unknown order answers 404; without a webhook a push answers 503 not-configured, and the status says so", async () => {
  const { push, get } = await startPushing();
  expect((await push(999)).statusCode).toBe(404);
  expect((await get("/api/erp/orders/999/deliveries")).statusCode).toBe(404);
  expect((await get("/api/erp/orders/1/deliveries")).json()).toEqual({ deliveries: [] });
  expect((await get("/api/erp/status")).json()).toMatchObject({ status: "ok", webhook: { configured: true } });
  const open = await startApi();
  const headers = { authorization: `Bearer ${token}` };
  const unset = await open.app.inject({ method: "POST", url: "/api/erp/orders/1/push", headers });
  expect(unset.json()).toMatchObject({ status: 503, type: "https://shop.example/developers#not-configured" });
  expect((await open.get("/api/erp/status")).json()).toMatchObject({ webhook: { configured: false } });
});
