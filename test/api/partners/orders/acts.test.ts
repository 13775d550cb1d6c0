import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { findMatters } from "../../../../api/selling/orders/attention.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { catchUp } from "../../../../api/selling/stock/catch-up.ts";
import { addSkus } from "../../../../api/selling/stock/ledger.ts";
import { page, sectionOf, tableOf } from "../../../end-to-end/partner/developers-page.ts";
import { startApi, token } from "../../api.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { pdfOf } from "./documents.ts";

const buyer = {
  ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: null, phone: null, vat_id: null },
};
const otherToken = "another-partner-token-of-thirty-two-letters";
const followUp = makeFollowUp({ pushWhen: "paid" });

/** By which token, about which order, and further headers. */
interface Given {
  as?: string;
  id?: number;
  "content-type"?: string;
  "idempotency-key"?: string;
}

/** An API for two partners, with orders of one scanner (line 1) and two rings (line 2), 567.00 in all. */
async function start({ orders = 1 } = {}) {
  const api = await startApi({ pullTokens: [token, otherToken], pushWhen: "paid" });
  const lines = [newLine(), newLine({ sku: "RIL-80", quantity: 2 })];
  for (let at = 0; at < orders; at += 1) await placeOrder(api.db, newOrder({ buyer, lines }));
  const act = async (path: string, payload: object | string = {}, given: Given = {}) => {
    const { as = token, id = 1, ...headers } = given;
    const answer = await api.app.inject({
      method: path === "" ? "PATCH" : "POST",
      url: `/api/orders/${id}${path}`,
      headers: { authorization: `Bearer ${as}`, "content-type": "application/json", ...headers },
      payload,
    });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
  const pay = (id = 1) =>
    act("/payments", { method: "bank_transfer", reference: "T-1", amount: "567.00" }, { id }).then(({ body }) => body);
  const mails = async () =>
    (await api.db.selectFrom("mails").select("kind").orderBy("id").execute()).map(({ kind }) => kind);
  const history = () =>
    api.db.selectFrom("order_history").selectAll().orderBy("id").execute() as Promise<Record<string, unknown>[]>;
  const matters = async (id = 1) => (await findMatters(api.db, id)).map(({ reason, amount }) => ({ reason, amount }));
  return { ...api, act, pay, mails, history, matters };
}

test("an acknowledgement notes id and remark, sends nothing, and null takes a field back", async () => {
  const { act, pay, mails, db } = await start();
  await pay();
  const before = [await mails(), await db.selectFrom("deliveries").select("id").execute()];
  const noted = await act("", { external_id: "SO-1", partner_note: " Fragile\u200b \r\nsee box 2 " });
  expect(noted).toMatchObject({
    status: 200,
    body: { external_id: "SO-1", partner_note: "Fragile \nsee box 2", version: 3, status: "processing" },
  });
  const again = await act("", { external_id: "SO-1" }, { "content-type": "application/merge-patch+json" });
  expect(again.body).toEqual(noted.body);
  expect((await act("", { partner_note: null })).body).toMatchObject({ external_id: "SO-1", partner_note: null });
  expect((await act("", {})).body.version).toBe(4);
  expect([await mails(), await db.selectFrom("deliveries").select("id").execute()]).toEqual(before);
});

test("only one order has an external_id, and what isn't an id or a remark is refused", async () => {
  const { act, get } = await start({ orders: 2 });
  await act("", { external_id: "SO-1" });
  const taken = await act("", { external_id: "SO-1" }, { id: 2 });
  expect([taken.status, taken.body.detail]).toEqual([422, "A-1001 has this external_id already."]);
  for (const body of [{ external_id: "" }, { external_id: " SO-1" }, { external_id: 5 }, { note: "x" }, "[]", "null"])
    expect((await act("", body, { id: 2 })).status).toBe(400);
  for (const external_id of ["a\nb", "x".repeat(192)])
    expect((await act("", { external_id }, { id: 2 })).status).toBe(400);
  expect((await act("", { partner_note: "é".repeat(1_001) }, { id: 2 })).status).toBe(400);
  for (const half of ["\ud800", "a\udc00b"])
    expect((await act("", { partner_note: half }, { id: 2 })).status).toBe(400);
  for (const letter of ["é", "🧾"])
    expect((await act("", { partner_note: letter.repeat(1_000) }, { id: 2 })).status).toBe(200);
  expect((await act("", { external_id: "x" }, { id: 3 })).status).toBe(404);
  expect((await act("", "{}", { "content-type": "text/plain" })).status).toBe(415);
  expect((await get("/api/orders/2")).json()).toMatchObject({ external_id: null, version: 3 });
});

test("an order of which nothing was sent is cancelled once, with a mail that has the reason", async () => {
  const { act, mails } = await start();
  const cancelled = await act("/cancel", { reason: "Sold out" });
  expect(cancelled).toMatchObject({
    status: 200,
    body: { status: "cancelled", cancel_reason: "Sold out", version: 2 },
  });
  expect((await act("/cancel", { reason: "Another" })).body).toEqual(cancelled.body);
  expect((await act("/cancel")).body).toEqual(cancelled.body);
  expect(await mails()).toEqual(["cancelled"]);
});

test("a reason of characters that nobody sees is none", async () => {
  const { act, pay } = await start();
  const reason = "\u200b";
  await pay();
  expect((await act("/refunds", { reference: "R-1", amount: "5", reason })).body.refunds).toMatchObject([
    { reason: null },
  ]);
  expect((await act("/cancel", { reason })).body.cancel_reason).toBe(null);
});

test("money of a cancelled order needs a person, and a refund of all of it settles that", async () => {
  const { act, pay, matters } = await start();
  await pay();
  await act("/cancel");
  expect(await matters()).toEqual([{ reason: "owed", amount: "567.0000" }]);
  const refunded_at = new Date(Date.now() - 60_000).toISOString();
  const refund = { reference: "R-1", amount: "567", refunded_at, reason: "Cancelled" };
  const refunded = await act("/refunds", refund);
  expect(refunded.body).toMatchObject({
    ...{ status: "cancelled", payment_status: "refunded", totals: { refunded: "567.00" } },
    refunds: [{ id: 1, created_at: refunded_at, reason: "Cancelled", amount: "567.00" }],
  });
  expect((await act("/refunds", refund)).body).toEqual(refunded.body);
  expect(await matters()).toEqual([]);
});

test("what was sent can't be cancelled, by a partner or by the command, and both say what to do instead", async () => {
  const { act, pay, db } = await start();
  await pay();
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1001, quantity: 1 }] });
  const refused = await act("/cancel");
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    "Goods of A-1001 were sent, so it can't be cancelled. Close it if the rest won't come; what comes back is a return, and the money a refund.",
  ]);
  await expect(actByCommand(db, "A-1001", { name: "cancel", reason: null }, followUp)).rejects.toThrow("Close it");
});

