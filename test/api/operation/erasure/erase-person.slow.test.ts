import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { makeBillingErasure } from "../../../../api/operation/erasure/erase-billing.ts";
import { eraseOrder, isUnderWay, lockOrder } from "../../../../api/operation/erasure/erase-order.ts";
import { fromNow, writeJson } from "../../../../api/platform/database/columns.ts";
import { inTransaction, READ_COMMITTED } from "../../../../api/platform/database/transaction.ts";
import { claimMail, findDueMails, queueMail } from "../../../../api/selling/mail/queue.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { callTool } from "../../assistant/assistant-shop.ts";
import { verifyFor } from "../../assistant/verified.ts";
import { pdfOf, xmlOf } from "../../partners/orders/documents.ts";
import { enterDetails, place, review } from "../../people/checkout/start-checkout.ts";
import { document } from "../../platform/openapi/openapi-document.ts";
import { makeValidator } from "../../platform/openapi/openapi-validator.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { person, pushNothing, startErasableShop } from "./erasable-shop.ts";

const other = {
  ...{ email: "rosslerq@other.example", first_name: "Ada", last_name: "Novák", phone: "+420 601 234 567" },
  note: "Ring twice",
};
const nothingElse = { company: null, phone: null, vat_id: null };
const invoice = {
  ...{ number: "RE-1", kind: "invoice", issued_on: "2026-10-19", total: "1", currency: "EUR" },
  pdf: pdfOf(person.last_name).toString("base64"),
  xml: xmlOf(person.last_name).toString("base64"),
};
const never = new AbortController().signal;
const day = 24 * 3_600_000;

test("after erasing, no column, mail file, log or metric has the e-mail address, names or telephone number, except the billing address", async () => {
  const { buy, enter, erase, findPerson, output } = await startErasableShop();
  await buy(person);
  await enter(person);
  expect(await findPerson()).toEqual(
    expect.arrayContaining([
      ...["checkouts.details", "deliveries.body", "delivery_attempts.response_excerpt", "idempotency_keys.answer"],
      ...["order_notes.note", "order_payments.reference", "order_refunds.reason", "orders.as_placed"],
      "orders.billing_address",
      ...["orders.buyer", "orders.buyer_reference", "orders.close_reason", "orders.external_id", "orders.note"],
      ...["orders.partner_note", "orders.payments", "orders.refunds", "orders.returns", "orders.shipping_address"],
      ...["order_search.word", "mail files"],
    ]),
  );

  const { orders, checkouts, mailFiles } = await erase();
  expect(orders).toMatchObject([{ number: "A-1001", outcome: "erased" }]);
  expect(checkouts).toBe(2);
  expect(mailFiles).toBeGreaterThanOrEqual(4);
  expect(await findPerson()).toEqual(["orders.billing_address"]);
  expect(output.log).toContain('"route":"/checkout/place"');
});

test("checkouts under another address go too, in a browser where the person has ordered", async () => {
  const { db, customer, erase, findPerson } = await startErasableShop();
  await place(customer, await review(customer, person));
  await changeOrder(db, 1, { status: "cancelled" });
  await db.deleteFrom("mails").execute();
  await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  await enterDetails(customer, { ...person, email: "typo@other.example" });
  expect((await erase()).checkouts).toBe(2);
  expect(await findPerson()).toEqual(["orders.billing_address"]);
});

test("billing name, address, VAT number and amounts stay, and nothing else that names the person", async () => {
  const { db, get, buy, erase } = await startErasableShop();
  await buy(person);
  await db
    .updateTable("orders")
    .set({ buyer: writeJson({ ...person, vat_id: "DE136695976" }) as never })
    .execute();
  const before = (await get("/api/orders/1")).json();
  const { orders } = await erase();
  const after = (await get("/api/orders/1")).json();
  expect(after).toEqual({
    ...before,
    ...{ version: before.version + 1, sequence: before.sequence + 1, updated_at: after.updated_at },
    buyer: { email: "", first_name: null, last_name: null, company: null, phone: null, vat_id: "DE136695976" },
    ...{ buyer_reference: null, note: null, shipping_address: null, external_id: null, partner_note: null },
    billing_address: { ...before.billing_address, phone: null },
    payments: [{ ...before.payments[0], reference: null }],
    refunds: [{ ...before.refunds[0], reason: null }],
    returns: [{ ...before.returns[0], reference: "1" }],
  });
  expect(after.billing_address).toMatchObject({ last_name: "Rößler", company: "Sesame Bakery" });
  expect(orders[0]?.billingKeptUntil?.getTime()).toBe(Date.parse(before.placed_at) + 2_557 * day);
});

