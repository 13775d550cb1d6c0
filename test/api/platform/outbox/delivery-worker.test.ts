import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { claimDue, findDue, recordAttempt } from "../../../../api/platform/outbox/delivery-lease.ts";
import { readQueueStates } from "../../../../api/platform/outbox/queue-state.ts";
import { deliveryQueue, startWorker } from "../../../../api/platform/outbox/worker.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { eventually } from "../../../eventually.ts";
import { passTime, startPushing } from "../../partners/erp/deliveries.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { accept, answer, hang, webhookTo } from "../webhook/erp-server.ts";

const result = { outcome: "delivered" as const, httpStatus: 200, excerpt: "", retryAfterMs: 0, durationMs: 1 };

/** Starts a worker as the server does; stopped after the test. */
function startTestWorker(db: Db, url: string) {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const outbox = { db, send: makeSender(webhookTo(url)), metrics: createMetrics() };
  const worker = startWorker([deliveryQueue(outbox, log)], [], log);
  onTestFinished(() => worker.stop());
  return { worker, log };
}

test("a failed delivery is retried when due, with the same id and bytes and a new timestamp", async () => {
  const { db, push, erp, deliveries } = await startPushing(answer(500));
  await push();
  await db
    .updateTable("deliveries")
    .set({ next_attempt_at: fromNow(3_600_000) })
    .execute();
  const { log } = startTestWorker(db, erp.url);
  await sleep(700); // the worker polls twice a second
  expect(erp.received).toHaveLength(1);
  erp.behaviour = accept;
  await sleep(400); // timestamps are whole seconds
  await passTime(db);
  await eventually(async () => expect((await deliveries())[0].state).toBe("delivered"));
  const [first, second] = erp.received;
  expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"]);
  expect(String(first?.body)).toBe(String(second?.body));
  expect(first?.headers["webhook-timestamp"]).not.toBe(second?.headers["webhook-timestamp"]);
  expect(first?.headers["webhook-signature"]).not.toBe(second?.headers["webhook-signature"]);
  expect(log.error).not.toHaveBeenCalled();
});

test("after ten tries a delivery fails but is kept, and a push starts over", async () => {
  const { db, push, deliveries } = await startPushing(answer(500));
  await push();
  for (let count = 1; count < 10; count += 1) {
    expect((await deliveries())[0].state).toBe("pending");
    await passTime(db);
    const claim = await claimDue(db, (await findDue(db, 1))[0] ?? 0);
    if (!claim) throw new Error("Nothing was due.");
    expect([claim.number, claim.tries]).toEqual([count + 1, count + 1]);
    const failed = { ...result, outcome: "status" as const };
    await recordAttempt(db, claim, failed, count < 9 ? { state: "pending", delayMs: 1_000 } : { state: "failed" });
  }
  expect((await deliveries())[0]).toMatchObject({ state: "failed", next_attempt_at: null });
  expect(await findDue(db, 1)).toEqual([]);
  const again = await push();
  expect(again.statusCode).toBe(202);
  const { next_attempt_at, attempts } = again.json().delivery;
  expect(attempts).toHaveLength(11);
  expect(Date.parse(next_attempt_at) - Date.now()).toBeLessThan(6_500);
});

test("a lost attempt counts as a try and is followed by the usual delay; after ten tries the delivery fails", async () => {
  const { db, push, deliveries, erp } = await startPushing(answer(500));
  await push();
  await passTime(db);
  for (let tries = 2; tries <= 10; tries += 1) {
    const [id = 0] = await findDue(db, 1);
    expect(await claimDue(db, id)).toMatchObject({ tries });
    const { started_at } = (await deliveries())[0].attempts.at(-1);
    const wait = Date.parse((await deliveries())[0].next_attempt_at) - Date.parse(started_at);
    // The 20 s lease and the delay after a failed try: at least 5 minutes less 20 %, and none after the last try.
    expect([tries, wait > 19_000 + (tries < 10 ? 240_000 : 0)]).toEqual([tries, true]);
    await passTime(db); // no result is recorded, as if the process had died
  }
  const [id = 0] = await findDue(db, 1);
  expect(await claimDue(db, id)).toBe(undefined);
  expect(await findDue(db, 1)).toEqual([]);
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ state: "failed", next_attempt_at: null });
  expect(delivery.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    "status",
    ...Array<string>(9).fill("lost"),
  ]);
  expect((await readQueueStates(db)).deliveries).toMatchObject({ pending: 0, failed: 1 });
  erp.behaviour = accept;
  expect((await push()).json().delivery).toMatchObject({ state: "delivered", attempts: { length: 11 } });
});