test("a paid order that is closed is completed, and a person is told what was paid for the rest", async () => {
  const { act, pay, get, matters } = await start();
  await pay();
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1002, quantity: 1 }] });
  const closed = await act("/close", { reason: "No longer made" });
  expect(closed.body).toMatchObject({
    ...{ status: "completed", fulfillment_status: "fulfilled", payment_status: "paid", version: 4 },
    lines: [
      { id: 1001, quantity: 1, closed_quantity: 1 },
      { id: 1002, quantity: 2, closed_quantity: 1 },
    ],
  });
  expect(await matters()).toEqual([{ reason: "owed", amount: "378.0000" }]);
  expect((await act("/close", { reason: "Another" })).body).toEqual(closed.body);
  expect((await get("/api/orders?changed_after=0")).json().orders).toEqual([closed.body]);
  expect((await act("/fulfillments", { reference: "P-2" })).body.detail).toBe(
    "This order is closed: what wasn't sent by then isn't sent any more.",
  );
  expect((await act("/cancel")).body.detail).toBe(
    "Goods of A-1001 were sent, so it can't be cancelled. What comes back is a return, and the money a refund.",
  );
  const refunded = await act("/refunds", { reference: "R-1", amount: "378.00" });
  expect(refunded.body).toMatchObject({ status: "completed", payment_status: "paid", totals: { due: "0.00" } });
  expect(await matters()).toEqual([]);
});

