import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { AppDependencies } from "../../../../api/app.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { deliveryQueue } from "../../../../api/platform/outbox/worker.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { actOnOrder, COMMAND } from "../../../../api/selling/orders/acts.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { token } from "../../api.ts";
import { accept, answer, webhookTo } from "../../platform/webhook/erp-server.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { startPushing } from "./deliveries.ts";

const transfer = { method: "bank_transfer", reference: "t-1", amount: "189" };

/** A shop with its ERP; `send` makes one round of the worker's deliveries. */
async function start(overrides: Partial<AppDependencies> = {}) {
  const api = await startPushing(accept, overrides);
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

const typesOf = (bodies: readonly { body: Buffer }[]) =>
  bodies.map(({ body }) => {
    const { type, data } = JSON.parse(String(body));
    return `${type} ${data.version} ${data.status}`;
  });

test("with each setting of both, a version is pushed once, later ones as order.updated, but not what a partner notes", async () => {
  const { db, erp, send } = await start();
  const by = COMMAND;
  for (const [pushWhen, pushLater, pushed] of [
    ["manual", false, []],
    ["placed", false, ["order.pushed 1 pending"]],
    ["paid", false, ["order.pushed 2 processing"]],
    ["manual", true, []],
    [
      ...(["placed", true] as const),
      ["order.pushed 1 pending", "order.updated 2 processing", "order.updated 3 on_hold", "order.updated 5 cancelled"],
    ],
    ["paid", true, ["order.pushed 2 processing", "order.updated 3 on_hold", "order.updated 5 cancelled"]],
  ] as const) {
    erp.received = [];
    const followUp = makeFollowUp({ pushWhen, pushLater });
    const { id } = await placeOrder(db, newOrder(), undefined, followUp);
    await send();
    await recordPayment(db, id, transfer, followUp);
    await send();
    await actOnOrder(db, { id }, { name: "hold" }, { by, followUp });
    await send();
    const note = { name: "acknowledge", external_id: `SO-${id}`, partner_note: "Taken" } as const;
    await actOnOrder(db, { id }, note, { by, followUp });
    await changeOrder(db, id, { matters: [{ reason: "disputed" }] }, undefined, followUp);
    await send();
    await actOnOrder(db, { id }, { name: "cancel", reason: "Asked for" }, { by, followUp });
    await actOnOrder(db, { id }, { name: "cancel", reason: "Asked for" }, { by, followUp });
    await send();
    await send();
    expect(typesOf(erp.received), `${pushWhen} ${pushLater}`).toEqual(pushed);
  }
});

test("a push by hand makes an order one whose later versions are pushed, and stays what it was", async () => {
  const { erp, push, app, get, send } = await start({ pushWhen: "manual", pushLater: true });
  const act = (path: string, payload: object) =>
    app.inject({
      method: "POST",
      url: `/api/orders/1/${path}`,
      headers: { authorization: `Bearer ${token}` },
      payload,
    });
  await act("payments", transfer);
  expect(erp.received).toHaveLength(0);
  await push();
  await act("hold", {});
  const preview = (await get("/api/erp/orders/1/preview")).json();
  expect([preview.headers["webhook-id"], preview.body.type]).toEqual(["msg_order_1_3", "order.updated"]);
  // Before the worker comes to it: what waits is sent at once, as what it is.
  expect((await push()).json().delivery).toMatchObject({ webhook_id: "msg_order_1_3", state: "delivered" });
  expect(
    createHash("sha256")
      .update(erp.received[1]?.body ?? "")
      .digest("hex"),
  ).toBe(preview.body_sha256);
  await push(1, { force: true });
  expect((await get("/api/erp/orders/1/preview")).json().body.type).toBe("order.pushed");
  await act("release", {});
  await send();
  expect(typesOf(erp.received)).toEqual([
    ...["order.pushed 2 processing", "order.updated 3 on_hold", "order.pushed 3 on_hold"],
    "order.updated 4 processing",
  ]);
  const update = JSON.parse(String(erp.received[1]?.body));
  expect(String(erp.received[2]?.body)).toBe(JSON.stringify({ ...update, type: "order.pushed" }));
});

test("a newer version takes the place of one that waits or has failed; never delivered, it remains a push", async () => {
  const { db, erp, send, deliveries } = await start();
  const followUp = makeFollowUp({ pushWhen: "placed", pushLater: true });
  const { id } = await placeOrder(db, newOrder(), undefined, followUp);
  const note = (text: string) => changeOrder(db, id, { note: text }, undefined, followUp);
  await note("It waited.");
  erp.behaviour = answer(500);
  await send();
  await note("It was tried.");
  erp.behaviour = answer(410);
  await send();
  await note("It failed for good.");
  erp.behaviour = accept;
  await send();
  await note("It was taken.");
  await note("Nor was this sent.");
  await send();
  await send();
  expect(typesOf(erp.received)).toEqual([
    ...["order.pushed 2 pending", "order.pushed 3 pending", "order.pushed 4 pending"],
    "order.updated 6 pending",
  ]);
  expect(await deliveries(id)).toMatchObject([
    { order_version: 6, state: "delivered", superseded: false },
    { order_version: 5, state: "failed", superseded: true, attempts: [] },
    { order_version: 4, state: "delivered", superseded: false },
    ...[3, 2, 1].map((order_version) => ({ order_version, state: "failed", superseded: true })),
  ]);
});

test("a change while the first version is on its way goes out too, as a push, whether that one arrives or not", async () => {
  const { db, erp, send } = await start();
  const followUp = makeFollowUp({ pushWhen: "placed", pushLater: true });
  const { id } = await placeOrder(db, newOrder(), undefined, followUp);
  erp.behaviour = async (response) => {
    erp.behaviour = accept;
    await changeOrder(db, id, { note: "Meanwhile." }, undefined, followUp);
    response.end();
  };
  await send();
  await send();
  await changeOrder(db, id, { status: "cancelled" }, undefined, followUp);
  await send();
  expect(typesOf(erp.received)).toEqual([
    ...["order.pushed 1 pending", "order.pushed 2 pending", "order.updated 3 cancelled"],
  ]);
});

test("a version that isn't committed leaves no event, and one that is waits for whichever process comes next", async () => {
  const { db, erp, send, queued } = await start();
  const followUp = makeFollowUp({ pushWhen: "placed", pushLater: true });
  const { id } = await placeOrder(db, newOrder(), undefined, followUp);
  await send();
  const changing = db.transaction().execute(async (transaction) => {
    await changeOrder(transaction, id, { status: "cancelled" }, undefined, followUp);
    throw new Error("the process was killed");
  });
  await expect(changing).rejects.toThrow("the process was killed");
  expect(await queued()).toEqual(["msg_order_2_1"]);
  await changeOrder(db, id, { status: "cancelled" }, undefined, followUp);
  await send();
  expect(typesOf(erp.received)).toEqual(["order.pushed 1 pending", "order.updated 2 cancelled"]);
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
