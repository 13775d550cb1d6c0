import { expect, test } from "vitest";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { switchToTransfer } from "../../../../api/selling/payments/pay-by-transfer.ts";
import { actByCommand } from "../orders/act-by-command.ts";
import { newLine } from "../orders/new-order.ts";
import { cardOrder, expectAgreement, startCardShop } from "./card-shop.ts";

type Shop = Awaited<ReturnType<typeof startCardShop>>;

/** Delivers all events that haven't been delivered yet. */
const deliverAll = async ({ standIn }: Shop) => {
  for (const event of standIn.events.splice(0)) expect(await standIn.deliver(event)).toBe(200);
};

/** A shop with an order whose page is open. */
async function startOpen(order = cardOrder()) {
  const shop = await startCardShop();
  const page = (await shop.open(await shop.place(order))) ?? expect.fail("No page.");
  return { ...shop, page, deliverAll: () => deliverAll(shop), expectAgreement: () => expectAgreement(shop) };
}

/** The same, paid by card, and the payment's id at Stripe. */
async function startPaid() {
  const shop = await startOpen();
  shop.standIn.account.pay(shop.page);
  await shop.deliverAll();
  const intent = shop.standIn.account.session(shop.page).payment_intent;
  return { ...shop, intent: typeof intent === "string" ? intent : expect.fail("Not paid.") };
}

const transfer = { method: "bank_transfer", reference: "44", amount: "189.00", status: "paid" } as const;

test("fault 23: what was paid by card and by transfer is given back once, and the order stays paid", async () => {
  const { db, page, standIn, deliverAll, read, mails, sweep } = await startOpen();
  await changeOrder(db, 1, { status: "processing", payments: [transfer] });
  standIn.account.pay(page);
  await deliverAll();
  await deliverAll();
  await sweep();
  expect(await read()).toMatchObject({
    ...{ status: "processing", payment_status: "paid", totals: { refunded: "189.00", due: "0.00" } },
    payments: [transfer, { method: "card", amount: "189.00", status: "paid" }],
    refunds: [{ amount: "189.00", reason: "duplicate" }],
  });
  expect(await mails()).toContain("shop_needs_person");
  expect(standIn.account.ledger).toMatchObject([{ taken: 18_900, givenBack: 18_900 }]);
});

test("fault 23: two pages of one order that are both paid: one payment is given back, once", async () => {
  const { place, open, standIn, db, read, sweep, ...shop } = await startCardShop();
  const order = await place();
  // A page that was opened although the answer was a 500 belongs to no known attempt's id.
  standIn.failNext("create", "done", 500);
  await expect(open(order)).rejects.toThrow();
  await open(order);
  for (const id of standIn.account.sessionIds) standIn.account.pay(id);
  await Promise.all([...standIn.events, ...standIn.events].map((event) => standIn.deliver(event)));
  await sweep();
  await deliverAll({ place, open, standIn, db, read, sweep, ...shop });
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid", refunds: [{ amount: "189.00" }] });
  expect(standIn.account.ledger.map(({ givenBack }) => givenBack).sort()).toEqual([0, 18_900]);
  await expectAgreement({ db, standIn });
});

test("fault 23: a surplus is given back once, whatever happens to the request and its answer", async () => {
  // A connection that is cut is cut twice.
  for (const [operation, moment, interruption, requests] of [
    ["refund", "received", "cut", 3],
    ["refund", "done", "cut", 2],
    ["refund", "begun", 429, 2],
    ["refund", "begun", 500, 2],
    ["refund", "done", 500, 1],
    ["list refunds", "received", "cut", 1],
  ] as const) {
    const { db, page, standIn, deliverAll, sweep, age, read } = await startOpen();
    await changeOrder(db, 1, { status: "processing", payments: [transfer] });
    standIn.account.pay(page);
    standIn.failNext(operation, moment, interruption);
    const [paid] = standIn.events.splice(0);
    await standIn.deliver(paid ?? expect.fail());
    // No event tells of the refund.
    standIn.events.length = 0;
    for (const hours of [1, 3, 5]) {
      await age(hours);
      await sweep();
    }
    expect([operation, moment, standIn.account.ledger[0]?.givenBack]).toEqual([operation, moment, 18_900]);
    expect((await read()).refunds).toMatchObject([{ amount: "189.00" }]);
    await deliverAll();
    expect(standIn.asked.filter((each) => each === "refund")).toHaveLength(requests);
  }
});