test("an order that isn't paid is on hold once it's closed, and completed once what was sent is paid", async () => {
  const { act, db, matters } = await start();
  await actByCommand(db, "A-1001", { name: "accept" }, followUp);
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1001, quantity: 1 }] });
  expect((await act("/close")).body).toMatchObject({
    ...{ status: "on_hold", payment_status: "unpaid", fulfillment_status: "fulfilled" },
    totals: { total: "567.00", due: "189.00" },
  });
  expect(await matters()).toEqual([{ reason: "closed_unpaid", amount: "189.0000" }]);
  await act("/payments", { method: "bank_transfer", reference: "T-0", amount: "80.00" });
  expect(await matters()).toContainEqual({ reason: "closed_unpaid", amount: "109.0000" });
  expect((await act("/release")).status).toBe(409);
  await actByCommand(db, "A-1001", { name: "release" }, followUp);
  expect(await matters()).toEqual([]);
  const payment = { method: "bank_transfer", reference: "T-1", amount: "109.00" };
  expect((await act("/payments", payment)).body).toMatchObject({
    ...{ status: "completed", payment_status: "paid", totals: { due: "0.00" } },
  });
  expect(await matters()).toEqual([]);
});

test("the page about payments says that a payment completes an order on credit that is sent", async () => {
  const { act, db } = await start();
  await actByCommand(db, "A-1001", { name: "accept" }, followUp);
  await act("/fulfillments", { reference: "P-1" });
  const payment = { method: "bank_transfer", reference: "T-1", amount: "567.00" };
  const { status, payment_status } = (await act("/payments", payment)).body;
  expect(page).toContain(`nothing is left to send | becomes \`${status}\` and \`${payment_status}\` |`);
});

test("an order of which a part was paid is completed by closing, if that pays for what was sent", async () => {
  const { act, db, matters } = await start();
  await actByCommand(db, "A-1001", { name: "accept" }, followUp);
  await act("/payments", { method: "bank_transfer", reference: "T-1", amount: "200.00" });
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1001, quantity: 1 }] });
  expect((await act("/close")).body).toMatchObject({ status: "completed", payment_status: "paid" });
  expect(await matters()).toEqual([{ reason: "owed", amount: "11.0000" }]);
  const refund = { reference: "R-1", amount: "11.00" };
  expect((await act("/refunds", refund)).body).toMatchObject({ status: "completed", payment_status: "paid" });
  expect(await matters()).toEqual([]);
});

test("an order that was refunded when a part of it was sent is closed, so that nobody waits for its rest", async () => {
  const { act, pay, db, matters } = await start();
  await pay();
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1001, quantity: 1 }] });
  await act("/refunds", { reference: "R-1", amount: "567.00" });
  expect((await act("/close")).body).toMatchObject({
    ...{ status: "refunded", payment_status: "refunded", fulfillment_status: "fulfilled", totals: { due: "0.00" } },
  });
  expect(await matters()).toEqual([]);
  const holds = await db.selectFrom("stock_holds").select(["sku", "released"]).orderBy("sku").execute();
  expect(holds).toEqual([
    { sku: "KES-C2-BK", released: null },
    { sku: "RIL-80", released: expect.any(Number) },
  ]);
});