test("a lease excludes other workers until it expires; after that the first worker's result is ignored", async () => {
  const { db, push, deliveries } = await startPushing(answer(500));
  await push();
  await passTime(db);
  const [id = 0] = await findDue(db, 1);
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimDue(db, id)));
  const [first, ...others] = claims.filter((claim) => claim !== undefined);
  if (!first) throw new Error("Nothing was claimed.");
  expect([others, await findDue(db, 1)]).toEqual([[], []]);
  await passTime(db);
  expect((await deliveries())[0].attempts[1]).toMatchObject({ outcome: "lost", duration_ms: null });
  const second = await claimDue(db, id);
  if (!second) throw new Error("The lease did not expire.");
  expect(second).toMatchObject({ number: 3, webhookId: first.webhookId, body: first.body });
  await recordAttempt(db, first, result, { state: "failed" });
  expect((await deliveries())[0]).toMatchObject({
    state: "pending",
    attempts: [{}, { outcome: "lost" }, { outcome: "in_flight" }],
  });
  await recordAttempt(db, second, result, { state: "delivered" });
  expect((await deliveries())[0]).toMatchObject({ state: "delivered" });
});

test("an ERP that hangs for some orders doesn't delay the others", async () => {
  const { db, push, erp, deliveries } = await startPushing(answer(500));
  for (let id = 2; id <= 6; id += 1) await placeOrder(db, newOrder());
  for (let id = 1; id <= 6; id += 1) await push(id);
  erp.behaviour = (response, received) =>
    (received.headers["webhook-id"] === "msg_order_6_1" ? accept : hang)(response, received);
  await passTime(db);
  startTestWorker(db, erp.url);
  await eventually(async () => expect((await deliveries(6))[0].state).toBe("delivered"));
  for (let id = 1; id <= 5; id += 1) expect((await deliveries(id))[0].state).toBe("pending");
  await eventually(() => expect(erp.received.length).toBe(12));
  erp.server.closeAllConnections(); // the hanging attempts fail now
});

test("a stopped worker finishes attempts in flight and starts no new ones", async () => {
  const { db, push, erp, deliveries } = await startPushing(answer(500));
  await push();
  const { promise, resolve } = Promise.withResolvers<void>();
  erp.behaviour = (response) => promise.then(() => void response.end());
  await passTime(db);
  const { worker } = startTestWorker(db, erp.url);
  await eventually(() => expect(erp.received).toHaveLength(2));
  const stopped = worker.stop();
  await placeOrder(db, newOrder());
  resolve();
  await stopped;
  expect((await deliveries())[0].state).toBe("delivered");
});

test("with two secrets a delivery has a signature for each, so that secrets can be rotated", async () => {
  const { db, push, erp } = await startPushing(answer(500));
  await push();
  expect(erp.received[0]?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  erp.behaviour = accept;
  const second = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const send = makeSender(webhookTo(erp.url, { secrets: [second, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] }));
  const log = { info() {}, warn() {}, error() {} };
  const worker = startWorker([deliveryQueue({ db, send, metrics: createMetrics() }, log)], [], log);
  onTestFinished(() => worker.stop());
  await passTime(db);
  await eventually(() => expect(erp.received).toHaveLength(2));
  expect(erp.received[1]?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
});