test("fault 23: a surplus that the bank returns only later is recorded once it has arrived, and asked for once", async () => {
  const { db, page, standIn, deliverAll, sweep, age, read } = await startOpen();
  await changeOrder(db, 1, { status: "processing", payments: [transfer] });
  standIn.account.refundStatus = "pending";
  standIn.account.pay(page);
  const [paid] = standIn.events.splice(0);
  for (const _time of ["first", "again", "late"]) await standIn.deliver(paid ?? expect.fail());
  await deliverAll();
  await sweep();
  expect((await read()).refunds).toEqual([]);
  expect(standIn.asked.filter((each) => each === "refund")).toHaveLength(1);
  const intent = standIn.account.session(page).payment_intent;
  const [refund] = standIn.account.refundsOf(typeof intent === "string" ? intent : "");
  standIn.account.finishRefund(refund?.id ?? "", true);
  await age(2);
  await sweep();
  expect((await read()).refunds).toMatchObject([{ amount: "189.00" }]);
  standIn.asked.length = 0;
  await sweep();
  expect(standIn.asked).toEqual([]);
  await deliverAll();
  expect(standIn.account.ledger).toMatchObject([{ taken: 18_900, givenBack: 18_900 }]);
});

test("fault 23: a surplus of another amount than asked for is given back as it was paid", async () => {
  for (const amount of [18_800, 19_000]) {
    const { db, page, standIn, deliverAll, read } = await startOpen();
    await changeOrder(db, 1, { status: "processing", payments: [transfer] });
    standIn.account.pay(page, { amount });
    await deliverAll();
    expect(standIn.account.ledger).toMatchObject([{ taken: amount, givenBack: amount }]);
    expect((await read()).refunds).toMatchObject([{ amount: (amount / 100).toFixed(2) }]);
  }
});

test("fault 24: a payment after cancelling is recorded, the order stays cancelled, and a person is told", async () => {
  const { db, page, standIn, deliverAll, read, mails, expectAgreement } = await startOpen();
  await changeOrder(db, 1, { status: "cancelled" });
  standIn.account.pay(page);
  await deliverAll();
  expect(await read()).toMatchObject({
    status: "cancelled",
    payments: [{ amount: "189.00", status: "paid" }],
    refunds: [],
  });
  expect(await mails()).toContain("shop_needs_person");
  await expectAgreement();
});

test("fault 24: the page of a cancelled order is closed by the sweep", async () => {
  const { db, page, standIn, sweep } = await startOpen();
  await changeOrder(db, 1, { status: "cancelled" });
  await sweep();
  expect(standIn.account.session(page).status).toBe("expired");
});

test("fault 25: less than the total leaves the order payable for the rest, which completes it, by card or by transfer", async () => {
  for (const way of ["card", "bank_transfer"] as const) {
    const { db, page, standIn, deliverAll, read, open, sweep, age, mails, matters, payments, ...shop } =
      await startOpen();
    standIn.account.pay(page, { amount: 10_000 });
    await deliverAll();
    await age(25);
    await sweep();
    const partly = { status: "pending", payment_status: "partially_paid", totals: { due: "89.00" } } as const;
    expect(await read()).toMatchObject({ ...partly, payments: [{ amount: "100.00" }] });
    expect([await mails(), await matters()]).toEqual([["order_received", "payment_received", "shop_new_order"], []]);
    if (way === "card") {
      const rest = (await open(1)) ?? "";
      await age(25);
      await sweep();
      standIn.account.pay(rest);
    } else await recordPayment(db, 1, { method: way, reference: "rest", amount: "89.00" }, payments.followUp);
    await deliverAll();
    expect(await read()).toMatchObject({ status: "processing", payment_status: "paid", totals: { due: "0.00" } });
    if (way === "card") await shop.expectAgreement();
  }
});

