import { expect, test } from "vitest";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { recordFulfillment } from "../../../../api/selling/orders/record-fulfillment.ts";
import { actByCommand } from "../orders/act-by-command.ts";
import { startCardShop } from "./card-shop.ts";

/** A shop with an order of 189.00 EUR that was paid by card, and the payment's id at Stripe. */
async function startPaid({ alsoByTransfer = false } = {}) {
  const shop = await startCardShop();
  const page = (await shop.open(await shop.place())) ?? expect.fail("No page.");
  const transfer = { method: "bank_transfer", reference: "44", amount: "189.00", status: "paid" } as const;
  if (alsoByTransfer) await changeOrder(shop.db, 1, { payments: [transfer] });
  const deliverAll = async () => {
    for (const event of shop.standIn.events.splice(0)) expect(await shop.standIn.deliver(event)).toBe(200);
  };
  shop.standIn.account.pay(page);
  return {
    ...{ ...shop, deliverAll, intent: String(shop.standIn.account.session(page).payment_intent) },
    act: (act: Act) => actByCommand(shop.db, "A-1001", act, shop.payments.followUp),
    /** How the mail stands that tells the shop that it must look at the order. */
    told: async () => {
      const query = shop.db.selectFrom("mails").select("state").where("kind", "=", "shop_needs_person");
      return (await query.executeTakeFirst())?.state;
    },
  };
}

const refunded: Act = { name: "refunded", reference: "by transfer", amount: undefined, reason: null };

test.each(["processing", "completed"] as const)(
  "a refund in full of a %s order that fails later takes it back on hold, and the shop is told once, with the amount",
  async (status) => {
    const { db, intent, standIn, deliverAll, read, matters, told, act, payments } = await startPaid();
    await deliverAll();
    const parcel = { reference: "p", carrier: null, tracking_number: null, tracking_url: null };
    if (status === "completed") await recordFulfillment(db, 1, parcel, payments.followUp);
    const refund = standIn.account.refund(intent);
    await deliverAll();
    expect(await read()).toMatchObject({ status: "refunded", refunds: [{ amount: "189.00" }] });
    standIn.account.finishRefund(refund.id, false);
    const [failed = expect.fail()] = standIn.events;
    await deliverAll();
    expect(await read()).toMatchObject({
      ...{ status: "on_hold", payment_status: "paid", refunds: [{ amount: "0.00" }] },
      totals: { refunded: "0.00", due: "0.00" },
    });
    expect([await matters(), await told()]).toEqual([["refund_failed 189.00 EUR"], "pending"]);
    await db.updateTable("mails").set({ state: "sent" }).execute();
    await act({ name: "release" });
    const released = await read();
    await standIn.deliver({ ...failed, id: "evt_again" });
    expect([await read(), await told()]).toEqual([released, "sent"]);
  },
);

test("what a failed refund was to give back is sent in another way, which is recorded by a person and closes the matter", async () => {
  const { intent, standIn, deliverAll, read, matters, act } = await startPaid();
  await deliverAll();
  await expect(act(refunded)).rejects.toThrow("Refund it in Stripe's Dashboard");
  const [part, rest] = [standIn.account.refund(intent, { amount: 10_000 }), standIn.account.refund(intent)];
  await deliverAll();
  standIn.account.finishRefund(part.id, false);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "on_hold", payment_status: "partially_refunded" });
  await expect(act({ ...refunded, amount: "100.01" })).rejects.toThrow("Refund it in Stripe's Dashboard");
  await act(refunded);
  expect(await read()).toMatchObject({ status: "refunded", totals: { refunded: "189.00" } });
  expect(await matters()).toEqual([]);
  standIn.account.finishRefund(rest.id, false);
  await deliverAll();
  expect([(await read()).status, await matters()]).toEqual(["on_hold", ["refund_failed 89.00 EUR"]]);
});

