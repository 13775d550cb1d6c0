import fc from "fast-check";
import { expect, test } from "vitest";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { currencyDigits, payableDigits } from "../../../../api/contract/currencies.ts";
import { displayMoney, formatMoney, parseMoney, stepOf } from "../../../../api/contract/money.ts";
import { orderPage } from "../../../../api/people/account/views.ts";
import { pages } from "../../../../api/people/pages.ts";
import { readMail } from "../../../../api/platform/mail/settings.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { openTemplates } from "../../../../api/platform/private-pages/templates.ts";
import { mailQueue, makeMailing } from "../../../../api/selling/mail/attempt.ts";
import { openMails, viewOrderMail } from "../../../../api/selling/mail/render.ts";
import { viewOrder } from "../../../../api/selling/order-view/order-view.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { findOrder, findShopOrder } from "../../../../api/selling/orders/queries.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { quote } from "../../../../api/selling/quote/quote.ts";
import { seedFor } from "../../../depth.ts";
import { openTestDatabase, token } from "../../api.ts";
import { buildTemplates } from "../../platform/private-pages/pages.ts";
import { startSmtp } from "../../selling/mail/mail-shop.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { shippingTo, shopFacts, variantAt } from "../../selling/quote/shop.ts";
import { readMain } from "../basket/page-text.ts";
import { place, review, startCheckout } from "./start-checkout.ts";

/** What a person reads behind some words, as they would type it into their bank: `HUF 26,150` is `26150`. */
const amountAfter = (text: string, words: string): string =>
  new RegExp(`${words}\\D*([\\d,]+(?:\\.\\d+)?)`).exec(text)?.[1]?.replaceAll(",", "") ?? `no amount after "${words}"`;

const quiet = { info() {}, warn() {}, error() {} };

test.each([
  // Each price in content/, and two of them with delivery: at 19 % instead of 21 %.
  { currency: "HUF", price: "12990.00", delivery: "1990.00", total: "27507.00", shown: "27507" },
  { currency: "IDR", price: "2499000.00", delivery: "95000.00", total: "5008818.00", shown: "5008818" },
  { currency: "JPY", price: "24800", delivery: "1200", total: "49960", shown: "49960" },
  { currency: "KWD", price: "57.250", delivery: "2.500", total: "115.067", shown: "115.067" },
])("an order in $currency comes to what its pages and mail say, and who pays that has paid", async (wanted) => {
  const { currency, price, delivery, total, shown } = wanted;
  const { shipping } = shopFacts();
  if (!shipping) throw new Error("The shop delivers nowhere.");
  const zones = shipping.zones.map(({ countries }) => ({ countries, price: delivery }));
  const { customer, app, db, get, sessionPages } = await startCheckout({
    facts: { currency, shipping: shippingTo(...zones) },
  });
  await db.updateTable("product_variants").set({ price }).where("sku", "=", "KES-C2-BK").execute();

  const fields = await review(customer);
  expect(amountAfter(readMain((await customer.get("/checkout/review")).payload), "Place order for")).toBe(shown);
  const placed = await place(customer, fields);
  const page = async () => readMain((await customer.get(String(placed.headers.location))).payload);
  expect(amountAfter(await page(), "To be paid")).toBe(shown);

  const smtp = await startSmtp();
  const settings = readMail({ SMTP_URL: smtp.url }, []) ?? expect.fail();
  const queue = mailQueue(makeMailing(db, settings, openMails(openBuilds(sessionPages), quiet)), quiet);
  for (const id of await queue.findDue(10)) await (await queue.claim(id))?.();
  const mail = smtp.received.find(({ to }) => to.includes("ada@novak.example"))?.mail;
  expect(amountAfter(mail?.text ?? "", "To be paid")).toBe(shown);
  expect(amountAfter(String(mail?.html), "To be paid")).toBe(shown);

  const [order] = (await get("/api/orders")).json<{ orders: Order[] }>().orders;
  expect([order?.currency, order?.totals.total, order?.totals.due]).toEqual([currency, total, total]);
  const answer = await app.inject({
    method: "POST",
    url: `/api/orders/${order?.id}/payments`,
    headers: { authorization: `Bearer ${token}` },
    payload: { method: "bank_transfer", reference: "1", amount: shown, currency },
  });
  const { status, payment_status, totals } = answer.json<Order>();
  expect([answer.statusCode, status, payment_status, Number(totals.due)]).toEqual([200, "processing", "paid", 0]);
  expect(amountAfter(await page(), "Paid")).toBe(shown);
});

test("in every currency, page, mail and API show one amount of an order, which can be paid, and paying it exactly is paid", async () => {
  const db = await openTestDatabase();
  const sessionPages = await buildTemplates();
  const templates = openTemplates({ builds: openBuilds(sessionPages), pages, log: quiet });
  const writeMail = await openMails(openBuilds(sessionPages), quiet).current();
  const currencies = [...Intl.supportedValuesOf("currency"), "CLF", "UYI", "UYW"];
  const random = fc.sample(
    fc.record({ units: fc.integer({ min: 1, max: 10 ** 8 }), quantity: fc.integer({ min: 1, max: 99 }) }),
    { numRuns: currencies.length, seed: seedFor("api") },
  );
  for (const [index, currency] of currencies.entries()) {
    const amountOf = (units: number) => formatMoney(BigInt(units) * 10n ** BigInt(4 - payableDigits(currency)), 4);
    const { units, quantity } = random[index] ?? expect.fail();
    const shop = shopIn(currency, index % 2 === 0, amountOf(1_990));
    const to = { country: ["NL", "DE", "HU", "CH"][index % 4] ?? "", postal_code: null, vat_check: null };
    const quoted = quote(shop, [{ variant: variantAt(amountOf(units)), quantity }], to);
    const { id } = await placeOrder(db, newOrder({ ...quoted.order, placed_at: new Date() }));
    const order = (await findShopOrder(db, id)) ?? expect.fail();
    const due = displayMoney(quoted.totals.total, currency, shop.locale);
    expect(due).toBe(displayMoney(order.totals.due, currency, shop.locale));
    const amounts = [
      ...Object.values(order.totals),
      ...order.lines.flatMap(({ unit_price, total }) => [unit_price, total]),
      ...order.tax_lines.map(({ amount }) => amount),
    ];
    for (const amount of amounts) expect(amount.split(".")[1]?.length ?? 0).toBe(currencyDigits(currency));
    expect(amounts.filter((amount) => parseMoney(amount) % stepOf(payableDigits(currency)) !== 0n)).toEqual([]);

    const page = readMain(await templates.render(orderPage, { ...viewOrder(order, shop), is_pro_forma: false }));
    const mail = writeMail("order_received", viewOrderMail(order, shop, { link: "", code: "" }));
    const shown = [page, mail.text, mail.html].map((text) => amountAfter(text, "To be paid"));
    expect([currency, ...shown]).toEqual([currency, ...Array(3).fill(amountAfter(`: ${due}`, ":"))]);

    const payment = { method: "bank_transfer", reference: "1", amount: shown[0] ?? "", currency };
    await recordPayment(db, id, payment, async () => {});
    const paid = await findOrder(db, id);
    expect([currency, paid?.payment_status, paid?.status]).toEqual([currency, "paid", "processing"]);
  }
});

function shopIn(currency: string, prices_include_tax: boolean, delivery: string): ShopFacts {
  const facts = shopFacts({ currency, prices_include_tax });
  const zones = facts.shipping?.zones.map(({ countries }) => ({ countries, price: delivery })) ?? [];
  return { ...facts, shipping: shippingTo(...zones) };
}