test("a payment page for more than is left to pay is closed, and the next one is for the rest", async () => {
  const { db, page, standIn, read, open, sweep, payments } = await startOpen();
  await recordPayment(db, 1, { method: "bank_transfer", reference: "a part", amount: "100" }, payments.followUp);
  await sweep();
  expect(standIn.account.session(page).status).toBe("expired");
  const next = (await open(1)) ?? "";
  expect(standIn.account.session(next).amount_total).toBe(8_900);
  await recordPayment(db, 1, { method: "bank_transfer", reference: "more", amount: "50" }, payments.followUp);
  const last = (await open(1)) ?? "";
  expect([standIn.account.session(next).status, standIn.account.session(last).amount_total]).toEqual([
    "expired",
    3_900,
  ]);
  standIn.account.pay(last);
  await standIn.deliver(standIn.events.at(-1) ?? expect.fail());
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid" });
});

test("fault 25: more than the total is recorded as it was paid, and the order waits for a person, who is told how much", async () => {
  const { page, standIn, deliverAll, read, mails, matters, expectAgreement } = await startOpen();
  standIn.account.pay(page, { amount: 18_901 });
  await deliverAll();
  expect(await read()).toMatchObject({ status: "on_hold", payment_status: "paid", payments: [{ amount: "189.01" }] });
  expect([await mails(), await matters()]).toEqual([
    expect.arrayContaining(["shop_needs_person"]),
    ["overpaid 0.01 EUR"],
  ]);
  await expectAgreement();
});

test("fault 25: another currency isn't added to the order's amounts; the order waits for a person, who is told once", async () => {
  const { page, standIn, read, mails, db } = await startOpen();
  standIn.account.pay(page, { currency: "usd" });
  const [paid] = standIn.events;
  for (let count = 0; count < 3; count += 1) await standIn.deliver(paid ?? expect.fail());
  expect(await read()).toMatchObject({ status: "on_hold", payment_status: "unpaid", payments: [], version: 2 });
  expect(await mails()).toContain("shop_needs_person");
  expect(await db.selectFrom("payment_attempts").select(["state", "open_order_id"]).execute()).toEqual([
    { state: "paid", open_order_id: null },
  ]);
});

test("fault 27: a late `paid` after a refund in full changes nothing", async () => {
  const { intent, standIn, deliverAll, read, expectAgreement } = await startPaid();
  standIn.account.refund(intent);
  await deliverAll();
  const order = await read();
  expect(order).toMatchObject({ status: "refunded", payment_status: "refunded", refunds: [{ amount: "189.00" }] });
  const late = {
    id: "evt_late",
    object: "event",
    type: "checkout.session.completed",
    created: 1,
    livemode: false,
  } as const;
  await standIn.deliver({ ...late, data: { object: standIn.account.session(standIn.account.sessionIds[0] ?? "") } });
  expect(await read()).toEqual(order);
  await expectAgreement();
});

test("fault 27: paid and refunded in full before any event came, the order ends refunded, with both in it", async () => {
  const { page, standIn, deliverAll, read, expectAgreement } = await startOpen();
  standIn.account.pay(page);
  standIn.account.refund(String(standIn.account.session(page).payment_intent));
  standIn.events.reverse();
  await deliverAll();
  expect(await read()).toMatchObject({
    ...{ status: "refunded", payments: [{ status: "paid" }], refunds: [{ amount: "189.00" }] },
  });
  await expectAgreement();
});

test("refunds in the provider's dashboard, in parts, are added up to the last cent", async () => {
  const { intent, standIn, deliverAll, read, expectAgreement } = await startPaid();
  standIn.account.refund(intent, { amount: 1 });
  await deliverAll();
  expect(await read()).toMatchObject({
    status: "processing",
    payment_status: "partially_refunded",
    totals: { refunded: "0.01" },
  });
  standIn.account.refund(intent, { amount: 10_000, reason: "requested_by_customer" });
  await deliverAll();
  standIn.account.refund(intent);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "refunded", totals: { refunded: "189.00" } });
  await expectAgreement();
});

