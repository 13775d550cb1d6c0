import { expect, test } from "vitest";
import { up as fillAttention } from "../../../../api/platform/database/migrations/2026-11-25-02-fill-attention.ts";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { findMatters } from "../../../../api/selling/orders/attention.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import type { FollowUp } from "../../../../api/selling/orders/place-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { startApi, token } from "../../api.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";

const transfer = { method: "bank_transfer", reference: "2026-10-19/44", amount: "189.00" };
const buyer = {
  ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
  ...{ phone: null, vat_id: null },
};

const otherToken = "another-partner-token-of-thirty-two-letters";

/** An API with two partners and an order of 189.00 from the checkout, id 1. */
async function start(overrides: Parameters<typeof newOrder>[0] = {}) {
  const api = await startApi({ pullTokens: [token, otherToken] });
  await placeOrder(api.db, newOrder({ buyer, ...overrides }));
  const pay = (payload: object | string, headers: Record<string, string> = {}, id: number | string = 1) =>
    api.app.inject({
      method: "POST",
      url: `/api/orders/${id}/payments`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      payload,
    });
  const read = async () => (await api.get("/api/orders/1")).json();
  const mails = async () =>
    (await api.db.selectFrom("mails").select("kind").orderBy("kind").execute()).map(({ kind }) => kind);
  return { ...api, pay, read, mails };
}

test("a payment in full makes a pending order processing, with the time when the money came", async () => {
  const { pay, read, mails } = await start();
  const paid_at = new Date(Date.now() - 3_600_000).toISOString();
  const reference = "Überweisung für 1001 – Schäfer";
  const answer = await pay({ ...transfer, reference, currency: "EUR", paid_at });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual(await read());
  expect(answer.json()).toMatchObject({
    ...{ status: "processing", payment_status: "paid", paid_at, version: 2, totals: { due: "0.00" } },
    payments: [{ id: 1, ...transfer, reference, status: "paid" }],
  });
  expect(await mails()).toEqual(["payment_received"]);
});

test("fault 19: the same payment again answers the same and changes nothing, also at the same time", async () => {
  const { db, pay, mails } = await start();
  const answers = await Promise.all([pay(transfer), pay(transfer), pay({ ...transfer, amount: "189" })]);
  const again = await pay(transfer);
  expect([...answers, again].map(({ statusCode, body }) => [statusCode, body])).toEqual(
    Array.from({ length: 4 }, () => [200, again.body]),
  );
  expect(await mails()).toEqual(["payment_received"]);
  await changeOrder(db, 1, { status: "on_hold", by: "person" });
  expect((await pay(transfer)).json()).toMatchObject({ status: "on_hold", version: 3 });
});

test("another amount under the same reference is refused, and nothing is recorded", async () => {
  const { pay, read } = await start();
  await pay(transfer);
  const before = await read();
  const answer = await pay({ ...transfer, amount: "190.00" });
  expect([answer.statusCode, answer.json().detail]).toEqual([
    422,
    "A payment with this method and reference is recorded already, with another amount.",
  ]);
  expect(await read()).toEqual(before);
});

test("fault 25: less than the total leaves a pending order to be paid, and exactly the rest completes it", async () => {
  const { pay, read, mails } = await start();
  expect((await pay({ ...transfer, amount: "100" })).json()).toMatchObject({
    ...{ status: "pending", payment_status: "partially_paid", paid_at: null, totals: { due: "89.00" } },
  });
  expect(await mails()).toEqual(["payment_received"]);
  await pay({ ...transfer, reference: "rest", amount: "89.00" });
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid", totals: { due: "0.00" } });
  expect(await mails()).toEqual(["payment_received"]);
});

test("fault 25: a rest that is more than was left puts a pending order on hold, for a person", async () => {
  const { pay, mails } = await start();
  await pay({ ...transfer, amount: "100" });
  const answer = await pay({ ...transfer, reference: "rest", amount: "89.01" });
  expect(answer.json()).toMatchObject({ status: "on_hold", payment_status: "paid", totals: { due: "0.00" } });
  expect(await mails()).toEqual(["payment_received", "shop_needs_person"]);
});