test("what is owed for the rest isn't what a surplus has a matter of already", async () => {
  const { act, pay, matters } = await start();
  await pay();
  await act("/refunds", { reference: "R-1", amount: "100.00" });
  await act("/payments", { method: "bank_transfer", reference: "T-2", amount: "50.00" });
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1001, quantity: 1 }] });
  await act("/close"); // it holds 517, and 189 was sent
  expect(await matters()).toEqual([
    { reason: "overpaid", amount: "50.0000" },
    { reason: "owed", amount: "278.0000" },
  ]);
  expect((await act("/refunds", { reference: "R-2", amount: "328.00" })).body.status).toBe("completed");
  expect(await matters()).toEqual([]);
});

test("only an order that was sent in part can be closed", async () => {
  const { act, pay } = await start();
  expect((await act("/close")).body.detail).toBe(
    "A-1001 is pending. Only an order that is processing, on_hold or refunded can be closed.",
  );
  await pay();
  expect((await act("/close")).body.detail).toBe("Nothing of A-1001 was sent yet. Cancel it, if nothing will be.");
  await act("/fulfillments", { reference: "P-1" });
  expect(await act("/close")).toMatchObject({ status: 409 });
});

test("closing gives back the pieces of the rest, and a count that knows the order takes them into account", async () => {
  const { app, act, pay, db, get } = await start();
  await storeShopFacts(db, shopFacts({ erp: { owns: ["stock"], books_placed: false } }));
  await addSkus(db, [{ sku: "KES-C2-BK" }, { sku: "RIL-80" }]);
  const available = async (sku: string) => (await get(`/api/stock?sku=${sku}`)).json().stock[0].available;
  const count = async (free: number, counted_at: string) => {
    const { next_changed_after } = (await get("/api/orders?changed_after=0&limit=250")).json();
    const stock = ["KES-C2-BK", "RIL-80"].map((sku) => ({ sku, count: free, restock_on: null }));
    const answer = await app.inject({
      ...{ method: "POST", url: "/api/stock", headers: { authorization: `Bearer ${token}` } },
      payload: { changed_after: next_changed_after, counted_at, stock },
    });
    expect(answer.json().rejected).toEqual([]);
  };
  await pay();
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1002, quantity: 1 }] });
  await count(10, "2026-11-01T10:00:00.000Z"); // less what the order has: one scanner, two rings
  expect([await available("KES-C2-BK"), await available("RIL-80")]).toEqual([10, 10]);
  await act("/close");
  expect([await available("KES-C2-BK"), await available("RIL-80")]).toEqual([11, 11]);
  await count(11, "2026-11-01T11:00:00.000Z");
  expect([await available("KES-C2-BK"), await available("RIL-80")]).toEqual([11, 11]);
});

test("a partner holds what is processing and releases its own hold, but none that the shop has set", async () => {
  const { act, pay, db } = await start();
  expect((await act("/hold")).status).toBe(409);
  await pay();
  expect((await act("/release")).body).toMatchObject({ status: "processing", version: 2 });
  const held = await act("/hold");
  expect(held.body).toMatchObject({ status: "on_hold", version: 3 });
  expect((await act("/hold", {}, { as: otherToken })).body).toEqual(held.body);
  expect((await act("/release", {}, { as: otherToken })).body).toMatchObject({ status: "processing", version: 4 });
  await act("/hold");
  await actByCommand(db, "A-1001", { name: "hold" }, followUp);
  expect(await act("/release")).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining("a person there must release it") },
  });
  await actByCommand(db, "A-1001", { name: "release" }, followUp);
  await changeOrder(db, 1, { status: "on_hold" });
  expect((await act("/release")).status).toBe(409);
});

