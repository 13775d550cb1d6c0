import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../../eventually.ts";
import { secretKey, startStripe, webhookSecret } from "../../stripe-stand-in/stand-in.ts";
import { withPage } from "../visitors/with-page.ts";
import {
  addProduct,
  at,
  enterDetails,
  openOrderingShop,
  orderOn,
  placeButton,
  readMail,
  runOrderCommand,
  startOutput,
} from "./ordering-shop.ts";
import { visit } from "./visit.ts";

let stripe: Awaited<ReturnType<typeof startStripe>>;
const ends: (() => void)[] = [];

openOrderingShop(async () => {
  stripe = await startStripe((close) => ends.push(close));
  return { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: stripe.url };
});
afterAll(() => {
  for (const end of ends) end();
});

/** A phone without JavaScript. */
const phone = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
const withCustomer = <T>(use: (page: Page) => Promise<T>) => withPage(phone, use);

/** What the page shows once it's complete: a click returns when it begins. */
async function main(page: Page): Promise<string> {
  await page.waitForLoadState();
  return (await page.locator("main").textContent()) ?? "";
}

/**
 * Expects `text` on an order's page, at the latest when it's loaded again: the page waits 3 s for the provider, and then
 * shows what was known before.
 */
const expectShown = (page: Page, text: string) =>
  eventually(async () => {
    if (!(await main(page)).includes(text)) await page.reload();
    expect(await main(page)).toContain(text);
  });

