import { expect, test } from "vitest";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import { actOnOrder, memberOf } from "../../../../api/selling/orders/acts.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import {
  askForRefund,
  findNewRefunds,
  findUnderWay,
  listCardRefunds,
  listRefundable,
  sendRefund,
} from "../../../../api/selling/payments/card-refunds.ts";
import { expectAgreement, startCardShop } from "./card-shop.ts";

/** A shop with an order of 189.00 EUR that was paid by card, whose payment a person may give back. */
async function startPaid() {
  const shop = await startCardShop();
  const { db, payments, standIn } = shop;
  const page = (await shop.open(await shop.place())) ?? expect.fail("No page.");
  const deliverAll = async () => {
    for (const event of standIn.events.splice(0)) expect(await standIn.deliver(event)).toBe(200);
  };
  standIn.account.pay(page);
  await deliverAll();
  const payment = String(standIn.account.session(page).payment_intent);
  const decide = async (amount: string, given = payment) => {
    const act = { name: "card_refund", work: askForRefund({ payment: given, amount, reason: "Scratched" }) } as const;
    return actOnOrder(db, { id: 1 }, act, { by: memberOf({ name: "Ann" }), followUp: payments.followUp });
  };
  return {
    ...{ ...shop, deliverAll, payment, decide },
    /** Asks for what was decided, as the page does. */
    send: async () => {
      for (const id of await findNewRefunds(db, 1)) await sendRefund(payments, id);
    },
    /** As if everything was three minutes older. */
    wait: async (ms = 180_000) => {
      await db
        .updateTable("card_refunds")
        .set({ created_at: fromNow(-ms) })
        .execute();
      await db
        .updateTable("card_refunds")
        .set({ asked_at: fromNow(-ms) })
        .where("asked_at", "is not", null)
        .execute();
    },
    rows: () => db.selectFrom("card_refunds").select(["state", "tries", "refund_id"]).orderBy("id").execute(),
    /** What Stripe has given back, in cents, the oldest first. */
    given: () =>
      standIn.account
        .refundsOf(payment)
        .map(({ amount }) => amount)
        .reverse(),
  };
}

test("what a person gives back to a card is asked for once, and recorded by settling alone", async () => {
  const shop = await startPaid();
  await shop.decide("50.00");
  // Decided, and nothing has gone back yet.
  expect([shop.given(), (await shop.read()).refunds]).toEqual([[], []]);
  await shop.send();
  const { refunds, status } = await shop.read();
  expect([shop.given(), status, refunds]).toEqual([
    [5_000],
    "processing",
    [expect.objectContaining({ amount: "50.00" })],
  ]);
  expect(await shop.rows()).toEqual([{ state: "sent", tries: 1, refund_id: expect.stringMatching(/^re_/) }]);
  await shop.send();
  await shop.wait();
  await shop.sweep();
  await shop.deliverAll();
  expect(shop.given()).toEqual([5_000]);
  await shop.decide("139.00");
  await shop.send();
  expect(await shop.read()).toMatchObject({ status: "refunded", totals: { refunded: "189.00" } });
  await expectAgreement(shop);
});

test.each(["begun", "done"] as const)(
  "a try that failed (%s) is followed by another one under its own key, and the money goes back once",
  async (moment) => {
    const shop = await startPaid();
    await shop.decide("50.00");
    shop.standIn.failNext("refund", moment, 500);
    await expect(shop.send()).rejects.toThrow();
    expect(shop.given()).toEqual(moment === "done" ? [5_000] : []);
    await shop.wait();
    await shop.sweep();
    expect(shop.given()).toEqual([5_000]);
    expect(await shop.rows()).toMatchObject([{ state: "sent", tries: 2 }]);
    expect((await shop.read()).totals.refunded).toBe("50.00");
    await expectAgreement(shop);
  },
);

test("two processes that ask at once give back once", async () => {
  const shop = await startPaid();
  await shop.decide("50.00");
  await Promise.all([shop.send(), shop.send(), shop.send()]);
  expect(shop.given()).toEqual([5_000]);
});

test("a refund that Stripe refuses, or never answers about, is left to a person, and may then go another way", async () => {
  const shop = await startPaid();
  await shop.decide("50.00");
  shop.standIn.failNext("refund", "received", 400);
  await shop.send();
  expect([await shop.rows(), await shop.matters()]).toEqual([
    [{ state: "refused", tries: 1, refund_id: null }],
    ["refund_failed 50.00 EUR"],
  ]);
  const given = { name: "refunded", reference: "by transfer", amount: "50.00", reason: null } as const;
  await actOnOrder(shop.db, { id: 1 }, given, { by: memberOf({ name: "Ann" }), followUp: shop.payments.followUp });
  expect(await shop.matters()).toEqual([]);

  await shop.decide("20.00");
  await shop.wait(4 * 24 * 3_600_000);
  await shop.sweep();
  expect([shop.given(), await shop.matters()]).toEqual([[], ["refund_failed 20.00 EUR"]]);
});

test("nobody gives back more than is left, what was decided included, nor an amount that isn't one", async () => {
  const shop = await startPaid();
  await shop.decide("180.00");
  const order = await shop.read();
  expect(await listRefundable(shop.db, order)).toEqual([{ payment: shop.payment, amount: "9.00" }]);
  for (const amount of ["9.01", "0", "-1", "1.001", "x"])
    await expect(shop.decide(amount)).rejects.toMatchObject({ reason: "content" });
  await expect(shop.decide("1", "pi_other")).rejects.toMatchObject({ word: "no_card" });
  await shop.send();
  expect(await listRefundable(shop.db, await shop.read())).toEqual([{ payment: shop.payment, amount: "9.00" }]);
  await changeOrder(shop.db, 1, { status: "on_hold" });
  await shop.decide("9.00");
  await shop.send();
  expect(shop.given()).toEqual([18_000, 900]);
  expect(await shop.rows()).toHaveLength(2);
});

test("each decision says what became of it: made, on its way, failed or refused", async () => {
  const shop = await startPaid();
  const states = async () => (await listCardRefunds(shop.db, await shop.read())).map(({ state }) => state);
  await shop.decide("10.00");
  expect(await states()).toEqual(["asked"]);
  await shop.send();
  shop.standIn.account.refundStatus = "pending";
  await shop.decide("20.00");
  await shop.send();
  expect(await states()).toEqual(["made", "sent"]);
  expect(await findUnderWay(shop.db, await shop.read())).toBe("20.00");
  const [pending] = shop.standIn.account.refundsOf(shop.payment);
  shop.standIn.account.finishRefund(pending?.id ?? "", false);
  await shop.deliverAll();
  shop.standIn.failNext("refund", "received", 400);
  await shop.decide("30.00");
  await shop.send();
  expect(await states()).toEqual(["made", "failed", "refused"]);
  expect(await findUnderWay(shop.db, await shop.read())).toBe(null);
});

test("a card is given back what it paid, and not what came by transfer besides", async () => {
  const shop = await startPaid();
  const payment = { method: "bank_transfer", reference: "T", amount: "20.00", status: "paid" } as const;
  await changeOrder(shop.db, 1, { payments: [payment] });
  await shop.decide("180.00");
  await shop.send();
  expect(await listRefundable(shop.db, await shop.read())).toEqual([{ payment: shop.payment, amount: "9.00" }]);
  await shop.decide("9.00");
  await shop.send();
  expect(await listRefundable(shop.db, await shop.read())).toEqual([]);
  await expect(shop.decide("20.00")).rejects.toMatchObject({ word: "no_card" });
});
