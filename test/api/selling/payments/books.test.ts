import { expect, test } from "vitest";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { actByCommand } from "../orders/act-by-command.ts";
import { cardOrder, startCardShop } from "./card-shop.ts";

/** A shop with an order of 189.00 EUR whose page is open, and short names for what happens to it. */
async function start() {
  const shop = await startCardShop();
  const { standIn, db, payments } = shop;
  const page = (await shop.open(await shop.place(cardOrder()))) ?? expect.fail("No page.");
  const intent = () => String(standIn.account.session(page).payment_intent);
  const deliver = async () => {
    for (const event of standIn.events.splice(0)) expect(await standIn.deliver(event)).toBe(200);
  };
  let references = 0;
  const act = (act: Act) => actByCommand(db, "A-1001", act, payments.followUp);
  return {
    ...shop,
    ...{ act, deliver, page },
    /** The customer pays by card, in cents, and Stripe tells. */
    pay: async (amount?: number) => {
      standIn.account.pay(page, amount === undefined ? {} : { amount });
      await deliver();
    },
    refund: (amount?: number) => standIn.account.refund(intent(), amount === undefined ? {} : { amount }),
    fail: (refund: { id: string }) => standIn.account.finishRefund(refund.id, false),
    dispute: () => standIn.account.dispute(intent()),
    transfer: (amount: string) => {
      references += 1;
      const payment = { method: "bank_transfer", reference: `t-${references}`, amount };
      return recordPayment(db, 1, payment, payments.followUp);
    },
    /** Money that a person sent back. */
    hand: (amount: string) => {
      references += 1;
      return act({ name: "refunded", reference: `r-${references}`, amount, reason: null });
    },
    state: async () => {
      const { status, totals, payments, refunds } = await shop.read();
      const sum = (amounts: { amount: string }[]) => amounts.reduce((sum, { amount }) => sum + Number(amount), 0);
      const held = sum(payments.filter(({ status }) => status === "paid")) - sum(refunds);
      return [status, `${held} held`, `${Number(totals.due)} due`, ...(await shop.matters())];
    },
  };
}

test("a refund that failed and the one after it are told apart in one answer, so that nothing goes back twice", async () => {
  const { pay, refund, fail, deliver, standIn, state, hand } = await start();
  await pay();
  const first = refund();
  await deliver();
  fail(first);
  standIn.events.length = 0;
  refund();
  await deliver();
  expect(await state()).toEqual(["refunded", "0 held", "0 due"]);
  await expect(hand("189")).rejects.toThrow("Nothing that was paid");

  const other = await start();
  await other.pay();
  other.refund(5_000);
  const second = other.refund(13_900);
  await other.deliver();
  other.fail(second);
  other.refund(13_900);
  other.standIn.events.reverse();
  await other.deliver();
  expect(await other.state()).toEqual(["refunded", "0 held", "0 due"]);
});

test("a refund that was cut since the money was gone is counted whole once there is room", async () => {
  const { pay, refund, fail, deliver, db, state, standIn } = await start();
  await pay();
  const first = refund();
  await deliver();
  fail(first);
  refund(); // its event comes first
  for (const event of standIn.events.splice(0).reverse()) await standIn.deliver(event);
  expect(await state()).toEqual(["refunded", "0 held", "0 due"]);
  expect((await db.selectFrom("order_refunds").select("amount").execute()).map(({ amount }) => Number(amount))).toEqual(
    [0, 189],
  );
});

test("what goes back before an order is paid in full is due again, and no goods go out for less than the total", async () => {
  const { pay, refund, deliver, open, standIn, state, transfer } = await start();
  await pay(10_000);
  refund();
  await deliver();
  expect(await state()).toEqual(["pending", "0 held", "189 due"]);
  expect(standIn.account.session((await open(1)) ?? "").amount_total).toBe(18_900);
  await transfer("189");
  expect(await state()).toEqual(["processing", "189 held", "0 due"]);

  const byHand = await start();
  await byHand.transfer("100");
  await byHand.hand("100");
  await byHand.transfer("89");
  expect(await byHand.state()).toEqual(["pending", "89 held", "100 due"]);
});

test("a surplus of which somebody sent a part back goes back whole, once", async () => {
  const { pay, refund, transfer, deliver, standIn, sweep, age, state } = await start();
  await transfer("189");
  standIn.failNext("refund", "begun", 500);
  await pay();
  refund(10_000);
  await deliver();
  expect(await state()).toEqual(["processing", "278 held", "0 due", "paid_twice 89.00 EUR"]);
  await age(2);
  await sweep();
  expect(await state()).toEqual(["processing", "189 held", "0 due"]);
  expect(standIn.account.ledger).toMatchObject([{ taken: 18_900, givenBack: 18_900 }]);
});

test("a dispute holds an order that is paid in part, and money doesn't lift it", async () => {
  const { pay, dispute, deliver, transfer, state } = await start();
  await pay(10_000);
  dispute();
  await deliver();
  await transfer("89");
  expect(await state()).toEqual(["on_hold", "189 held", "0 due", "disputed 100.00 EUR", "paid_on_hold 89.00 EUR"]);
});

test("cancelling an order that holds money says what is owed, until it has gone back", async () => {
  const { transfer, act, hand, state } = await start();
  await transfer("200");
  await act({ name: "cancel", reason: null });
  expect(await state()).toEqual(["cancelled", "200 held", "0 due", "overpaid 11.00 EUR", "owed 189.00 EUR"]);
  await hand("50");
  expect(await state()).toEqual(["cancelled", "150 held", "0 due", "overpaid 11.00 EUR", "owed 139.00 EUR"]);
  await hand("150");
  expect(await state()).toEqual(["cancelled", "0 held", "0 due"]);
});

