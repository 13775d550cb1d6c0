import { expect, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { deliveryQueue } from "../../../../api/platform/outbox/worker.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { webhookTo } from "../../platform/webhook/erp-server.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { startPushing } from "./deliveries.ts";

const transfer = { method: "bank_transfer", reference: "t-1", amount: "189" };

/** A shop with its ERP; `send` makes one round of the worker's deliveries. */
async function start() {
  const api = await startPushing();
  const { db, erp } = api;
  const queue = deliveryQueue(
    { db, send: makeSender(webhookTo(erp.url)), metrics: createMetrics() },
    { info() {}, warn() {} },
  );
  const send = async () => {
    for (const id of await queue.findDue(10)) await (await queue.claim(id))?.();
  };
  const queued = async () => {
    const rows = await db.selectFrom("deliveries").select("webhook_id").orderBy("id").execute();
    return rows.map(({ webhook_id }) => webhook_id);
  };
  return { ...api, send, queued };
}

test("with `placed` an order is pushed once when it's placed, with the bytes that a preview shows", async () => {
  const { db, erp, get, send, queued } = await start();
  const followUp = makeFollowUp({ pushWhen: "placed" });
  const { id } = await placeOrder(db, newOrder(), undefined, followUp);
  const preview = (await get(`/api/erp/orders/${id}/preview`)).json();
  await send();
  expect(erp.received.map(({ headers, body }) => [headers["webhook-id"], JSON.parse(String(body))])).toEqual([
    ["msg_order_2_1", preview.body],
  ]);
  await recordPayment(db, id, transfer, followUp);
  expect(await queued()).toEqual(["msg_order_2_1"]);
});

test("with `paid` an order is pushed once when it first becomes processing, by money or by credit", async () => {
  const { db, queued } = await start();
  const followUp = makeFollowUp({ pushWhen: "paid" });
  for (let index = 0; index < 2; index += 1) await placeOrder(db, newOrder(), undefined, followUp);
  expect(await queued()).toEqual([]);
  await recordPayment(db, 2, transfer, followUp);
  await changeOrder(db, 2, { status: "on_hold" }, undefined, followUp);
  await changeOrder(db, 2, { status: "processing" }, undefined, followUp);
  await changeOrder(db, 3, { status: "processing" }, undefined, followUp);
  expect(await queued()).toEqual(["msg_order_2_2", "msg_order_3_2"]);
});

test("with `manual` nothing is pushed, and a push by hand works as ever, also after an automatic one", async () => {
  const { db, push, send, queued } = await start();
  await placeOrder(db, newOrder(), undefined, makeFollowUp({ pushWhen: "manual" }));
  await recordPayment(db, 2, transfer, makeFollowUp({ pushWhen: "manual" }));
  expect(await queued()).toEqual([]);
  const followUp = makeFollowUp({ pushWhen: "placed" });
  const { id } = await placeOrder(db, newOrder(), undefined, followUp);
  await send();
  expect((await push(id)).json().delivery).toMatchObject({ state: "delivered", attempts: [{ number: 1 }] });
  await changeOrder(db, id, { note: "Ring." }, undefined, followUp);
  expect((await push(id)).json().delivery).toMatchObject({ webhook_id: "msg_order_3_2", state: "delivered" });
  expect(await queued()).toEqual(["msg_order_3_1", "msg_order_3_2"]);
});

test("when placing fails after the delivery was queued, there is neither an order nor a delivery", async () => {
  const { db, queued } = await start();
  const followUp = makeFollowUp({ pushWhen: "placed" });
  const placing = db.transaction().execute(async (transaction) => {
    await placeOrder(transaction, newOrder(), undefined, followUp);
    throw new Error("the basket has changed");
  });
  await expect(placing).rejects.toThrow("the basket has changed");
  expect(await queued()).toEqual([]);
  expect(await db.selectFrom("orders").select("id").execute()).toEqual([{ id: 1 }]);
});