test("the answers about an erased order fit openapi.json, and who follows changed_after gets it", async () => {
  const { get, buy, erase } = await startErasableShop();
  await buy(person);
  const { next_changed_after: cursor, orders } = (await get("/api/orders?changed_after=0")).json();
  const seen = cursor ?? orders.at(-1).sequence;
  await erase();
  const validate = makeValidator();
  const operation = (path: string) => {
    const described = document.paths[path]?.["get"];
    if (!described) throw new Error(`${path} isn't described.`);
    return described;
  };
  validate(operation("/api/orders/{id}"), await get("/api/orders/1"));
  const changed = await get(`/api/orders?changed_after=${seen}`);
  validate(operation("/api/orders"), changed);
  expect(changed.json().orders).toMatchObject([{ number: "A-1001", buyer: { email: "" } }]);
  validate(operation("/api/erp/orders/{id}/deliveries"), await get("/api/erp/orders/1/deliveries"));
});

test("an order that isn't finished is refused and stays as it is, with its mails", async () => {
  const { db, order, sendMails, erase, stored } = await startErasableShop();
  const id = await order(person);
  await sendMails();
  const before = await stored(id);
  expect(await erase()).toMatchObject({ orders: [{ number: "A-1001", outcome: "open" }], mailFiles: 0 });
  expect(await stored(id)).toEqual(before);
  await changeOrder(db, id, { status: "cancelled" });
  expect((await erase()).orders).toMatchObject([{ outcome: "erased" }]);
});

test.each([
  ["waits to be delivered", { state: "pending" as const, next_attempt_at: fromNow(day) }],
  ["was superseded while it was being delivered", { state: "failed" as const, leased_until: fromNow(day) }],
])("an order with a push that %s is refused and stays as it is", async (_name, delivery) => {
  const { db, buy, erase, stored } = await startErasableShop();
  const id = await buy(person);
  await db.updateTable("deliveries").set(delivery).execute();
  const before = await stored(id);
  expect((await erase()).orders).toMatchObject([{ number: "A-1001", outcome: "sending" }]);
  expect(await stored(id)).toEqual(before);
  await db.updateTable("deliveries").set({ state: "delivered", leased_until: null }).execute();
  expect((await erase()).orders).toMatchObject([{ outcome: "erased" }]);
});

test("a mail that is being sent is waited for; one whose sender was killed, or that waits, is dropped", async () => {
  const { db, order, erase } = await startErasableShop();
  const id = await order(person);
  await changeOrder(db, id, { status: "cancelled" });
  const lease = { lease_token: "another process", next_attempt_at: fromNow(25_000) };
  await db.updateTable("mails").set(lease).where("kind", "=", "order_received").execute();
  expect((await erase()).orders).toMatchObject([{ outcome: "sending" }]);
  await db
    .updateTable("mails")
    .set({ next_attempt_at: fromNow(-1) })
    .execute();
  expect((await erase()).orders).toMatchObject([{ outcome: "erased" }]);
  expect(await db.selectFrom("mails").select("kind").execute()).toEqual([]);
});

test("a mail that is claimed while the order is being erased isn't sent", async () => {
  const { db, order } = await startErasableShop();
  const id = await order(person);
  const [mail] = await findDueMails(db, 1);
  let claim: ReturnType<typeof claimMail> | undefined;
  await inTransaction(
    db,
    async (transaction) => {
      const locked = await lockOrder(transaction, id);
      expect(await isUnderWay(transaction, id)).toBe(false);
      claim = claimMail(db, mail ?? 0);
      await eraseOrder(transaction, locked, null, pushNothing);
    },
    READ_COMMITTED,
  );
  expect(await claim).toBe(undefined);
});

test("run again, it finds nothing more and changes nothing", async () => {
  const { buy, erase, stored } = await startErasableShop();
  const id = await buy(person);
  await erase();
  const before = await stored(id);
  expect(await erase()).toEqual({ orders: [], checkouts: 0, cases: 0, mailFiles: 0 });
  expect(await stored(id)).toEqual(before);
});