test("a hold that an earlier release may have set is released by a person", async () => {
  const { act, pay, db } = await start();
  await pay();
  await act("/hold");
  // It released the order and held it again, and neither writes the ledger nor who it was.
  await db
    .updateTable("orders")
    .set(({ eb }) => ({ sequence: eb("sequence", "+", 2), version: eb("version", "+", 2) }))
    .execute();
  await db
    .updateTable("counters")
    .set(({ eb }) => ({ last_sequence: eb("last_sequence", "+", 2) }))
    .where("name", "=", "orders")
    .execute();
  await catchUp(db);
  expect((await act("/release")).status).toBe(409);
});

test("a partner's hold with a dispute meanwhile is released by a person", async () => {
  const { act, pay, db } = await start();
  await pay();
  await act("/hold");
  await changeOrder(db, 1, { matters: [{ reason: "disputed", about: "dp_1" }] });
  expect((await act("/release")).status).toBe(409);
});

test("an order that was sent and paid while a partner held it is completed by the release, once", async () => {
  const { act, pay } = await start();
  await pay();
  await act("/hold");
  await act("/fulfillments", { reference: "P-1" });
  const released = await act("/release");
  expect(released.body).toMatchObject({ status: "completed" });
  expect((await act("/release")).body).toEqual(released.body);
});

test("a refund moves no money, and fits what was paid", async () => {
  const { act, pay, get } = await start();
  expect((await act("/refunds", { reference: "R-1", amount: "5" })).body.detail).toBe(
    "Nothing that was paid on A-1001 is left to refund.",
  );
  await pay();
  for (const amount of ["0", "0.00", "1.005", "568"])
    expect((await act("/refunds", { reference: "R-1", amount })).status).toBe(422);
  for (const refunded_at of ["2099-01-01T00:00:00Z", "2001-01-01T00:00:00Z"])
    expect((await act("/refunds", { reference: "R-1", amount: "5", refunded_at })).status).toBe(422);
  expect((await act("/refunds", { reference: "R-1", amount: "67.00" })).body).toMatchObject({
    ...{ status: "processing", payment_status: "partially_refunded", totals: { refunded: "67.00", due: "0.00" } },
  });
  expect((await act("/refunds", { reference: "R-1", amount: "68.00" })).body.detail).toContain("with another amount");
  expect((await act("/refunds", { reference: "R-2", amount: "500" })).body.status).toBe("refunded");
  expect((await get("/api/orders/1")).json().refunds).toHaveLength(2);
});

test("what was paid by card is refunded at Stripe, and the answer says so", async () => {
  const { act, db } = await start();
  await changeOrder(db, 1, {
    payments: [{ method: "card", reference: "pi_1", amount: "567.00", status: "paid" }],
  });
  await db
    .insertInto("payment_attempts")
    .values({
      ...{ order_id: 1, idempotency_key: "k", state: "paid", amount_minor: 56_700, currency: "EUR" },
      ...{ created_at: new Date(), expires_at: new Date() },
    })
    .execute();
  const refused = await act("/refunds", { reference: "R-1", amount: "5.00" });
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    "A-1001 was paid by card. Refund it in Stripe's Dashboard: it appears here automatically.",
  ]);
});

test("what goes back of a closed order is said by whoever records it, since it isn't all that was paid", async () => {
  const { act, pay, db } = await start();
  await pay();
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1001, quantity: 1 }] });
  await act("/close");
  const refund = { name: "refunded", reference: "R-1", reason: null } as const;
  await expect(actByCommand(db, "A-1001", { ...refund, amount: undefined }, followUp)).rejects.toThrow(
    "A-1001 was sent in part, and its rest won't come. Write how much goes back: --amount.",
  );
  const { after } = await actByCommand(db, "A-1001", { ...refund, amount: "378" }, followUp);
  expect(after).toMatchObject({ status: "completed", payment_status: "paid" });
});