test("an order that a part payment put on hold in an earlier release goes on when the rest comes, unless a person held it", async () => {
  for (const isHeldByPerson of [false, true]) {
    const { db, pay } = await start();
    await pay({ ...transfer, amount: "100" });
    await db.updateTable("orders").set({ status: "on_hold" }).execute();
    await fillAttention(db as never);
    const hold: Act = { name: "hold" };
    if (isHeldByPerson) await actByCommand(db, "A-1001", hold, async () => {});
    await pay({ ...transfer, reference: "more", amount: "80" });
    const answer = await pay({ ...transfer, reference: "rest", amount: "9" });
    expect(answer.json()).toMatchObject({ status: isHeldByPerson ? "on_hold" : "processing", payment_status: "paid" });
    expect((await findMatters(db, 1)).map(({ reason }) => reason)).toEqual(
      isHeldByPerson ? ["paid_on_hold", "paid_on_hold"] : [],
    );
  }
});

test("payments that add up to more than an order's amounts can hold are refused", async () => {
  const { pay } = await start();
  const most = "999999999999999.99";
  expect((await pay({ ...transfer, amount: most })).json()).toMatchObject({ status: "on_hold" });
  expect((await pay({ ...transfer, reference: "again", amount: most })).statusCode).toBe(422);
  expect((await pay({ ...transfer, reference: "again", amount: "0.01" })).statusCode).toBe(422);
});

test("fault 24: a payment after cancelling is recorded, and the order stays cancelled", async () => {
  const { db, pay, mails } = await start();
  await changeOrder(db, 1, { status: "cancelled", cancel_reason: "Not paid" });
  const answer = await pay(transfer);
  expect(answer.json()).toMatchObject({ status: "cancelled", payment_status: "paid", totals: { due: "0.00" } });
  expect(await mails()).toEqual(["shop_needs_person"]);
});

test("fault 27: money that comes after a refund is recorded, and the order stays refunded for a person", async () => {
  const { db, pay, mails } = await start();
  await pay(transfer);
  const refund = { reference: "back", amount: "189", reason: null, created_at: new Date() };
  await changeOrder(db, 1, { status: "refunded", refunds: [refund] });
  const answer = await pay({ ...transfer, reference: "late" });
  expect(answer.json()).toMatchObject({ status: "refunded", totals: { refunded: "189.00", due: "0.00" } });
  expect(await mails()).toEqual(["payment_received", "shop_needs_person"]);
});

test("fault 23: paid twice, both payments are recorded, and the order stays as it is", async () => {
  const { pay, mails } = await start();
  await pay(transfer);
  const answer = await pay({ ...transfer, reference: "2026-10-20/3" });
  expect(answer.json()).toMatchObject({
    ...{ status: "processing", payment_status: "paid", totals: { due: "0.00" } },
    payments: [{ id: 1 }, { id: 2 }],
  });
  expect(await mails()).toEqual(["payment_received", "shop_needs_person"]);
});

test("a payment that doesn't fit the order is refused, and nothing is recorded", async () => {
  const { pay, read } = await start({ lines: [newLine({ unit_price: "189" })], currency: "JPY" });
  const before = await read();
  const wrong: [object, RegExp][] = [
    [{ ...transfer, amount: "189", currency: "EUR" }, /in another currency/],
    [{ ...transfer, amount: "189.5" }, /larger than 0, with at most 15 digits and without decimals/],
    [{ ...transfer, amount: "0" }, /larger than 0/],
    [{ ...transfer, paid_at: new Date(Date.now() + 3_600_000).toISOString() }, /in the future/],
    [{ ...transfer, paid_at: new Date(Date.now() - 3 * 86_400_000).toISOString() }, /more than a day before/],
  ];
  for (const [payment, message] of wrong) {
    const answer = await pay(payment);
    expect([answer.statusCode, answer.json().detail]).toEqual([422, expect.stringMatching(message)]);
  }
  expect(await read()).toEqual(before);
  expect((await pay({ ...transfer, amount: "189" }, {}, 2)).statusCode).toBe(404);
});

