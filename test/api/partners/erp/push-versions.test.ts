import { expect, test } from "vitest";
import { readQueueStates } from "../../../../api/platform/outbox/queue-state.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { eventually } from "../../../eventually.ts";
import { migrateAgain } from "../../api.ts";
import { accept, answer } from "../../platform/webhook/erp-server.ts";
import { startPushing } from "./deliveries.ts";

test("a change pushes nothing; a push of the new version supersedes the old one's pending delivery", async () => {
  const { push, erp, db, deliveries } = await startPushing(answer(500));
  await push();
  await changeOrder(db, 1, { status: "cancelled" });
  expect(erp.received).toHaveLength(1);
  erp.behaviour = accept;
  expect((await push()).json().delivery).toMatchObject({ webhook_id: "msg_order_1_2", state: "delivered" });
  expect(await deliveries()).toMatchObject([
    { order_version: 2, superseded: false },
    { order_version: 1, superseded: true, state: "failed", next_attempt_at: null },
  ]);
  expect((await readQueueStates(db)).deliveries).toMatchObject({ pending: 0, failed: 0 });
});

test("an old version's attempt in flight isn't retried, and counts if it succeeds", async () => {
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

test("an old version's attempt in flight isn't retried if it fails", async () => {
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

test("a failed delivery of an older version stops counting as failed once a newer version is pushed, even if that fails", async () => {
  const { push, erp, db, deliveries } = await startPushing(answer(410));
  const queue = async () => (await readQueueStates(db)).deliveries;
  await push();
  expect(await queue()).toMatchObject({ pending: 0, failed: 1 });
  await changeOrder(db, 1, { note: "Ring twice." });
  expect(await queue()).toMatchObject({ pending: 0, failed: 1 });
  await push();
  expect(await queue()).toMatchObject({ pending: 0, failed: 1 });
  erp.behaviour = accept;
  await push();
  expect(await queue()).toMatchObject({ pending: 0, failed: 0 });
  expect(await deliveries()).toMatchObject([
    { order_version: 2, state: "delivered", superseded: false },
    { order_version: 1, state: "failed", superseded: true, attempts: [{ outcome: "gone" }] },
  ]);
});

test("the migration supersedes failed deliveries of older versions, but not the newest version's", async () => {
  const { push, db, deliveries } = await startPushing(answer(410));
  await push();
  await changeOrder(db, 1, { note: "Ring twice." });
  await push();
  await db.updateTable("deliveries").set({ superseded: 0 }).execute();
  expect((await readQueueStates(db)).deliveries.failed).toBe(2);
  await migrateAgain(db, "2026-11-22-01-supersede-failed");
  expect(await deliveries()).toMatchObject([{ superseded: false }, { superseded: true }]);
});
