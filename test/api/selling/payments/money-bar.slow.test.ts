import { expect, test } from "vitest";
import { seededRandom } from "../../../../api/operation/demo/random.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import type { Flaw, StripeEvent } from "../../../stripe-stand-in/webhook.ts";
import { expectAgreement, startCardShop } from "./card-shop.ts";

const PAYMENTS = byDepth({ usual: 150, deep: 1_000 });
/** Customers at the same time. */
const AT_ONCE = 8;
const FLAWS: readonly [Flaw, ...Flaw[]] = [{ secret: "whsec_forged" }, { ageSeconds: 400 }, { isReencoded: true }];
const INTERRUPTIONS = ["cut", 500, 429] as const;
/** Other than the 189.00 asked for. */
const AMOUNTS = [1, 18_899, 18_901, 40_000] as const;

test(`faults 11 to 27: after ${PAYMENTS} payments with random faults, orders and provider agree on all money, to the last minor unit`, async () => {
  const shop = await startCardShop();
  const { db, place, open, sweep, age, standIn, payments, app } = shop;
  const { account } = standIn;
  // Customers draw from it as the database answers them, so a seed doesn't repeat who meets which fault.
  const { between, chance, pick } = seededRandom(seedFor("api/selling/payments", "api/selling/orders"));

  standIn.target = async (payload, signature) => {
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    return (await app.inject({ method: "POST", url: "/api/payments/stripe", headers, payload })).statusCode;
  };
  const late: StripeEvent[] = [];
  const underWay: Promise<number>[] = [];
  standIn.onEvent = (event) => {
    // Stripe repeats an event for days, so only what the sweep asks about by itself may be lost.
    const isLost = event.type.startsWith("checkout.session.") && chance(0.2);
    if (isLost) return;
    if (chance(0.3)) late.push(event);
    else underWay.push(standIn.deliver(event));
    if (chance(0.2)) late.push(event);
    if (chance(0.05)) underWay.push(standIn.deliver(event, pick(FLAWS)));
  };
  let interruptions = 0;
  const interrupt = () => {
    if (!chance(0.04)) return undefined;
    interruptions += 1;
    return pick<(typeof INTERRUPTIONS)[number]>(INTERRUPTIONS);
  };

  /** A customer clicks until the page opens or nothing is to be paid any more. */
  async function openPatiently(order: number): Promise<string | undefined> {
    for (;;) {
      try {
        return await open(order);
      } catch {
        if (chance(0.02)) return undefined; // gives up
      }
    }
  }

  async function buy(order: number): Promise<void> {
    let page = await openPatiently(order);
    if (page && chance(0.05)) await openPatiently(order);
    if (page && chance(0.05) && account.session(page).status === "open") {
      account.expire(page);
      page = await openPatiently(order);
    }
    if (page === undefined || account.session(page).status !== "open") return;
    const fate = between(1, 20);
    if (fate === 1) await changeOrder(db, order, { status: "cancelled" }, undefined, payments.followUp);
    else if (fate === 2) {
      const transfer = { method: "bank_transfer", reference: "T", amount: "189.00", status: "paid" } as const;
      await changeOrder(db, order, { status: "processing", payments: [transfer] }, undefined, payments.followUp);
    }
    if (account.session(page).status !== "open") return;
    if (chance(0.1)) account.decline(page);
    if (chance(0.1)) account.startDebit(page);
    else account.pay(page, chance(0.05) ? { amount: pick(AMOUNTS) } : {});
    if (chance(0.3)) await openPatiently(order); // comes back
    if (account.session(page).payment_status === "unpaid") account.finishDebit(page, chance(0.7));
    const { payment_intent, payment_status } = account.session(page);
    if (payment_status !== "paid") return;
    if (chance(0.05)) account.dispute(String(payment_intent));
    while (chance(0.1)) {
      const { taken = 0, givenBack = 0 } = account.ledger.find(({ sessionId }) => sessionId === page) ?? {};
      if (givenBack < taken) account.refund(String(payment_intent), chance(0.5) ? {} : { amount: 1 });
    }
  }

  const orders: number[] = [];
  await db.transaction().execute(async (transaction) => {
    for (let count = 0; count < PAYMENTS; count += 1) orders.push(await place(undefined, transaction));
  });
  standIn.interrupt = interrupt;
  const queue = [...orders];
  const customers = Array.from({ length: AT_ONCE }, async () => {
    for (let order = queue.pop(); order !== undefined; order = queue.pop()) {
      await buy(order);
      while (late.length > 20) await standIn.deliver(late.splice(between(0, late.length - 1), 1)[0] as StripeEvent);
      if (chance(0.01)) await sweep();
    }
  });
  await Promise.all(customers);
  for (const event of late.reverse()) underWay.push(standIn.deliver(event));
  await Promise.all(underWay);
  // The provider answers again, and two hours pass.
  standIn.interrupt = () => undefined;
  for (let round = 0; round < 3; round += 1) {
    await age(2);
    await sweep();
  }
  await expectAgreement(shop);
  expect(interruptions).toBeGreaterThan(PAYMENTS * 0.1);
  expect(account.ledger.length).toBeGreaterThan(PAYMENTS * 0.7);
  expect(account.ledger.some(({ givenBack }) => givenBack > 0)).toBe(true);
  const unsettled = await db.selectFrom("payment_events").select("id").where("settled_at", "is", null).execute();
  expect(unsettled).toEqual([]);
});