test("a refund that is under way or has failed gave nothing back", async () => {
  const { intent, standIn, deliverAll, read, expectAgreement } = await startPaid();
  const refund = standIn.account.refund(intent, { status: "pending" });
  await deliverAll();
  expect(await read()).toMatchObject({ status: "processing", refunds: [] });
  standIn.account.finishRefund(refund.id, false);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "processing", refunds: [] });
  await expectAgreement();
});

const refunded = (reference: string, amount?: string): Act => ({ name: "refunded", reference, amount, reason: null });

test("nobody can record a payment by card beside the provider's, for which that would be given back", async () => {
  const { db, payments, page, standIn, deliverAll, read, expectAgreement } = await startOpen();
  const byHand: Act = { name: "paid", method: "card", reference: "seen in the dashboard", amount: undefined };
  await expect(actByCommand(db, "A-1001", byHand, payments.followUp)).rejects.toThrow("are recorded automatically");
  standIn.account.pay(page);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "processing", payments: [{ method: "card" }], refunds: [] });
  await expectAgreement();
});

test("card money that comes after the order was switched to transfer is Stripe's too, and can't be recorded by hand", async () => {
  const { db, payments, place, open, standIn, read, ...shop } = await startCardShop();
  await place();
  standIn.failNext("create", "done", 500); // so nobody knows this page, which can be paid
  await expect(open(1)).rejects.toThrow();
  await switchToTransfer(payments, 1);
  standIn.account.pay(standIn.account.sessionIds[0] ?? "");
  await deliverAll({ db, payments, place, open, standIn, read, ...shop });
  expect(await read()).toMatchObject({ status: "processing", payments: [{ method: "card", amount: "189.00" }] });
  const act = (act: Act) => actByCommand(db, "A-1001", act, payments.followUp);
  await expect(act(refunded("r-1"))).rejects.toThrow("Refund it in Stripe's Dashboard");
  const byHand = { method: "card", reference: "seen", amount: "189.00" };
  await expect(recordPayment(db, 1, byHand, payments.followUp)).rejects.toThrow("are recorded automatically");
});

test("a person can't record a refund of what was paid by card, only of what was paid otherwise", async () => {
  const { db, payments, page, standIn, deliverAll, read } = await startPaid();
  const act = (act: Act) => actByCommand(db, "A-1001", act, payments.followUp);
  const refusal = "A-1001 was paid by card. Refund it in Stripe's Dashboard: it appears here automatically.";
  await expect(act(refunded("r-1"))).rejects.toThrow(refusal);
  await expect(act(refunded("r-1", "0.01"))).rejects.toThrow(refusal);
  await act({ name: "paid", method: "bank_transfer", reference: "44", amount: "50" });
  await expect(act(refunded("r-1", "50.01"))).rejects.toThrow(refusal);
  await act(refunded("r-1", "50"));
  standIn.account.refund(String(standIn.account.session(page).payment_intent));
  await deliverAll();
  expect(await read()).toMatchObject({ status: "refunded", totals: { refunded: "239.00" } });
});

test("a refund that is recorded by hand already is recorded with what is left of the payment, and a person is told once", async () => {
  const { intent, standIn, db, deliverAll, read, sweep, warnings } = await startPaid();
  const byHand = { reference: "r-1", amount: "150.00", reason: null, created_at: new Date() };
  await changeOrder(db, 1, { refunds: [byHand] });
  standIn.account.refund(intent, { amount: 15_000 });
  standIn.account.refund(intent, { amount: 1_000 });
  await deliverAll();
  const order = await read();
  expect(order).toMatchObject({ status: "refunded", payment_status: "refunded", totals: { refunded: "189.00" } });
  expect(order.refunds.map(({ amount }) => amount).sort()).toEqual(["0.00", "150.00", "39.00"].sort());
  expect((await db.selectFrom("mails").select("kind").execute()).map(({ kind }) => kind)).toContain(
    "shop_needs_person",
  );
  const events = db.selectFrom("payment_events").select("id").where("settled_at", "is", null);
  expect(await events.execute()).toEqual([]);
  await sweep();
  expect(warnings).toEqual([]);
  expect((await read()).version).toBe(order.version);
});