test("another person's orders, checkouts and mail files stay byte for byte", async () => {
  const { db, buy, enter, mailFolder, erase, stored } = await startErasableShop();
  const theirs = await buy(other);
  await enter(other);
  // The same but for an accent, as only partners may write it.
  const email = person.email.replace("o", "ó");
  const customer = { ...{ id: 72, email, first_name: "Ada", last_name: "Novák" }, ...nothingElse };
  const { id: alike } = await placeOrder(db, newOrder({ status: "completed", customer }));
  await buy(person);
  await enter(person);
  const read = async () => [
    await stored(theirs),
    await stored(alike),
    await db.selectFrom("basket_lines").selectAll().orderBy("session_id").execute(),
    (await db.selectFrom("checkouts").selectAll().orderBy("id").execute()).filter((row) =>
      row.details.includes("Novák"),
    ),
  ];
  const before = await read();
  expect(before.at(-1)).toHaveLength(2);
  expect((await erase()).orders).toHaveLength(1);
  expect(await read()).toEqual(before);
  expect(readdirSync(mailFolder).some((file) => file.startsWith(`order-${theirs}-`))).toBe(true);
});

test("an order from a partner is found by its customer, and keeps the delivery address for the invoice if it has no other", async () => {
  const { db, get, erase, findPerson } = await startErasableShop();
  const { email, first_name, last_name, phone, company } = person;
  const address = {
    ...{ first_name, last_name, company, phone, address1: "Quaistraße 1", address2: null, city: "Köln" },
    ...{ postal_code: "50667", region: null, country_code: "DE" },
  };
  const customer = { id: 71, email, first_name, last_name, company, phone, vat_id: null };
  await placeOrder(
    db,
    newOrder({ status: "completed", customer, shipping_address: address, external_id: "SO Rössler 1" }),
  );
  expect((await erase()).orders).toMatchObject([{ outcome: "erased" }]);
  expect((await get("/api/orders/1")).json()).toMatchObject({
    customer: { id: 71, email: "", last_name: null },
    billing_address: { ...address, phone: null },
    ...{ shipping_address: null, external_id: null },
  });
  expect(await findPerson()).toEqual(["orders.billing_address"]);
});

test("a payment's reference stays unless it names the person, since the provider is asked by it", async () => {
  const { db, get, order, erase } = await startErasableShop();
  const email = "Till@Bäcker.example";
  const id = await order({ ...person, email, first_name: "Pi" });
  // As an earlier release stored a name that was pasted.
  const buyer = { email, first_name: "A\u200bbel", last_name: null, company: null, phone: null, vat_id: null };
  await db
    .updateTable("orders")
    .set({ buyer: writeJson(buyer) })
    .execute();
  const references = ["xpi3Roesslerq", "from till@bäcker.example", "from till@xn--bcker-gra.example", "from Abel"];
  const payments = references.map((reference) => {
    return { method: "card", reference, amount: "94.80", status: "paid" as const };
  });
  await changeOrder(db, id, { status: "processing", payments });
  await changeOrder(db, id, { status: "completed" });
  expect((await erase(email)).orders).toMatchObject([{ outcome: "erased", cardPayments: references }]);
  const { payments: kept } = (await get(`/api/orders/${id}`)).json();
  expect(kept.map(({ reference }: { reference: string | null }) => reference)).toEqual([
    "xpi3Roesslerq",
    ...[null, null, null],
  ]);
});

test("Stripe's ids stay although a name stands in them by chance: else a refund would be recorded once more", async () => {
  const { db, get, order, erase } = await startErasableShop();
  const id = await order({ ...person, first_name: "Pi", last_name: "Re" });
  const payments = ["pi_3Pi", "Pi Re"].map((reference) => {
    return { method: "card", reference, amount: "200.00", status: "paid" as const };
  });
  const refund = { reference: "re_3Pi", reason: null, amount: "1.00", created_at: new Date() };
  await changeOrder(db, id, { status: "processing", payments, refunds: [refund] });
  await changeOrder(db, id, { status: "completed" });
  expect((await erase()).orders).toMatchObject([{ outcome: "erased" }]);
  const { payments: kept } = (await get(`/api/orders/${id}`)).json();
  expect(kept).toMatchObject([{ reference: "pi_3Pi" }, { reference: null }]);
  expect(await db.selectFrom("order_refunds").select("reference").execute()).toEqual([{ reference: "re_3Pi" }]);
});

