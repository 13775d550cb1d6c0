import { expect, test } from "vitest";
import { changeOrder } from "../../../api/orders/change-order.ts";
import { eventually } from "../../eventually.ts";
import { migrateAgain } from "../api.ts";
import { accept, answer } from "../webhook/erp-server.ts";
import { startPushing } from "./deliveries.ts";

test("nothing is pushed by a change; a push of the new version gives up what is pending of the old one", async () => {
  const { push, erp, db, deliveries, get } = await startPushing(answer(500));
  await push();
  await changeOrder(db, 1, { status: "cancelled" });
  expect(erp.received).toHaveLength(1);
  erp.behaviour = accept;
  expect((await push()).json().delivery).toMatchObject({ webhook_id: "msg_order_1_2", state: "delivered" });
  expect(await deliveries()).toMatchObject([
    { order_version: 2, superseded: false },
    { order_version: 1, superseded: true, state: "failed", next_attempt_at: null },
  ]);
  expect((await get("/api/erp/status")).json()).toMatchObject({ queue: { pending: 0, failed: 0 } });
});

test("an attempt of the old version in flight is not tried again, and counts when it succeeds", async () => {
  const later = Promise.withResolvers<void>();
  const { push, erp, db, deliveries } = await startPushing((response) => later.promise.then(() => void response.end()));
  const old = push();
  await eventually(() => expect(erp.received).toHaveLength(1));
  await changeOrder(db, 1, { note: "Ring twice." });
  erp.behaviour = accept;
  expect((await push()).json().delivery).toMatchObject({ order_version: 2, state: "delivered" });
  expect((await deliveries())[1]).toMatchObject({
    superseded: true,
    state: "failed",
    attempts: [{ outcome: "in_flight" }],
  });
  later.resolve();
  expect((await old).json().delivery).toMatchObject({ order_version: 1, state: "delivered", superseded: false });
});

test("an attempt of the old version in flight that fails is not tried again", async () => {
  const later = Promise.withResolvers<void>();
  const { push, erp, db, deliveries } = await startPushing((response) =>
    later.promise.then(() => void response.writeHead(500).end()),
  );
  const old = push();
  await eventually(() => expect(erp.received).toHaveLength(1));
  await changeOrder(db, 1, { note: "Ring twice." });
  erp.behaviour = accept;
  await push();
  later.resolve();
  expect((await old).statusCode).toBe(502);
  expect((await deliveries())[1]).toMatchObject({ superseded: true, state: "failed", next_attempt_at: null });
});

test("what failed of an older version is not failed any more once a newer one is pushed, whatever comes of that", async () => {
  const { push, erp, db, deliveries, get } = await startPushing(answer(410));
  const queue = async () => (await get("/api/erp/status")).json().queue;
  await push();
  expect(await queue()).toEqual({ pending: 0, failed: 1 });
  await changeOrder(db, 1, { note: "Ring twice." });
  expect(await queue()).toEqual({ pending: 0, failed: 1 });
  await push();
  expect(await queue()).toEqual({ pending: 0, failed: 1 });
  erp.behaviour = accept;
  await push();
  expect(await queue()).toEqual({ pending: 0, failed: 0 });
  expect(await deliveries()).toMatchObject([
    { order_version: 2, state: "delivered", superseded: false },
    { order_version: 1, state: "failed", superseded: true, attempts: [{ outcome: "gone" }] },
  ]);
});

test("the migration supersedes what failed before it, and leaves the newest version's alone", async () => {
  const { push, db, deliveries, get } = await startPushing(answer(410));
  await push();
  await changeOrder(db, 1, { note: "Ring twice." });
  await push();
  await db.updateTable("deliveries").set({ superseded: 0 }).execute();
  expect((await get("/api/erp/status")).json().queue.failed).toBe(2);
  await migrateAgain(db, "2026-11-22-01-supersede-failed");
  expect(await deliveries()).toMatchObject([{ superseded: false }, { superseded: true }]);
});
