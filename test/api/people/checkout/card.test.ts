import { expect, test } from "vitest";
import { reviewPage } from "../../../../api/people/checkout/views.ts";
import { readMain } from "../basket/page-text.ts";
import { startCardCheckout } from "./start-card-checkout.ts";
import { place, review, startCheckout } from "./start-checkout.ts";

test("the form of an order to be paid by card leads to the payment page, which the shop's policy lets it do", async () => {
  const { stripe, customer } = await startCardCheckout();
  const fields = await review(customer);
  expect(fields["payment"]).toBe("card");
  expect((await customer.get("/checkout/review")).headers["payment-origin"]).toBe(stripe.url);
  const placed = await place(customer, fields);
  expect([placed.statusCode, placed.headers.location]).toEqual([
    303,
    `${stripe.url}/pay/${stripe.account.sessionIds[0]}`,
  ]);
  const page = await customer.get("/account/orders/A-1001");
  expect(page.headers["payment-origin"]).toBe(stripe.url);
  expect(readMain(page.payload)).toContain("It isn’t paid yet.");
});

test("the review names each way to pay that the API knows", async () => {
  const { customer } = await startCardCheckout();
  await review(customer);
  const { payload } = await customer.get("/checkout/review");
  const labels = [...payload.matchAll(/name="payment" value="(\w+)"[^>]*>([^<]*)<\/label>/g)];
  const [, known = "[]"] = /"ways_to_pay":\{.*?"enum":(\[.*?\])/.exec(JSON.stringify(reviewPage.view)) ?? [];
  expect(labels.map(([, way]) => way)).toEqual(JSON.parse(known));
  expect(labels.map(([, , label]) => label?.trim())).toEqual(["Card", "Bank transfer"]);
});

test("both clicks of a double click lead to the same payment page of one order", async () => {
  const { stripe, customer, db } = await startCardCheckout();
  const fields = await review(customer);
  const answers = await Promise.all([place(customer, fields), place(customer, fields)]);
  const page = `${stripe.url}/pay/${stripe.account.sessionIds[0]}`;
  expect(answers.map(({ headers }) => headers.location)).toEqual([page, page]);
  expect(await db.selectFrom("orders").select(["number", "payment_method"]).execute()).toEqual([
    { number: "A-1001", payment_method: "card" },
  ]);
});

test("when Stripe doesn't answer in time or refuses, the order's own page says so and offers the payment again", async () => {
  const { stripe, customer } = await startCardCheckout();
  stripe.failNext("create", "received", "hang");
  const placed = await place(customer, await review(customer));
  const ownPage = "/account/orders/A-1001?payment=unavailable";
  expect([placed.statusCode, placed.headers.location]).toEqual([303, ownPage]);
  expect(readMain((await customer.get(ownPage)).payload)).toContain("couldn’t be opened just now");
  stripe.failNext("create", "begun", 500);
  const refused = await customer.post("/account/orders/A-1001/pay", {});
  expect([refused.statusCode, refused.headers.location]).toEqual([303, ownPage]);
  const opened = await customer.post("/account/orders/A-1001/pay", {});
  expect(opened.headers.location).toBe(`${stripe.url}/pay/${stripe.account.sessionIds.at(-1)}`);
  expect(readMain((await customer.get("/account/orders/A-1001")).payload)).not.toContain("couldn’t be opened just now");
});

test("an order whose last payment page expired says that it took no money, until another page is open, which may have been paid", async () => {
  const { stripe, customer, db } = await startCardCheckout();
  await place(customer, await review(customer));
  const read = async () => {
    await db.updateTable("payment_attempts").set({ asked_at: null }).execute(); // as if 5 s had passed
    return readMain((await customer.get("/account/orders/A-1001")).payload);
  };
  const attempt = "Your last attempt took no money.";
  expect(await read()).not.toContain(attempt);
  stripe.account.expire(stripe.account.sessionIds[0] ?? "");
  expect(await read()).toMatch(
    /took no money\. You pay on .* and come back here\. Pay €[\d.]+ by card You can also pay by bank transfer/,
  );
  await customer.post("/account/orders/A-1001/pay", {});
  expect(await read()).not.toContain(attempt);
  stripe.account.pay(stripe.account.sessionIds[1] ?? "");
  stripe.failNext("retrieve", "received", "cut");
  const unanswered = await read();
  expect(unanswered).toContain("It isn’t paid yet.");
  expect(unanswered).not.toContain(attempt);
  expect(await read()).toContain("Your order is paid.");
});

test("an order to be paid by transfer opens no payment page, and shows the account", async () => {
  const { stripe, customer } = await startCardCheckout();
  const placed = await place(customer, { ...(await review(customer)), payment: "transfer" });
  expect(placed.headers.location).toBe("/account/orders/A-1001");
  expect(readMain((await customer.get("/account/orders/A-1001")).payload)).toContain("IBAN");
  expect((await customer.post("/account/orders/A-1001/pay", {})).headers.location).toBe("/account/orders/A-1001");
  expect(stripe.asked).toEqual([]);
});

test("a browser can't open the payment page of another's order, nor of one that doesn't exist", async () => {
  const { stripe, customer, otherCustomer } = await startCardCheckout();
  await place(customer, await review(customer));
  const stranger = otherCustomer();
  await stranger.post("/cart/lines", { sku: "KES-C2-BK", quantity: "1" });
  for (const number of ["A-1001", "A-9999"])
    expect((await stranger.post(`/account/orders/${number}/pay`, {})).statusCode).toBe(404);
  expect(stripe.asked).toEqual(["create"]);
});

test("a card isn't offered where the API has no keys, nor in a currency that Stripe can't take", async () => {
  const withoutKeys = await startCheckout({ facts: { card: true } });
  expect((await review(withoutKeys.customer))["payment"]).toBe("transfer");
  const dinars = await startCardCheckout({ currency: "KWD" });
  const fields = await review(dinars.customer);
  expect(fields["payment"]).toBe("transfer");
  const refused = await place(dinars.customer, { ...fields, payment: "card" });
  expect(refused.statusCode).toBe(422);
  expect(await dinars.db.selectFrom("orders").select("id").execute()).toEqual([]);
});

test("an order to be paid by card shows the account instead once the shop has no keys any more", async () => {
  const { customer, db } = await startCheckout({ facts: { card: true } });
  await place(customer, await review(customer));
  await db.updateTable("orders").set({ payment_method: "card" }).execute();
  const { headers, payload } = await customer.get("/account/orders/A-1001");
  expect(headers["payment-origin"]).toBe(undefined);
  expect(readMain(payload)).toContain("Please pay by bank transfer as described below.");
  expect(readMain(payload)).toContain("IBAN");
  expect(payload).not.toContain("/account/orders/A-1001/pay");
});