test("what is closed is priced in amounts that can be paid", async () => {
  const { act, db, matters } = await start({ orders: 0 });
  const lines = [newLine({ unit_price: "101", quantity: 3 })];
  for (const id of [1, 2]) {
    await placeOrder(db, newOrder({ buyer, lines, currency: "HUF", prices_include_tax: false })); // 303 and a tax of 64
    if (id === 2) await act("/payments", { method: "bank_transfer", reference: "T-1", amount: "367" }, { id });
    else await actByCommand(db, "A-1001", { name: "accept" }, followUp);
    await act("/fulfillments", { reference: "P-1", lines: [{ line_id: id * 1_000 + 1, quantity: 2 }] }, { id });
  }
  expect((await act("/close")).body).toMatchObject({ status: "on_hold", totals: { due: "245.00" } });
  expect((await act("/close", {}, { id: 2 })).body).toMatchObject({ status: "completed", totals: { due: "0.00" } });
  expect(await matters(2)).toEqual([{ reason: "owed", amount: "122.0000" }]);
});

test("what goes back of an order of 0 is a surplus, and the order goes on", async () => {
  const { act, db, matters } = await start({ orders: 0 });
  await placeOrder(db, newOrder({ buyer, lines: [newLine({ unit_price: "0" })] }));
  await act("/payments", { method: "bank_transfer", reference: "T-1", amount: "5" });
  expect(await matters()).toEqual([{ reason: "overpaid", amount: "5.0000" }]);
  expect((await act("/refunds", { reference: "R-1", amount: "5" })).body).toMatchObject({
    ...{ status: "on_hold", payment_status: "paid", totals: { refunded: "5.00", due: "0.00" } },
  });
  expect(await matters()).toEqual([]);
});

test("what goes back of an order of which nothing that costs was sent leaves it completed", async () => {
  const { act, db, matters } = await start({ orders: 0 });
  await placeOrder(db, newOrder({ buyer, lines: [newLine({ unit_price: "0" }), newLine({ sku: "RIL-80" })] }));
  await act("/payments", { method: "bank_transfer", reference: "T-1", amount: "189" });
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1001, quantity: 1 }] });
  expect((await act("/close")).body.status).toBe("completed");
  expect((await act("/refunds", { reference: "R-1", amount: "189" })).body).toMatchObject({
    ...{ status: "completed", payment_status: "paid" },
  });
  expect(await matters()).toEqual([]);
});

test("returned goods are noted by line, and the order is returned once all that was sent is back", async () => {
  const { act, pay, mails } = await start();
  await pay();
  expect((await act("/returns", { reference: "B-1" })).body.detail).toBe(
    "Nothing of A-1001 was sent, so nothing of it can come back.",
  );
  await act("/fulfillments", { reference: "P-1" });
  const before = await mails();
  const received_at = new Date().toISOString();
  const back = { reference: "B-1", received_at, lines: [{ line_id: 1002, quantity: 1 }] };
  const part = await act("/returns", back);
  expect(part.body).toMatchObject({
    ...{ status: "completed", fulfillment_status: "fulfilled", payment_status: "paid" },
    returns: [{ id: 1, ...back }],
  });
  expect((await act("/returns", back)).body).toEqual(part.body);
  expect((await act("/returns", { ...back, lines: [{ line_id: 1001, quantity: 1 }] })).status).toBe(422);
  for (const lines of [
    [{ line_id: 1002, quantity: 2 }],
    [{ line_id: 2001, quantity: 1 }],
    [
      { line_id: 1002, quantity: 1 },
      { line_id: 1002, quantity: 1 },
    ],
  ])
    expect((await act("/returns", { reference: "B-2", lines })).status).toBe(422);
  const all = await act("/returns", { reference: "B-2" });
  expect(all.body).toMatchObject({ fulfillment_status: "returned", status: "completed" });
  expect((await act("/returns", { reference: "B-2" })).body).toEqual(all.body);
  expect((await act("/returns", { reference: "B-3" })).status).toBe(422);
  expect(await mails()).toEqual(before);
});

