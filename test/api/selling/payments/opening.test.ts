import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { openPaymentPage } from "../../../../api/selling/payments/open-page.ts";
import { loadStripe } from "../../../../api/selling/payments/stripe-library.ts";
import { secretKey } from "../../../stripe-stand-in/stand-in.ts";
import { openMigratedDatabase, PATIENT } from "../../api.ts";
import { newLine } from "../orders/new-order.ts";
import { cardOrder, startCardShop } from "./card-shop.ts";
import { pageOptions } from "./page-options.ts";

test("a payment page asks for the order's total, names the order and leads back to it", async () => {
  const { place, open, standIn } = await startCardShop();
  const id = await open(await place());
  expect(standIn.account.session(id ?? "")).toMatchObject({
    ...{ amount_total: 18_900, currency: "eur", client_reference_id: "A-1001", customer_email: "ada@example.com" },
    success_url: "https://shop.example/account/orders/A-1001?payment=made",
    cancel_url: "https://shop.example/account/orders/A-1001",
  });
});

test("an address that an earlier release stored as it was typed reaches the provider in the shop's form", async () => {
  const { place, standIn, payments } = await startCardShop();
  const order = await place();
  await openPaymentPage(payments, order, { ...pageOptions(order), email: "Ada＠BÜCHER.example" });
  const [page = ""] = standIn.account.sessionIds;
  expect(standIn.account.session(page)).toMatchObject({ customer_email: "Ada@xn--bcher-kva.example" });
});

test("the page that is open is shown again, and another one once it has expired or failed", async () => {
  const { place, open, standIn } = await startCardShop();
  const order = await place();
  const first = await open(order);
  expect(await open(order)).toBe(first);
  standIn.account.expire(first ?? "");
  const second = await open(order);
  expect(second).not.toBe(first);
  standIn.account.startDebit(second ?? "");
  expect(await open(order)).toBe(undefined);
  standIn.account.finishDebit(second ?? "", false);
  for (const event of standIn.events) await standIn.deliver(event);
  const third = await open(order);
  expect(standIn.account.sessionIds).toEqual([first, second, third]);
});

test("fault 12: a page that was opened although the answer timed out is the one that the next click shows", async () => {
  const { place, standIn, payments, open } = await startCardShop();
  const order = await place();
  const { port } = new URL(standIn.url);
  const impatient = new (loadStripe())(secretKey, {
    ...{ host: "127.0.0.1", port, protocol: "http", timeout: 2_000, maxNetworkRetries: 0, telemetry: false },
  });
  standIn.failNext("create", "done", "hang");
  await expect(openPaymentPage({ ...payments, stripe: impatient }, order, pageOptions(order))).rejects.toThrow(
    loadStripe().errors.StripeConnectionError,
  );
  expect(standIn.account.sessionIds).toEqual([await open(order)]);
});

test("fault 12: the same after a connection that was cut before or after the page was opened", async () => {
  const { place, standIn, open } = await startCardShop();
  const order = await place();
  for (const moment of ["received", "done"] as const) {
    standIn.failNext("create", moment, "cut");
    await expect(open(order)).rejects.toThrow(loadStripe().errors.StripeConnectionError);
  }
  expect(standIn.account.sessionIds).toEqual([await open(order)]);
});

test("fault 13: a 500, which the provider repeats under its key, isn't repeated at the next click", async () => {
  const { place, standIn, open, attempts } = await startCardShop();
  const order = await place();
  for (const moment of ["received", "done"] as const) {
    standIn.failNext("create", moment, 500);
    await expect(open(order)).rejects.toThrow(loadStripe().errors.StripeAPIError);
  }
  const page = await open(order);
  expect((await attempts()).map(({ state, session_id }) => [state, session_id])).toEqual([
    ["failed", null],
    ["failed", null],
    ["open", page],
  ]);
});