test("what an order holds too much stays named when it's reopened and released", async () => {
  const { transfer, act, state } = await start();
  await act({ name: "cancel", reason: null });
  await transfer("300");
  expect(await state()).toEqual(["cancelled", "300 held", "0 due", "paid_after_cancelling 300.00 EUR"]);
  await act({ name: "hold" });
  await act({ name: "release" });
  expect(await state()).toEqual(["processing", "300 held", "0 due", "overpaid 111.00 EUR"]);
});

test("what a failed refund owes shrinks by each part that goes back another way, and no more than that goes", async () => {
  const { pay, refund, fail, deliver, hand, state } = await start();
  await pay();
  const failed = refund(10_000);
  await deliver();
  fail(failed);
  await deliver();
  await hand("60");
  expect(await state()).toEqual(["on_hold", "129 held", "0 due", "refund_failed 40.00 EUR"]);
  await expect(hand("60")).rejects.toThrow("Refund it in Stripe's Dashboard");
  await hand("40");
  expect(await state()).toEqual(["on_hold", "89 held", "0 due"]);
});

test("a matter isn't closed by what doesn't settle it", async () => {
  const { pay, dispute, refund, deliver, state, act } = await start();
  await pay();
  dispute();
  refund();
  await deliver();
  expect(await state()).toEqual(["refunded", "0 held", "0 due", "disputed 189.00 EUR"]);
  expect((await act({ name: "done" })).matters).toEqual([]);

  const dollars = await start();
  dollars.standIn.account.pay(dollars.standIn.account.sessionIds[0] ?? "", { currency: "usd" });
  await dollars.deliver();
  await dollars.transfer("189");
  await dollars.hand("189");
  expect(await dollars.state()).toEqual(["refunded", "0 held", "0 due", "other_currency 189.00 USD"]);
});

test("refunds and disputes whose events were lost are found all the same, within days", async () => {
  const { pay, refund, dispute, standIn, age, sweep, state } = await start();
  await pay();
  refund(1_000);
  dispute();
  standIn.events.length = 0;
  await age(50);
  await sweep();
  expect(await state()).toEqual(["on_hold", "179 held", "0 due", "disputed 189.00 EUR"]);
});

test("while Stripe answers with errors it's asked ever more seldom, and after a day a person is told", async () => {
  const { db, standIn, sweep, age, matters, act } = await start();
  await act({ name: "cancel", reason: null }); // so the page is to be closed
  standIn.interrupt = () => 400;
  standIn.asked.length = 0;
  for (let minute = 0; minute < 5; minute += 1) await sweep();
  expect(standIn.asked.length).toBeLessThanOrEqual(2);
  expect(await matters()).toEqual([]);
  await db
    .updateTable("payment_attempts")
    .set({ unreadable_since: new Date(Date.now() - 2 * 86_400_000) })
    .execute();
  await age(30);
  await sweep();
  expect(await matters()).toEqual(["unreadable_answer"]);
});

test("a person is told once of an answer that can't be read, however often it's asked for", async () => {
  const { db, standIn, sweep, age, deliver, page } = await start();
  const told = async () => {
    const mail = db.selectFrom("mails").select("state").where("kind", "=", "shop_needs_person");
    return (await mail.executeTakeFirst())?.state;
  };
  standIn.distort = () => "null";
  standIn.account.pay(page);
  await deliver();
  expect(await told()).toBe("pending");
  await db.updateTable("mails").set({ state: "sent" }).execute();
  for (const hours of [1, 3]) {
    await age(hours);
    await sweep();
  }
  expect(await told()).toBe("sent");
});

test("an order that is reopened twice names all that it holds too much", async () => {
  const { transfer, act, state } = await start();
  for (const amount of ["300", "50"]) {
    await act({ name: "cancel", reason: null });
    await transfer(amount);
    await act({ name: "hold" });
  }
  expect(await state()).toEqual(["on_hold", "350 held", "0 due", "overpaid 161.00 EUR"]);
});

test("money in another currency settles nothing of the order's, and isn't counted with it", async () => {
  const { standIn, deliver, page, transfer, act, hand, state } = await start();
  standIn.account.pay(page, { currency: "usd" });
  await deliver();
  await transfer("189");
  const refund = standIn.account.refund(String(standIn.account.session(page).payment_intent));
  standIn.account.finishRefund(refund.id, false);
  await deliver();
  await act({ name: "cancel", reason: null });
  const dollars = ["other_currency 189.00 USD", "refund_failed 189.00 USD"];
  expect(await state()).toEqual(["cancelled", "189 held", "0 due", ...dollars, "owed 189.00 EUR"]);
  await hand("189");
  expect(await state()).toEqual(["cancelled", "0 held", "0 due", ...dollars]);
});

test("a refund of what is owed that fails before it was made isn't named beside it", async () => {
  const { pay, refund, fail, act, deliver, hand, state } = await start();
  await pay();
  await act({ name: "cancel", reason: null });
  fail(refund());
  await deliver();
  expect(await state()).toEqual(["cancelled", "189 held", "0 due", "refund_failed 189.00 EUR"]);
  await hand("189");
  expect(await state()).toEqual(["cancelled", "0 held", "0 due"]);
});

test("money that came for a refunded order stays named when the refund fails", async () => {
  const { pay, refund, fail, transfer, deliver, state } = await start();
  await pay();
  const part = refund(10_000);
  refund();
  await deliver();
  await transfer("50");
  fail(part);
  await deliver();
  expect(await state()).toEqual([
    "on_hold",
    "150 held",
    "0 due",
    "paid_after_cancelling 50.00 EUR",
    "refund_failed 100.00 EUR",
  ]);
});