test("a malformed payment is refused, naming each field and quoting nothing", async () => {
  const { pay } = await start();
  const wrong: [object | string, string][] = [
    ["", "method reference amount"],
    [{ ...transfer, amount: 189 }, "amount"],
    [{ ...transfer, amount: "-1" }, "amount"],
    [{ ...transfer, amount: "1e2" }, "amount"],
    [{ ...transfer, method: "Bank" }, "method"],
    [{ ...transfer, reference: " spaced " }, "reference"],
    [{ ...transfer, reference: "tab\there" }, "reference"],
    [{ ...transfer, reference: "x".repeat(256) }, "reference"],
    [{ ...transfer, currency: "eur" }, "currency"],
    [{ ...transfer, paid_at: "2026-10-19" }, "paid_at"],
    [{ ...transfer, paid_at: "2026-02-30T08:00:00Z" }, "paid_at"],
    [{ ...transfer, status: "paid" }, "status"],
  ];
  for (const [payment, fields] of wrong) {
    const answer = await pay(payment);
    const errors: { field: string }[] = answer.json().errors ?? [];
    expect([answer.statusCode, errors.map(({ field }) => field).join(" ")]).toEqual([400, fields]);
    // The request's id is random, and may contain 1e2.
    const text = answer.body.replaceAll(String(answer.headers["x-request-id"]), "");
    expect(text).not.toMatch(/spaced|1e2|Bank"/);
  }
});

test("an Idempotency-Key brings the same answer, and is refused with another body", async () => {
  const { db, pay } = await start();
  const key = { "idempotency-key": '"k-1"' };
  const first = await pay(transfer, key);
  await changeOrder(db, 1, { note: "changed meanwhile" });
  const { amount, reference, method } = transfer;
  const again = await pay({ amount, reference, method }, key);
  expect([again.statusCode, again.headers["idempotent-replayed"], again.body]).toEqual([200, "true", first.body]);
  const other = await pay({ ...transfer, amount: "190.00" }, key);
  expect([other.statusCode, other.json().detail]).toEqual([422, expect.stringMatching(/with another body/)]);
});

test("an Idempotency-Key belongs to one order and one address", async () => {
  const { db, app, pay } = await start();
  await placeOrder(db, newOrder());
  const key = { "idempotency-key": "k-1" };
  expect((await pay(transfer, key)).statusCode).toBe(200);
  const second = await pay({ ...transfer, amount: "100" }, key, 2);
  expect([second.statusCode, second.json().id]).toEqual([200, 2]);
  const push = await app.inject({
    method: "POST",
    url: "/api/erp/orders/1/push",
    headers: { authorization: `Bearer ${token}`, ...key },
  });
  expect(push.json().type).toMatch(/not-configured$/);
});

test("two tokens may use the same Idempotency-Key: each has its own answer", async () => {
  const { db, pay, read } = await start();
  const key = { "idempotency-key": "k-1" };
  const first = await pay(transfer, key);
  await changeOrder(db, 1, { note: "changed meanwhile" });
  const other = { authorization: `Bearer ${otherToken}`, ...key };
  const second = await pay(transfer, other);
  expect([second.statusCode, second.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  expect(second.json()).toEqual(await read());
  for (const [headers, body] of [
    [key, first.body],
    [other, second.body],
  ] as const) {
    const again = await pay(transfer, headers);
    expect([again.headers["idempotent-replayed"], again.body]).toEqual(["true", body]);
  }
  expect((await pay({ ...transfer, reference: "45" }, other)).statusCode).toBe(422);
});

test("when what follows from a payment fails, the payment isn't recorded", async () => {
  const { db, read } = await start();
  const before = await read();
  const fail: FollowUp = async () => {
    throw new Error("no mail today");
  };
  await expect(recordPayment(db, 1, transfer, fail)).rejects.toThrow("no mail today");
  expect(await read()).toEqual(before);
});