test("what was sent and when stays, without the carrier's numbers and links, by which the recipient can be found", async () => {
  const { get, order, partner, erase, findPerson } = await startErasableShop();
  const id = await order(person);
  const [{ id: line_id }] = (await get(`/api/orders/${id}`)).json().lines;
  await partner(`/api/orders/${id}/payments`, { method: "bank_transfer", reference: "t-1", amount: "379.14" });
  for (const [reference, tracking_number, carrier] of [
    ["PACK-88120", "0034043416109404", "DHL"],
    ["DHL 0034043416109405", "0034043416109405", "Rössler’s own van"],
  ]) {
    const tracking_url = `https://dhl.example/track/${tracking_number}?to=Rössler`.replace("ö", "oe");
    const lines = [{ line_id, quantity: 1 }];
    await partner(`/api/orders/${id}/fulfillments`, { reference, carrier, tracking_number, tracking_url, lines });
  }
  const before = (await get(`/api/orders/${id}`)).json();
  expect(before).toMatchObject({ status: "completed", fulfillments: [{}, { carrier: "Rössler’s own van" }] });
  expect((await erase()).orders).toMatchObject([{ outcome: "erased" }]);
  const [first, second] = before.fulfillments;
  const nothing = { tracking_number: null, tracking_url: null };
  expect((await get(`/api/orders/${id}`)).json().fulfillments).toEqual([
    { ...first, ...nothing },
    { ...second, ...nothing, reference: "2", carrier: null },
  ]);
  expect(await findPerson()).toEqual(["orders.billing_address"]);
});

test("once billing_kept_until has passed, the job erases the billing facts too, and a push made meanwhile", async () => {
  const { db, get, partner, buy, erase, findPerson } = await startErasableShop();
  await buy(person);
  const vat_check = {
    ...{ vat_id: "DE136695976", result: "valid" as const, checked_at: "2026-11-20T09:00:00.000Z" },
    ...{ consultation_number: null, trader_name: `${person.first_name} ${person.last_name}`, trader_address: null },
  };
  await db
    .updateTable("orders")
    .set({ vat_check: writeJson(vat_check) })
    .execute();
  const { invoices } = (await partner("/api/orders/1/invoices", invoice)).json();
  const back = { id: 1, reference: `of ${person.first_name}`, received_at: "2026-11-20T09:00:00.000Z", lines: [] };
  await changeOrder(db, 1, { returns: [back] });
  await erase();
  expect((await get("/api/orders/1")).json()).toMatchObject({ vat_check, invoices, returns: [{ reference: "1" }] });
  // Nobody is there any more to be told of it.
  await partner("/api/orders/1/invoices", { ...invoice, number: "RE-2", kind: "credit_note" });
  expect(await db.selectFrom("mails").select("kind").execute()).toEqual([]);
  await partner("/api/erp/orders/1/push", { force: true });
  const documents = ["invoices.pdf", "invoices.xml"];
  expect(await findPerson()).toEqual(["deliveries.body", ...documents, "orders.billing_address", "orders.vat_check"]);
  const { totals, sequence } = (await get("/api/orders/1")).json();
  await makeBillingErasure(db, pushNothing)(never);
  expect((await get("/api/orders/1")).json().sequence).toBe(sequence);
  await db
    .updateTable("orders")
    .set({ billing_kept_until: fromNow(-1) })
    .execute();
  await makeBillingErasure(db, pushNothing)(never);
  expect(await findPerson()).toEqual([]);
  expect((await get("/api/orders/1")).json()).toMatchObject({
    ...{ totals, sequence: sequence + 1, buyer: null, billing_address: null, vat_check: null, invoices: [] },
  });
  expect((await partner("/api/orders/1/invoices", invoice)).statusCode).toBe(409);
  await makeBillingErasure(db, pushNothing)(never);
  expect((await get("/api/orders/1")).json().sequence).toBe(sequence + 1);
});