test("while something is left to be sent, an order isn't returned, whatever came back", async () => {
  const { act, pay } = await start({ orders: 2 });
  for (const id of [1, 2]) {
    await pay(id);
    await act("/fulfillments", { reference: "P-1", lines: [{ line_id: id * 1_000 + 1, quantity: 1 }] }, { id });
    expect((await act("/returns", { reference: "B-1" }, { id })).body.fulfillment_status).toBe("partial");
  }
  expect((await act("/close", {}, { id: 2 })).body.fulfillment_status).toBe("returned");
  expect((await act("/fulfillments", { reference: "P-2" })).body.fulfillment_status).toBe("fulfilled");
  expect((await act("/returns", { reference: "B-2" })).body.fulfillment_status).toBe("returned");
});

test("an act is refused where the order isn't as it was seen, but not because another partner acknowledged it", async () => {
  const { act, pay, get } = await start();
  const seen = { status: "pending", fulfillment_status: "unfulfilled", due: "567" };
  await pay();
  const refused = await act("/cancel", { seen });
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    "The order has changed since you saw it: its status is processing now.",
  ]);
  expect((await get("/api/orders/1")).json()).toMatchObject({ status: "processing", version: 2 });
  await act("", { external_id: "SO-1" }, { as: otherToken });
  expect((await act("/cancel", { seen: { ...seen, status: "processing", due: "0" } })).body.status).toBe("cancelled");
  expect((await act("/cancel", { seen })).status).toBe(200); // it's what was asked for
  expect((await act("/hold", { seen: { colour: "red" } })).status).toBe(400);
});

test("every act leaves a row that says who, when and what, and none where nothing changed", async () => {
  const { act, pay, history, db } = await start();
  await pay();
  await pay();
  await act("", { external_id: "SO-1" }, { as: otherToken });
  await act("/fulfillments", { reference: "P-1", lines: [{ line_id: 1002, quantity: 1 }] });
  await act("/close", { reason: "Gone" });
  await act("/returns", { reference: "B-1" });
  await act("/refunds", { reference: "R-1", amount: "67.00" });
  await actByCommand(db, "A-1001", { name: "hold" }, followUp);
  const rows = await history();
  expect(new Set(rows.map(({ done_by }) => done_by)).size).toBe(3);
  expect(rows.at(-1)).toMatchObject({ done_by: "command", act: "hold", was: "completed", became: "on_hold" });
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(
    rows.map(({ act, version, was, became, amount, units }) => [act, version, was, became, amount, units]),
  ).toEqual([
    ["paid", 2, "pending", "processing", "567.0000", null],
    ["acknowledge", 3, "processing", "processing", null, null],
    ["sent", 4, "processing", "processing", null, 1],
    ["close", 5, "processing", "completed", null, 2],
    ["returned", 6, "completed", "completed", null, 1],
    ["refunded", 7, "completed", "completed", "67.0000", null],
    ["hold", 8, "completed", "on_hold", null, null],
  ]);
});

test("an act with an Idempotency-Key is done once, and its key belongs to its method and path", async () => {
  const { act, pay } = await start();
  await pay();
  const key = { "idempotency-key": "k-1" };
  await act("/hold", {}, key);
  await act("/release");
  const replayed = await act("/hold", {}, key);
  expect(replayed.headers["idempotent-replayed"]).toBe("true");
  expect(replayed.body.status).toBe("on_hold");
  expect((await act("", { external_id: "SO-1" }, key)).body).toMatchObject({
    status: "processing",
    external_id: "SO-1",
  });
  expect((await act("", { external_id: "SO-2" }, key)).status).toBe(422);
});

