import { expect, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import type { FollowUp } from "../../../../api/selling/orders/place-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordFulfillment } from "../../../../api/selling/orders/record-fulfillment.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { migrateAgain, openMigratedDatabase, PATIENT, startApi, token } from "../../api.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";

const buyer = {
  ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
  ...{ phone: null, vat_id: null },
};
const parcel = {
  ...{ reference: "PACK-7", carrier: "DHL", tracking_number: "00340434161094042557" },
  tracking_url: "https://dhl.example/track?n=00340434161094042557",
};
const first = { line_id: 1001, quantity: 1 };
const second = { line_id: 1002, quantity: 2 };
const payment = { method: "bank_transfer", reference: "t-1", amount: "567.00" };

/** An API with a paid order from the checkout, id 1: one scanner in line 1, two in line 2, 567.00 in all. */
async function start({ paid = true } = {}) {
  const { db, url } = await openMigratedDatabase();
  const api = await startApi({ db });
  await placeOrder(db, newOrder({ buyer, lines: [newLine(), newLine({ sku: "RIL-80", quantity: 2 })] }));
  if (paid) await recordPayment(db, 1, payment, async () => {});
  const send = (payload: object | string, headers: Record<string, string> = {}, id = 1, { app } = api) =>
    app.inject({
      method: "POST",
      url: `/api/orders/${id}/fulfillments`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      payload,
    });
  const read = async () => (await api.get("/api/orders/1")).json();
  const mails = async () => (await db.selectFrom("mails").select(["kind", "state"]).execute()) as object[];
  return { ...api, db, url, send, read, mails };
}

test("a fulfilment without lines is everything, completes a paid order and mails the customer once", async () => {
  const { send, read, mails } = await start();
  const shipped_at = new Date(Date.now() - 3_600_000).toISOString();
  const answer = await send({ ...parcel, shipped_at });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual(await read());
  expect(answer.json()).toMatchObject({
    ...{ status: "completed", fulfillment_status: "fulfilled", payment_status: "paid", version: 3 },
    fulfillments: [{ id: 1, ...parcel, shipped_at, lines: [first, second] }],
  });
  expect(await mails()).toEqual([{ kind: "sent", state: "pending" }]);
});

test("what is left out is null, and the time is now", async () => {
  const { send } = await start();
  const before = Date.now();
  const [fulfillment] = (await send({ reference: "PACK-7" })).json().fulfillments;
  expect(fulfillment).toMatchObject({ carrier: null, tracking_number: null, tracking_url: null });
  expect(Date.parse(fulfillment.shipped_at)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(fulfillment.shipped_at)).toBeLessThanOrEqual(Date.now());
});

test("an order stays processing while a part of it is left, and the rest needs no lines", async () => {
  const { send } = await start();
  const part = await send({ ...parcel, lines: [{ line_id: 1002, quantity: 1 }] });
  expect(part.json()).toMatchObject({ status: "processing", fulfillment_status: "partial", version: 3 });
  const rest = await send({ reference: "PACK-8" });
  expect(rest.json()).toMatchObject({
    ...{ status: "completed", fulfillment_status: "fulfilled", version: 4 },
    fulfillments: [
      { id: 1, reference: "PACK-7", lines: [{ line_id: 1002, quantity: 1 }] },
      { id: 2, reference: "PACK-8", lines: [first, { line_id: 1002, quantity: 1 }] },
    ],
  });
});

test("a change by a fulfilment has a new ETag, version and sequence, and comes to who follows changed_after", async () => {
  const { send, get } = await start();
  const before = await get("/api/orders/1");
  const { version, sequence } = before.json();
  await send({ ...parcel, lines: [first] });
  const after = await get("/api/orders/1", { "if-none-match": String(before.headers["etag"]) });
  expect([after.statusCode, after.json().version, after.json().sequence > sequence]).toEqual([200, version + 1, true]);
  expect((await get(`/api/orders?changed_after=${sequence}`)).json().orders).toEqual([after.json()]);
});

test("the same fulfilment again answers the same and changes nothing, whatever became of the order", async () => {
  const { db, send, mails } = await start();
  const report = { ...parcel, shipped_at: new Date().toISOString(), lines: [second, first] };
  const once = await send(report);
  const { shipped_at, lines, ...short } = report;
  for (const again of [report, { ...report, lines: [first, second] }, { ...short, lines }, short]) {
    const answer = await send(again);
    expect([answer.statusCode, answer.body]).toEqual([200, once.body]);
  }
  expect(await mails()).toHaveLength(1);
  await changeOrder(db, 1, { status: "refunded" });
  expect((await send(report)).json()).toMatchObject({ status: "refunded", version: 4, fulfillments: [{ id: 1 }] });
});

test("anything different under a reference is refused, and nothing is recorded", async () => {
  const { send, read } = await start();
  await send({ ...parcel, lines: [first] });
  const before = await read();
  const different = [
    { ...parcel, lines: [second] },
    { ...parcel, lines: [first, { line_id: 1002, quantity: 1 }] },
    parcel, // without lines: what is left now
    { ...parcel, carrier: "UPS", lines: [first] },
    { ...parcel, tracking_number: "1Z", lines: [first] },
    { ...parcel, tracking_url: "https://ups.example/", lines: [first] },
    { reference: parcel.reference, lines: [first] },
    { ...parcel, lines: [first], shipped_at: new Date(Date.now() - 1_000).toISOString() },
  ];
  for (const report of different) {
    const answer = await send(report);
    expect([answer.statusCode, answer.json().detail]).toEqual([
      ...[422, "A different fulfilment is recorded with this reference already."],
    ]);
  }
  expect(await read()).toEqual(before);
});

test("more than is left, an unknown line or a line named twice is refused, and nothing is recorded", async () => {
  const { send, read, mails } = await start();
  const before = await read();
  const notLeft = /^A line isn't of this order, or fewer pieces of it are left to be sent\.$/;
  const wrong: [object[], RegExp][] = [
    [[{ line_id: 1001, quantity: 2 }], notLeft],
    [[first, { line_id: 1002, quantity: 3 }], notLeft],
    [[{ line_id: 1003, quantity: 1 }], notLeft],
    [
      [
        { line_id: 1002, quantity: 1 },
        { line_id: 1002, quantity: 1 },
      ],
      /named twice/,
    ],
  ];
  for (const [lines, message] of wrong) {
    const answer = await send({ ...parcel, lines });
    expect([answer.statusCode, answer.json().detail]).toEqual([422, expect.stringMatching(message)]);
  }
  expect([await read(), await mails()]).toEqual([before, []]);
  await send({ ...parcel, lines: [first] });
  expect((await send({ reference: "PACK-8", lines: [first] })).json().detail).toMatch(notLeft);
  await send({ reference: "PACK-8" });
  const over = await send({ reference: "PACK-9" });
  expect([over.statusCode, over.json().detail]).toEqual([422, "Everything of this order was sent already."]);
});

test("a time after now or more than a day before the order is refused, with five minutes for the partner's clock", async () => {
  const { send } = await start();
  const minute = 60_000;
  for (const offset of [10 * minute, -26 * 60 * minute]) {
    const answer = await send({ ...parcel, shipped_at: new Date(Date.now() + offset).toISOString() });
    expect([answer.statusCode, answer.json().detail]).toEqual([
      ...[422, "The time is in the future, or more than a day before the order."],
    ]);
  }
  for (const [index, offset] of [4 * minute, -23 * 60 * minute].entries()) {
    const shipped_at = new Date(Date.now() + offset).toISOString();
    const lines = [index === 0 ? first : second];
    expect((await send({ reference: `PACK-${index}`, shipped_at, lines })).statusCode).toBe(200);
  }
});

test("an order that is pending, cancelled, refunded or failed can't be sent; the answer is 409", async () => {
  const { db, send, read } = await start({ paid: false });
  const refused = async () => {
    const before = await read();
    const answer = await send(parcel);
    expect(await read()).toEqual(before);
    return [answer.statusCode, answer.json().detail];
  };
  const message = (status: string) => [409, `The order is ${status}, so nothing of it can be sent.`];
  expect(await refused()).toEqual([
    ...[409, "The order is pending: record its payment, or accept it, before it's sent."],
  ]);
  await changeOrder(db, 1, { status: "failed" });
  expect(await refused()).toEqual(message("failed"));
  await changeOrder(db, 1, { status: "cancelled" });
  expect(await refused()).toEqual(message("cancelled"));
  await changeOrder(db, 1, { status: "on_hold", by: "person" });
  await changeOrder(db, 1, { status: "refunded" });
  expect(await refused()).toEqual(message("refunded"));
  expect((await send(parcel, {}, 2)).statusCode).toBe(404);
});

test("an order on credit is completed by its payment once it was sent", async () => {
  const { db, send, read } = await start({ paid: false });
  await changeOrder(db, 1, { status: "processing", by: "person" });
  expect((await send(parcel)).json()).toMatchObject({ status: "processing", fulfillment_status: "fulfilled" });
  await recordPayment(db, 1, { ...payment, amount: "500" }, async () => {});
  expect(await read()).toMatchObject({ status: "processing", payment_status: "partially_paid" });
  await recordPayment(db, 1, { ...payment, reference: "t-2", amount: "67" }, async () => {});
  expect(await read()).toMatchObject({ status: "completed", payment_status: "paid" });
});

test("an order on hold stays so when it's sent, and is completed when it's released", async () => {
  const { db, send, read } = await start();
  await changeOrder(db, 1, { status: "on_hold" });
  expect((await send(parcel)).json()).toMatchObject({ status: "on_hold", fulfillment_status: "fulfilled" });
  await changeOrder(db, 1, { status: "processing", by: "person" });
  expect(await read()).toMatchObject({ status: "completed" });
});

test("processes that report the last pieces at once record them once", async () => {
  const { db, url, send, read } = await start();
  const other = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: PATIENT });
  const another = await startApi({ db: other });
  const atOnce = (...reports: object[]) =>
    Promise.all(reports.map((report, index) => send(report, {}, 1, index % 2 ? another : undefined)));
  const same = await atOnce(...Array<object>(4).fill({ ...parcel, lines: [first] }));
  expect(same.map(({ statusCode, body }) => [statusCode, body])).toEqual(Array(4).fill([200, same[0]?.body]));
  const different = await atOnce(...["A", "B", "C", "D"].map((reference) => ({ reference, lines: [second] })));
  expect(different.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422, 422]);
  expect((await read()).fulfillments).toHaveLength(2);
  expect(await db.selectFrom("orders").select("version").executeTakeFirst()).toEqual({ version: 4 });
  await other.destroy();
});