/** From a product to the provider's page. */
async function orderByCard(page: Page): Promise<void> {
  await addProduct(page, "marlstead-cafe-10", "1");
  await enterDetails(page, { country_code: "NL", postal_code: "1012 AB", city: "Amsterdam" });
  expect(await page.getByLabel("Card", { exact: true }).isChecked()).toBe(true);
  await placeButton(page).click();
  await page.waitForURL(/\/pay\//);
}

/** Sends the newest event of this type to the shop, as Stripe does. */
async function deliverLast(type: string): Promise<void> {
  const event = stripe.events.findLast((each) => each.type === type);
  if (!event) throw new Error(`There was no ${type}.`);
  stripe.target = async (body, signature) => {
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
    return (await fetch(at("/api/payments/stripe"), { method: "POST", headers, body })).status;
  };
  expect(await stripe.deliver(event)).toBe(200);
}

test("the shop says when it starts that it takes cards, and how events come to it, without any key", () => {
  expect(startOutput()).toContain(`Cards        by Stripe, in test mode`);
  expect(startOutput()).toContain(`stripe listen --forward-to ${at("/api/payments/stripe")}`);
  expect(startOutput()).not.toContain(secretKey);
});

test("a customer pays by card on the provider's page, and comes back to a paid order, without any event", async () => {
  await withCustomer(async (page) => {
    await orderByCard(page);
    expect(await main(page)).toContain("38650 eur");
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    const number = await orderOn(page);
    await expectShown(page, "Your order is paid.");
    expect(await main(page)).not.toContain("NL74");
    expect((await readMail(number, "payment_received")).subject).toContain(number);
  });
});

test("a declined card and the way back leave an order that can be paid on the same page, from its own", async () => {
  await withCustomer(async (page) => {
    await orderByCard(page);
    await page.getByRole("button", { name: "Pay with a card that is declined" }).click();
    expect(await main(page)).toContain("declined");
    const paymentPage = page.url();
    await page.getByRole("button", { name: "Back to the shop" }).click();
    await orderOn(page);
    expect(await main(page)).toContain("It isn’t paid yet.");
    await page.getByRole("button", { name: "Pay €386.50 by card" }).click();
    await page.waitForURL(paymentPage);
    const asked = stripe.asked.length;
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await orderOn(page);
    // At once, although the provider was asked about this page a moment ago.
    await eventually(() => expect(stripe.asked.slice(asked)).toContain("retrieve"));
    await expectShown(page, "Your order is paid.");
  });
});

test("an expired page is followed by another one for the same order", async () => {
  await withCustomer(async (page) => {
    await orderByCard(page);
    const paymentPage = page.url();
    const id = paymentPage.slice(paymentPage.lastIndexOf("/") + 1);
    await page.getByRole("button", { name: "Back to the shop" }).click();
    stripe.account.expire(id);
    await deliverLast("checkout.session.expired");
    await eventually(async () => {
      await page.reload();
      expect(await main(page)).toContain("Your last attempt took no money.");
    });
    await page.getByRole("button", { name: "Pay €386.50 by card" }).click();
    await page.waitForURL(/\/pay\//);
    expect(page.url()).not.toBe(paymentPage);
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await orderOn(page);
    await expectShown(page, "Your order is paid.");
  });
});

test("a bank debit is said to be under way, and a mail says when it came back", async () => {
  await withCustomer(async (page) => {
    await orderByCard(page);
    const id = page.url().slice(page.url().lastIndexOf("/") + 1);
    await page.getByRole("button", { name: "Pay by bank debit" }).click();
    const number = await orderOn(page);
    await expectShown(page, "Your bank debit is under way.");
    expect(await page.getByRole("button", { name: /by card/ }).count()).toBe(0);
    stripe.account.finishDebit(id, false);
    await deliverLast("checkout.session.async_payment_failed");
    expect((await readMail(number, "payment_failed")).text).toContain("didn't succeed");
    await page.reload();
    expect(await main(page)).toContain("Your last attempt took no money.");
    expect(await page.getByRole("button", { name: "Pay €386.50 by card" }).count()).toBe(1);
    await page.getByRole("button", { name: "Pay by bank transfer instead" }).click();
    await expectShown(page, "Please pay by bank transfer as described below.");
    expect(await main(page)).toContain("NL74");
    expect(await page.getByRole("button", { name: /by card/ }).count()).toBe(0);
    await eventually(async () => expect((await readMail(number, "order_received")).text).toContain("NL74"));
  });
});

test("a refund in the provider's dashboard appears on the order", async () => {
  await withCustomer(async (page) => {
    await orderByCard(page);
    const id = page.url().slice(page.url().lastIndexOf("/") + 1);
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await orderOn(page);
    const intent = stripe.account.session(id).payment_intent;
    stripe.account.refund(String(typeof intent === "string" ? intent : intent?.id), { amount: 10_000, reason: null });
    await deliverLast("charge.refunded");
    await eventually(async () => {
      await page.reload();
      expect(await main(page)).toMatch(/Refunded\s*€100\.00/);
    });
  });
});

test("whoever prefers a transfer gets the bank's details, and the page of a cancelled order can't be paid", async () => {
  await withCustomer(async (page) => {
    await addProduct(page, "marlstead-cafe-10", "1");
    await enterDetails(page, { country_code: "NL", postal_code: "1012 AB", city: "Amsterdam" });
    await page.getByLabel("Bank transfer", { exact: true }).check();
    await placeButton(page).click();
    await orderOn(page);
    expect(await main(page)).toContain("NL74 EXMP 0123 4567 89");
    await orderByCard(page);
    await page.getByRole("button", { name: "Back to the shop" }).click();
    const cancelled = await orderOn(page);
    await runOrderCommand("cancel", cancelled);
    await page.getByRole("button", { name: "Pay €386.50 by card" }).click();
    await orderOn(page);
    expect(await main(page)).toContain("Your order is cancelled.");
  });
});

test("the pages of payment by card are valid, accessible and light in every state", async () => {
  await visit(async (page, look) => {
    await addProduct(page, "marlstead-cafe-10", "1");
    await enterDetails(page, { country_code: "NL", postal_code: "1012 AB", city: "Amsterdam" });
    await look("review with two ways to pay");
    await placeButton(page).click();
    await page.waitForURL(/\/pay\//);
    const id = page.url().slice(page.url().lastIndexOf("/") + 1);
    await page.getByRole("button", { name: "Back to the shop" }).click();
    await look("to be paid by card");
    await page.getByRole("button", { name: "Pay €386.50 by card" }).click();
    await page.getByRole("button", { name: "Pay by bank debit" }).click();
    await look("bank debit under way");
    stripe.account.finishDebit(id, false);
    await deliverLast("checkout.session.async_payment_failed");
    await page.reload();
    await look("to be paid by card after an attempt that took no money");
  });
});