test("an order that is cancelled and then paid, without any event, has its money recorded by the sweep, and a person is told", async () => {
  const { db, payments, page, standIn, sweep, read, mails, attempts, expectAgreement } = await startOpen();
  await actByCommand(db, "A-1001", { name: "cancel", reason: null }, payments.followUp);
  standIn.account.pay(page);
  await sweep();
  expect(await read()).toMatchObject({ status: "cancelled", payments: [{ amount: "189.00", status: "paid" }] });
  expect(await mails()).toEqual(expect.arrayContaining(["cancelled", "shop_needs_person"]));
  expect(await attempts()).toMatchObject([{ state: "paid", open_order_id: null, surplus_minor: null }]);
  await expectAgreement();
});

test("a dispute puts the order on hold and tells a person, once", async () => {
  const { intent, standIn, deliverAll, read, mails, db } = await startPaid();
  standIn.account.dispute(intent);
  const [disputed] = standIn.events;
  await deliverAll();
  expect(await read()).toMatchObject({ status: "on_hold", payment_status: "paid", version: 3 });
  expect(await mails()).toContain("shop_needs_person");
  await changeOrder(db, 1, { status: "processing" });
  await standIn.deliver({ ...(disputed ?? expect.fail()), id: "evt_again" });
  expect(await read()).toMatchObject({ status: "processing", version: 4 });
});

test("a bank debit that is refused leaves the order pending, and it can be paid again", async () => {
  const { page, open, standIn, deliverAll, read, expectAgreement } = await startOpen();
  standIn.account.startDebit(page);
  await deliverAll();
  standIn.account.finishDebit(page, false);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "pending", payment_status: "unpaid", payments: [{ status: "failed" }] });
  standIn.account.pay((await open(1)) ?? "");
  await deliverAll();
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid" });
  await expectAgreement();
});

test("fault 14: yen, króna and cents reach the provider and come back in its own units", async () => {
  for (const [currency, unit_price, minor] of [
    ["JPY", "1890", 1_890],
    ["ISK", "1890", 189_000],
    ["EUR", "18.90", 1_890],
  ] as const) {
    const taxes = [{ code: "0", title: "No tax", rate: "0" }];
    const order = cardOrder({ currency, lines: [newLine({ unit_price, taxes })] });
    const { page, standIn, deliverAll, read } = await startOpen(order);
    expect(standIn.account.session(page)).toMatchObject({ amount_total: minor, currency: currency.toLowerCase() });
    standIn.account.pay(page);
    await deliverAll();
    expect(await read()).toMatchObject({ status: "processing", payments: [{ amount: unit_price }] });
  }
});

test("what goes back of an order of which nothing that costs was sent leaves it completed", async () => {
  const lines = [newLine({ unit_price: "0" }), newLine({ sku: "RIL-80" })];
  const { db, page, standIn, payments, deliverAll, read, matters } = await startOpen(cardOrder({ lines }));
  standIn.account.pay(page);
  await deliverAll();
  const act = (act: Act) => actByCommand(db, "A-1001", act, payments.followUp);
  const parcel = { carrier: null, tracking_number: null, tracking_url: null, lines: [{ line_id: 1001, quantity: 1 }] };
  await act({ name: "sent", reference: "P-1", ...parcel });
  await act({ name: "close", reason: null });
  standIn.account.refund(String(standIn.account.session(page).payment_intent));
  await deliverAll();
  expect(await read()).toMatchObject({ status: "completed", payment_status: "paid" });
  expect(await matters()).toEqual([]);
});