test("each fulfilment queues a mail, and two before it left are one", async () => {
  const { db, send, mails } = await start();
  await send({ reference: "PACK-1", lines: [first] });
  await send({ reference: "PACK-2", lines: [{ line_id: 1002, quantity: 1 }] });
  expect(await mails()).toEqual([{ kind: "sent", state: "pending" }]);
  await db.updateTable("mails").set({ state: "sent", attempts: 1 }).execute();
  await send({ reference: "PACK-3" });
  expect(await mails()).toEqual([{ kind: "sent", state: "pending" }]);
});

test("an order that didn't come through the checkout is sent without a mail", async () => {
  const { db, send, mails } = await start();
  await placeOrder(db, newOrder({ status: "processing" }));
  const sent = await send(parcel, {}, 2);
  expect(sent.json()).toMatchObject({ status: "processing", fulfillment_status: "fulfilled" });
  expect(await mails()).toEqual([]);
});

test("a malformed fulfilment is refused, naming each field and quoting nothing", async () => {
  const { send } = await start();
  const wrong: [object | string, string][] = [
    ["", "reference"],
    [{ ...parcel, reference: " spaced " }, "reference"],
    [{ ...parcel, reference: "x".repeat(256) }, "reference"],
    [{ ...parcel, carrier: "" }, "carrier"],
    [{ ...parcel, carrier: null }, "carrier"],
    [{ ...parcel, carrier: "spaced " }, "carrier"],
    [{ ...parcel, carrier: "two\nlines" }, "carrier"],
    [{ ...parcel, carrier: "half \ud83d" }, "carrier"],
    [{ ...parcel, carrier: "x".repeat(101) }, "carrier"],
    [{ ...parcel, tracking_number: "tab\there" }, "tracking_number"],
    [{ ...parcel, tracking_url: "http://dhl.example/1" }, "tracking_url"],
    [{ ...parcel, tracking_url: "javascript:alert(1)//https://" }, "tracking_url"],
    [{ ...parcel, tracking_url: `https://${"x".repeat(1_993)}` }, "tracking_url"],
    ...[
      "bank@evil.example/",
      "a:b@evil.example",
      "@evil.example/",
      "evil.example\\@bank.example/",
      "bank.example\n",
    ].map((rest): [object, string] => [{ ...parcel, tracking_url: `https://${rest}` }, "tracking_url"]),
    ...[
      "",
      "/",
      ".",
      "bank..example/",
      "ev%69l.example/",
      "bank.example:port/",
      "bänk.example/",
      "bank.example/\t",
    ].map((rest): [object, string] => [{ ...parcel, tracking_url: `https://${rest}` }, "tracking_url"]),
    [{ ...parcel, shipped_at: "2026-10-19" }, "shipped_at"],
    [{ ...parcel, lines: [] }, "lines"],
    [{ ...parcel, lines: [{ line_id: 1001, quantity: 0 }] }, "lines.0.quantity"],
    [{ ...parcel, lines: [{ line_id: 1001, quantity: 1, sku: "x" }] }, "lines.0.sku"],
    [{ ...parcel, status: "sent" }, "status"],
  ];
  for (const [report, fields] of wrong) {
    const answer = await send(report);
    const errors: { field: string }[] = answer.json().errors ?? [];
    expect([report, answer.statusCode, errors.map(({ field }) => field).join(" ")]).toEqual([report, 400, fields]);
    expect(answer.body).not.toMatch(/spaced|alert|two/);
  }
  expect((await send({ ...parcel, carrier: "x".repeat(20_000) })).statusCode).toBe(413);
  const odd = { carrier: "Česká pošta 📦", tracking_url: `https://${"x".repeat(1_992)}` };
  expect((await send({ ...parcel, ...odd })).json().fulfillments).toMatchObject([odd]);
  // What nobody sees isn't part of it.
  const pasted = await send({ ...parcel, ...odd, carrier: "Česká\u200b pošta 📦\u200e" });
  expect([pasted.statusCode, pasted.json().fulfillments]).toMatchObject([200, [odd]]);
});