test("a refund that fails before it was ever made is told, and the order goes on", async () => {
  const { intent, standIn, deliverAll, read, matters, act } = await startPaid();
  await deliverAll();
  const refund = standIn.account.refund(intent, { amount: 500, status: "pending" });
  standIn.account.finishRefund(refund.id, false);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid", refunds: [] });
  expect(await matters()).toEqual(["refund_failed 5.00 EUR"]);
  expect(await act({ name: "done" })).toMatchObject({ closed: 1, matters: [] });
  await standIn.deliver({ ...(standIn.events[0] ?? failedEvent(refund)), id: "evt_again" });
  expect(await matters()).toEqual([]);
});

test("a refund that the shop cancels before it is made is no news", async () => {
  const { intent, standIn, deliverAll, read, matters } = await startPaid();
  await deliverAll();
  const refund = standIn.account.refund(intent, { status: "pending" });
  refund.status = "canceled";
  await deliverAll();
  expect([(await read()).status, await matters()]).toEqual(["processing", []]);
});

test("a refund that failed before any event of the payment came is told too", async () => {
  const { intent, standIn, deliverAll, read, matters } = await startPaid();
  const refund = standIn.account.refund(intent);
  standIn.account.finishRefund(refund.id, false);
  standIn.events.splice(0, standIn.events.length - 1);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid" });
  expect(await matters()).toEqual(["refund_failed 189.00 EUR"]);
});

const failedEvent = (object: object) =>
  ({ id: "evt", object: "event", type: "refund.failed", created: 1, livemode: false, data: { object } }) as never;

test("a surplus whose return fails stays with the paid order, is never asked for again, and the shop is told", async () => {
  const { intent, standIn, deliverAll, read, matters, sweep, age, act } = await startPaid({ alsoByTransfer: true });
  await deliverAll();
  const [refund] = standIn.account.refundsOf(intent);
  expect(await read()).toMatchObject({ status: "processing", refunds: [{ amount: "189.00" }] });
  expect(await matters()).toEqual([]);
  standIn.account.finishRefund(refund?.id ?? "", false);
  await deliverAll();
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid", totals: { refunded: "0.00" } });
  expect(await matters()).toEqual(["surplus_kept 189.00 EUR"]);
  standIn.asked.length = 0;
  await age(5);
  await sweep();
  expect(standIn.asked).toEqual([]);
  await act({ ...refunded, amount: "189" });
  expect([await matters(), (await read()).status]).toEqual([[], "processing"]);
});

test("a surplus that is under way is asked about ever more seldom, and told when it fails", async () => {
  const { intent, standIn, deliverAll, matters, sweep, age } = await startPaid({ alsoByTransfer: true });
  standIn.account.refundStatus = "pending";
  const [paid] = standIn.events.splice(0);
  await standIn.deliver(paid ?? expect.fail());
  standIn.asked.length = 0;
  for (let minute = 0; minute < 5; minute += 1) await sweep();
  expect(standIn.asked).toEqual([]);
  await age(2);
  await sweep();
  expect(standIn.asked).toEqual(["retrieve", "list refunds"]);
  const [refund] = standIn.account.refundsOf(intent);
  standIn.account.finishRefund(refund?.id ?? "", false);
  standIn.events.length = 0; // no event tells of it
  await age(5);
  await sweep();
  expect(await matters()).toEqual(["surplus_kept 189.00 EUR"]);
  expect(standIn.asked.filter((each) => each === "refund")).toEqual([]);
  await deliverAll();
});

test("a surplus that Stripe refuses to send back is told at once", async () => {
  const { standIn, deliverAll, read, matters, sweep, age, told } = await startPaid({ alsoByTransfer: true });
  standIn.failNext("refund", "begun", 400);
  await deliverAll();
  await age(5);
  await sweep();
  expect(await read()).toMatchObject({ status: "processing", refunds: [] });
  expect([await matters(), await told()]).toEqual([["surplus_kept 189.00 EUR"], "pending"]);
  expect(standIn.asked.filter((each) => each === "refund")).toHaveLength(1);
});
