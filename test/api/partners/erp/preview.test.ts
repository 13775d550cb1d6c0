import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { addDemoOrders } from "../../../../api/operation/demo/orders.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { startApi } from "../../api.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { startPushing } from "./deliveries.ts";

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
const names = ["Žluťoučký kůň", "孫德明", "‏مرحبا", "🐎👩‍🚀", 'quo"te\\ \u2028\u2029 \u0001 </script>', "e\u0301"];

test("a preview has exactly the bytes that a push sends", async () => {
  const { db, get, push, erp } = await startPushing();
  const customer = {
    id: 7,
    email: "a@b.example",
    first_name: "Žofie",
    last_name: "孫",
    company: null,
    phone: null,
    vat_id: null,
  };
  const lines = names.map((name) => newLine({ name }));
  await placeOrder(db, newOrder({ lines, customer, note: names.join(" ") }));
  const preview = (await get("/api/erp/orders/2/preview")).json();
  expect(preview).toMatchObject({
    target_configured: true,
    headers: { "content-type": "application/json", "webhook-id": "msg_order_2_1" },
    body: { type: "order.pushed", data: (await get("/api/orders/2")).json() },
  });
  expect(preview.body.timestamp).toBe(preview.body.data.updated_at);
  expect((await push(2)).statusCode).toBe(200);
  const [{ body, headers } = { body: Buffer.alloc(0), headers: {} }] = erp.received;
  expect(preview.body_sha256).toBe(sha256(body));
  expect(preview.body_sha256).toBe(sha256(JSON.stringify(preview.body)));
  expect(headers).toMatchObject(preview.headers);
});

test("a demo order's preview contains the order byte for byte, however the database stores its JSON", async () => {
  const { db, get } = await startApi();
  await addDemoOrders(db);
  for (const id of [1, 30, 77, 120, 180]) {
    const preview = (await get(`/api/erp/orders/${id}/preview`)).json();
    expect(preview.body_sha256).toBe(sha256(JSON.stringify(preview.body)));
    expect(JSON.stringify(preview.body.data)).toBe((await get(`/api/orders/${id}`)).payload);
  }
});

test("a preview works without a webhook and only reads from the database", async () => {
  const { db, get, statements } = await startApi();
  await placeOrder(db, newOrder());
  const preview = await get("/api/erp/orders/1/preview");
  expect([preview.statusCode, preview.json().target_configured]).toEqual([200, false]);
  expect(new Set(statements)).toEqual(new Set(["SelectQueryNode"]));
  expect(Object.keys(preview.json())).toEqual(["target_configured", "headers", "body", "body_sha256"]);
  expect((await get("/api/erp/orders/2/preview")).statusCode).toBe(404);
  expect((await get("/api/erp/orders/x/preview")).statusCode).toBe(400);
});

test("a preview has the last id sent after a forced push, and a new id once the order changes", async () => {
  const { db, get, push } = await startPushing();
  await push();
  await push(1, { force: true });
  const id = async () => (await get("/api/erp/orders/1/preview")).json().headers["webhook-id"];
  expect(await id()).toBe("msg_order_1_1_2");
  await changeOrder(db, 1, { note: "Ring twice." });
  expect(await id()).toBe("msg_order_1_2");
});