test("fault 13: a page that another process gave up because of a 500 is closed, not shown beside the next one", async () => {
  const { place, standIn, open, db } = await startCardShop();
  const order = await place();
  let isFirst = true;
  standIn.interrupt = async (operation, moment) => {
    if (operation !== "create" || moment !== "done" || !isFirst) return undefined;
    isFirst = false;
    // As abandonAttempt does, in a process that got a 502 from something between it and the provider.
    await db.updateTable("payment_attempts").set({ state: "failed", open_order_id: null }).execute();
    return undefined;
  };
  const shown = await open(order);
  const states = standIn.account.sessionIds.map((id) => [id === shown, standIn.account.session(id).status]);
  expect(states).toEqual([
    [false, "expired"],
    [true, "open"],
  ]);
});

test("however often and by however many the page is opened at once, one page can be paid", async () => {
  const { place, standIn, open, attempts } = await startCardShop();
  const order = await place();
  const pages = await Promise.all(Array.from({ length: 8 }, () => open(order)));
  expect(new Set(pages)).toEqual(new Set(standIn.account.sessionIds));
  expect([standIn.account.sessionIds.length, (await attempts()).length]).toEqual([1, 1]);
});

test("where the provider refuses the e-mail address, its page opens in the same click and asks for one", async () => {
  const { place, standIn, payments, attempts } = await startCardShop();
  const order = await place();
  const url = await openPaymentPage(payments, order, { ...pageOptions(order), email: "ada@refused" });
  const [page = ""] = standIn.account.sessionIds;
  expect(url).toContain(page);
  expect(standIn.account.session(page)).toMatchObject({ customer_email: null, status: "open" });
  expect((await attempts()).map(({ state }) => state)).toEqual(["failed", "open"]);
});

test("pages of many orders are opened at once without deadlocks", async () => {
  const { url } = await openMigratedDatabase();
  const errors: string[] = [];
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), {
    timeouts: PATIENT,
    countError: (code) => errors.push(code),
  });
  onTestFinished(() => db.destroy());
  const { place, open } = await startCardShop({ db });
  const orders = [];
  for (let count = 0; count < 30; count += 1) orders.push(await place());
  const pages = await Promise.all(orders.map(open));
  expect([new Set(pages).size, errors]).toEqual([30, []]);
});

test("after an update that moved the shop, an attempt whose page never opened is given up for a new one in the same click", async () => {
  const { place, standIn, payments } = await startCardShop();
  const order = await place();
  const options = pageOptions(order);
  standIn.failNext("create", "done", "cut");
  await expect(openPaymentPage(payments, order, options)).rejects.toThrow(loadStripe().errors.StripeConnectionError);
  const url = await openPaymentPage(payments, order, {
    ...options,
    returnUrl: "https://new.example/account/orders/A-1001",
  });
  expect(url).toContain(standIn.account.sessionIds[1]);
});

test("nothing is asked of the provider for orders that aren't to be paid by card, or are paid, free, cancelled or on hold", async () => {
  const { place, open, standIn, db } = await startCardShop();
  const { payment_method: _, ...order } = cardOrder();
  const paid = { method: "card", reference: "pi_0", amount: "189.00", status: "paid" } as const;
  const orders = [
    await place(order),
    await place({ ...order, payment_method: "transfer" }),
    await place(cardOrder({ lines: [newLine({ unit_price: "0" })] })),
    await place(cardOrder({ payments: [paid] })),
    await place(cardOrder({ status: "cancelled" })),
    await place(),
  ];
  await changeOrder(db, orders.at(-1) ?? 0, { status: "on_hold" });
  for (const id of orders) expect(await open(id)).toBe(undefined);
  expect(await open(4711)).toBe(undefined);
  expect(standIn.asked).toEqual([]);
});

test("a page is never shown for an order that was paid in another way meanwhile, and the page is closed by the sweep", async () => {
  const { place, open, standIn, db, sweep } = await startCardShop();
  const order = await place();
  const page = (await open(order)) ?? "";
  const transfer = { method: "bank_transfer", reference: "44", amount: "189.00", status: "paid" } as const;
  await changeOrder(db, order, { status: "processing", payments: [transfer] });
  expect(await open(order)).toBe(undefined);
  await sweep();
  expect(standIn.account.session(page).status).toBe("expired");
});