test("an Idempotency-Key brings the same answer, is refused with another body, and belongs to one address", async () => {
  const { db, app, send } = await start();
  const key = { "idempotency-key": '"k-1"' };
  const sent = await send({ ...parcel, lines: [first] }, key);
  await changeOrder(db, 1, { note: "changed meanwhile" });
  const again = await send({ lines: [first], ...parcel }, key);
  expect([again.statusCode, again.headers["idempotent-replayed"], again.body]).toEqual([200, "true", sent.body]);
  const other = await send({ ...parcel, lines: [second] }, key);
  expect([other.statusCode, other.json().detail]).toEqual([422, expect.stringMatching(/with another body/)]);
  const headers = { authorization: `Bearer ${token}`, ...key };
  const paid = await app.inject({ method: "POST", url: "/api/orders/1/payments", headers, payload: payment });
  expect([paid.statusCode, paid.json().note]).toEqual([200, "changed meanwhile"]);
});

test("when what follows from a fulfilment fails, it isn't recorded", async () => {
  const { db, read } = await start();
  const before = await read();
  const fail: FollowUp = async () => {
    throw new Error("no mail today");
  };
  await expect(recordFulfillment(db, 1, parcel, fail)).rejects.toThrow("no mail today");
  expect(await read()).toEqual(before);
});

test("a preview of the message to the ERP has what was sent, and an order that was paid before isn't pushed again", async () => {
  const { db, get, read } = await start({ paid: false });
  const followUp = makeFollowUp({ pushWhen: "paid" });
  await recordPayment(db, 1, payment, followUp);
  await recordFulfillment(db, 1, parcel, followUp);
  const message = (await get("/api/erp/orders/1/preview")).json().body;
  expect(message.data.fulfillments).toEqual((await read()).fulfillments);
  expect(await db.selectFrom("deliveries").select("webhook_id").execute()).toEqual([{ webhook_id: "msg_order_1_2" }]);
});

test("an order that was stored before there were fulfilments has none, and the migration can run again", async () => {
  const { db, read, get } = await start();
  expect(await migrateAgain(db, "2026-11-22-35-add-fulfillments")).toContain("2026-11-22-35-add-fulfillments");
  expect((await read()).fulfillments).toEqual([]);
  expect((await get("/api/orders")).json().orders).toEqual([await read()]);
});