test("whoever gets later versions pushed gets the erased order, and again once its billing facts are erased", async () => {
  const { db, buy, erase, findPerson, get } = await startErasableShop();
  await buy(person);
  const followUp = makeFollowUp({ pushWhen: "manual", pushLater: true });
  await erase(person.email, undefined, followUp);
  const newest = async () => {
    const rows = await db.selectFrom("deliveries").select(["webhook_id", "state", "body"]).orderBy("id").execute();
    const { webhook_id, state, body } = rows.at(-1) ?? { body: "" };
    return { rows: rows.length, webhook_id, state, body: JSON.parse(String(body)) };
  };
  const data = (await get("/api/orders/1")).json();
  expect(data.buyer.email).toBe("");
  expect(await newest()).toEqual({
    ...{ rows: 2, webhook_id: `msg_order_1_${data.version}`, state: "pending" },
    body: { type: "order.updated", timestamp: data.updated_at, data },
  });
  await db.updateTable("deliveries").set({ state: "delivered", next_attempt_at: null }).execute();
  await db
    .updateTable("orders")
    .set({ billing_kept_until: fromNow(-1) })
    .execute();
  await makeBillingErasure(db, followUp)(never);
  expect(await newest()).toMatchObject({ rows: 3, body: { type: "order.updated", data: { billing_address: null } } });
  expect(await findPerson()).toEqual([]);
  await makeBillingErasure(db, followUp)(never);
  expect((await newest()).rows).toBe(3);
});

test("billing facts that needn't be kept any more are erased with the rest", async () => {
  const { db, partner, buy, erase, findPerson } = await startErasableShop();
  await buy(person);
  expect((await partner("/api/orders/1/invoices", invoice)).statusCode).toBe(200);
  await partner("/api/orders/1", { partner_note: `For ${person.last_name}` }, {}, "PATCH");
  await db
    .updateTable("orders")
    .set({ placed_at: fromNow(-2 * day), close_reason: `${person.last_name} agreed` })
    .execute();
  expect((await erase(person.email, 1)).orders).toMatchObject([{ outcome: "erased", billingKeptUntil: null }]);
  expect(await findPerson()).toEqual([]);
});

test("a mail to the shop about an erased order is still sent, and one to the person isn't", async () => {
  const { db, buy, erase, sendMails, mailFolder } = await startErasableShop();
  await buy(person);
  await erase();
  await queueMail(db, 1, "shop_needs_person");
  await queueMail(db, 1, "order_link");
  await sendMails();
  expect(await db.selectFrom("mails").select(["kind", "state"]).orderBy("kind").execute()).toEqual([
    { kind: "order_link", state: "failed" },
    { kind: "shop_needs_person", state: "sent" },
  ]);
  expect(readdirSync(mailFolder)).toEqual([expect.stringMatching(/^order-1-shop_needs_person/)]);
});

test("what the assistant knows goes too: verifications and cases of the orders, and cases that have the address in them", async () => {
  const { db, app, buy, order, erase, sendMails, findPerson, mailFolder } = await startErasableShop();
  const id = await buy(person);
  const theirs = await order(other);
  const mine = { order_number: `A-${1_000 + id}` };
  await callTool(app, "start_verification", { ...mine, email: person.email });
  for (const [conversation, orderId] of [
    ["chat-1", id],
    ["chat-2", theirs],
  ] as const)
    await verifyFor(db, conversation, orderId);
  const wish = { reason: "something_else", message: "Quendolin here, call 8675309.", contact: null };
  const spoken = { ...wish, message: `Write to ${person.email.toLowerCase().replace("@", "＠")}, please.` };
  for (const [args, conversation] of [
    [wish, "chat-1"],
    [spoken, "chat-3"],
    [{ ...wish, message: "Ring Ada." }, "chat-2"],
  ] as const)
    expect((await callTool(app, "hand_over", args, { conversation })).statusCode).toBe(200);
  await callTool(app, "request_return", { ...mine, items: null, reason: "damaged", message: "Rößler" });
  await sendMails();
  expect(await findPerson()).toEqual(expect.arrayContaining(["cases.message", "mail files"]));
  expect((await erase()).cases).toBe(1);
  expect(await findPerson()).toEqual(["orders.billing_address"]);
  const left = async (table: "cases" | "verifications") => db.selectFrom(table).select("order_id").execute();
  expect([await left("cases"), await left("verifications")]).toEqual([[{ order_id: theirs }], [{ order_id: theirs }]]);
  expect(readdirSync(mailFolder).filter((file) => file.startsWith("case-"))).toHaveLength(1);
});