test("each sample on the page about acts does what the page says", async () => {
  const { app, db, act, pay } = await start({ orders: 6 });
  const base = await app.listen({ host: "127.0.0.1", port: 0 });
  const cwd = mkdtempSync(join(tmpdir(), "twinfront-acts-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, "invoice.pdf"), pdfOf("An invoice"));
  const env = { PATH: process.env["PATH"], ERP_PULL_API_TOKEN: token };
  /** Runs the samples below a heading about the order with this id, and returns the answers. */
  const run = async (heading: string, id: number) => {
    const samples = [...sectionOf(heading).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, sample = ""]) => sample);
    const script = samples
      .join("")
      .replaceAll("https://shop.example/api/orders/1", `${base}/api/orders/${id}`)
      .replaceAll("https://shop.example", base)
      .replaceAll('"line_id":1001', `"line_id":${id}001`)
      .replaceAll("curl ", "curl --silent --show-error --write-out '\\n' ");
    const { stdout } = await promisify(execFile)("sh", ["-ec", script], { cwd, env });
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const parcel = { reference: "P-1", lines: [{ line_id: 3001, quantity: 1 }] };
  for (let id = 1; id <= 6; id += 1) await pay(id);
  expect(await run("Acknowledge", 1)).toMatchObject([
    { id: 1, external_id: "SO-88120", partner_note: "Batch 7, packed by Eva" },
    { orders: [{ id: 1 }] },
    { orders: [{ id: 1 }] },
    { products: [] },
  ]);
  expect(await run("Cancel", 2)).toMatchObject([{ status: "cancelled", cancel_reason: "Sold out" }]);
  await act("/fulfillments", parcel, { id: 3 });
  expect(await run("Close", 3)).toMatchObject([
    { status: "completed", lines: [{ closed_quantity: 0 }, { closed_quantity: 2 }] },
  ]);
  expect(await run("Hold and release", 4)).toMatchObject([{ status: "on_hold" }, { status: "processing" }]);
  expect(await run("Refunds", 5)).toMatchObject([
    { status: "processing", refunds: [{ amount: "50.00", reason: "Arrived damaged" }] },
  ]);
  await act("/fulfillments", { reference: "P-2" }, { id: 6 });
  const lines = [{ line_id: 6001, quantity: 1 }];
  expect(await run("Returns", 6)).toMatchObject([{ fulfillment_status: "fulfilled", returns: [{ lines }] }]);
  expect(await run("Invoices", 6)).toMatchObject([{ invoices: [{ number: "2026-004711", total: "189.00" }] }]);
  const history = await db.selectFrom("order_history").select("act").execute();
  expect(new Set(history.map((row) => row.act))).toEqual(
    new Set(["paid", "acknowledge", "cancel", "sent", "close", "hold", "release", "refunded", "returned", "invoiced"]),
  );
});

test("what the page says of each status about sending is what a report of a parcel does", async () => {
  const { act, matters, pay, db } = await start({ orders: 7 });
  const rows = tableOf("Send it, or not?").map(([status = "", send]) => [status.replaceAll("`", ""), send] as const);
  expect(rows.map(([status]) => status)).toEqual([
    ...["pending", "processing", "on_hold", "completed", "cancelled", "refunded", "failed"],
  ]);
  for (const [index, [status, send]] of rows.entries()) {
    const id = index + 1;
    if (!["pending", "cancelled", "failed"].includes(status)) await pay(id);
    if (status === "completed") await act("/fulfillments", { reference: "P-0" }, { id });
    else if (status === "refunded") await act("/refunds", { reference: "R-0", amount: "567.00" }, { id });
    else if (status !== "processing") await changeOrder(db, id, { status: status as "failed" });
    const { status: answer, body } = await act("/fulfillments", { reference: "P-1" }, { id });
    const taken = { processing: [200, "completed"], on_hold: [200, "on_hold"], completed: [422, undefined] };
    expect([answer, body.fulfillments ? body.status : undefined], status).toEqual(
      taken[status as "on_hold"] ?? [409, undefined],
    );
    expect(send === "**yes**", status).toBe(status === "processing");
  }
  expect(await matters(3)).toEqual([{ reason: "sent_on_hold", amount: null }]);
});
