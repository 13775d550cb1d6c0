import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { erasePerson } from "../../../../api/operation/erasure/erase-person.ts";
import { findOrderOf } from "../../../../api/people/account/queries.ts";
import { saveCheckout } from "../../../../api/people/checkout/queries.ts";
import { ago } from "../../../../api/platform/database/columns.ts";
import { type Db, openDatabase } from "../../../../api/platform/database/pool.ts";
import { emailKey } from "../../../../api/platform/mail/email-address.ts";
import { mintOrderKey } from "../../../../api/selling/mail/order-keys.ts";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordFulfillment } from "../../../../api/selling/orders/record-fulfillment.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { openMigratedDatabase, PATIENT } from "../../api.ts";
import { pdfOf, xmlOf } from "../../partners/orders/documents.ts";
import { startProxy } from "../../platform/database/proxy.ts";
import { spelledAddresses } from "../../platform/mail/spellings.ts";
import { startShopApi } from "../../platform/private-pages/pages.ts";
import { boughtOrder, transferShop } from "../../selling/mail/mail-shop.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newLine } from "../../selling/orders/new-order.ts";

/** A shop with one order from the checkout. */
async function startWithOrder() {
  const api = await startShopApi({ facts: transferShop() });
  const { id } = await placeOrder(api.db, boughtOrder());
  return { ...api, id, open: async () => `/account/open?key=${await mintOrderKey(api.db, id)}` };
}

const buyer = { first_name: "Ada", last_name: "Novák", company: null, phone: null, vat_id: null };

const count = async (db: Db, table: "sessions" | "session_orders" | "mails") =>
  (await db.selectFrom(table).selectAll().execute()).length;

test("a link from a mail opens the order, and its key leaves the address", async () => {
  const { customer, open } = await startWithOrder();
  const browser = customer();
  const opened = await browser.get(await open());
  expect([opened.statusCode, opened.headers.location]).toEqual([303, "/account/orders/A-1001?opened=1"]);
  expect(browser.jar.has("__Host-session")).toBe(true);
  const { statusCode, headers, body } = await browser.get("/account/orders/A-1001");
  expect([statusCode, headers["cache-control"]]).toEqual([200, "no-store"]);
  for (const shown of [
    ...["<title>Order A-1001 | Shop</title>", "20 November 2026", "waiting for your payment", "€395.50", "€65.60"],
    ...["NL91 ABNA 0417 1643 00", "4 December 2026", "Dlouhá 12", "Krátká 1", "PO-7741", "NL123456789B01", "<svg"],
    ...["110 00 Praha 1<br>Czechia", "Counterwell Ltd<br>14 Halfmoon Yard<br>Leeds LS1 9CK<br>United Kingdom"],
  ])
    expect(body).toContain(shown);
  const list = await browser.get("/account");
  expect(list.body).toContain('href="/account/orders/A-1001"');
});

test("a link works again, in the same browser and in another", async () => {
  const { db, customer, open } = await startWithOrder();
  const link = await open();
  const browser = customer();
  for (const each of [browser, browser, customer()]) expect((await each.get(link)).statusCode).toBe(303);
  expect([await count(db, "sessions"), await count(db, "session_orders")]).toEqual([2, 2]);
});

test("fault 29: a mail scanner that asks for every link, by HEAD or GET, changes nothing for the customer", async () => {
  const { app, customer, open, db } = await startWithOrder();
  const link = await open();
  const head = await app.inject({ method: "HEAD", url: link });
  expect([head.statusCode, head.headers["set-cookie"], await count(db, "sessions")]).toEqual([200, undefined, 0]);
  for (let times = 0; times < 3; times += 1) await customer().get(link);
  const browser = customer();
  await browser.get(link);
  expect((await browser.get("/account/orders/A-1001")).statusCode).toBe(200);
});

test("fault 33: an unknown, cut, repeated or expired key opens nothing, sets no cookie and offers another link", async () => {
  const { db, customer, open } = await startWithOrder();
  const link = await open();
  const wrong = [link.slice(0, -1), `${link}&key=x`, "/account/open", "/account/open?key=", "/account/open?key=%00"];
  const answers = await Promise.all(wrong.map((path) => customer().get(path)));
  await db
    .updateTable("order_keys")
    .set({ created_at: ago(90 * 24 * 3_600_000) as never })
    .execute();
  answers.push(await customer().get(link));
  for (const { statusCode, headers, body } of answers) {
    expect([statusCode, headers["set-cookie"]]).toEqual([404, undefined]);
    expect(body).toContain("This link doesn’t work.");
    expect(body).toContain('action="/account/find"');
  }
  expect(await count(db, "sessions")).toBe(0);
});

test("fault 33: another's order looks like one that doesn't exist", async () => {
  const { db, customer, open } = await startWithOrder();
  await placeOrder(db, boughtOrder());
  const browser = customer();
  await browser.get(await open());
  const others = [browser.get("/account/orders/A-1002"), browser.get("/account/orders/A-9999")];
  others.push(customer().get("/account/orders/A-1001"));
  const answers = await Promise.all(others);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
});

test("a browser is forgotten whole, by a form that says what is lost, and only it; the order and its link stay", async () => {
  const { db, customer, open } = await startWithOrder();
  const link = await open();
  const [browser, other] = [customer(), customer()];
  for (const each of [browser, other]) await each.get(link);
  await browser.post("/cart/lines", { sku: "KES-CABLE", quantity: "7" });
  await browser.post("/cart/lines", { sku: "KES-PRE", quantity: "1" });
  const { id } = await db.selectFrom("basket_lines").select("session_id as id").executeTakeFirstOrThrow();
  await saveCheckout(db, id, { details: { email: "ada@example.com" } as never, vat_check: null });
  const before = (await browser.get("/account")).body;
  expect(before).toMatch(/<form action="\/account\/forget" method="post">[\s\S]*basket with 2 items will be lost/);
  expect((await other.get("/account")).body).not.toContain("will be lost");

  const copied = browser.jar.get("__Host-session") ?? "";
  const forgotten = await browser.post("/account/forget", {});
  expect(forgotten.statusCode).toBe(200);
  expect(forgotten.body).toContain("We’ve forgotten this browser");
  expect(forgotten.body).not.toMatch(/A-1001|account\/forget/);
  expect(forgotten.headers["set-cookie"]).toMatch(
    /^__Host-session=; (?=.*Path=\/)(?=.*Secure)(?=.*HttpOnly)(Max-Age=0|.*1970)/,
  );
  for (const table of ["basket_lines", "checkouts"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  expect([await count(db, "sessions"), await count(db, "session_orders")]).toEqual([1, 1]);
  browser.jar.set("__Host-session", copied);
  expect((await browser.get("/account/orders/A-1001")).statusCode).toBe(404);

  for (const again of [browser, browser, customer()]) {
    const answer = await again.post("/account/forget", {});
    expect([answer.statusCode, answer.body]).toEqual([200, forgotten.body]);
  }
  expect((await browser.get("/account/forget")).headers.location).toBe("/account");
  expect((await other.get("/account/orders/A-1001")).statusCode).toBe(200);
  await browser.get(link);
  expect((await browser.get("/account/orders/A-1001")).statusCode).toBe(200);
});

test("a form of a browser that is forgotten meanwhile asks to come again, and then begins anew", async () => {
  const { url } = await openMigratedDatabase();
  const proxy = await startProxy(url);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: proxy.url }), { timeouts: PATIENT });
  onTestFinished(() => db.destroy());
  const { customer } = await startShopApi({ db });
  const browser = customer();
  await browser.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  const otherTab = customer();
  otherTab.jar.set("__Host-session", browser.jar.get("__Host-session") ?? "");
  // Before the basket is locked, after the session was found.
  proxy.delayAt("for update", async () => {
    await otherTab.post("/account/forget", {});
  });
  const answer = await browser.post("/cart/lines", { sku: "KES-PRE", quantity: "1" });
  expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
  const again = await browser.post("/cart/lines", { sku: "KES-PRE", quantity: "1" });
  expect(again.statusCode).toBe(303);
  expect(await db.selectFrom("basket_lines").select("sku").execute()).toEqual([{ sku: "KES-PRE" }]);
});

test("another site's form and a link don't make the shop forget a browser", async () => {
  const { db, customer, open } = await startWithOrder();
  const browser = customer();
  await browser.get(await open());
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  expect((await browser.post("/account/forget", {}, foreign)).statusCode).toBe(403);
  await browser.get("/account/forget");
  expect(await count(db, "sessions")).toBe(1);
});

test("fault 33: asking for a link is answered alike for every number and address, and only a match queues a mail", async () => {
  const { db, customer } = await startWithOrder();
  const ask = (number: string, email: string) => customer().post("/account/find", { number, email });
  const wrong = [await ask("A-1001", "eve@example.com"), await ask("A-7", "ada@example.com")];
  expect(await count(db, "mails")).toBe(0);
  const right = [await ask(" a-1001\u200b ", "Ada@Example.com "), await ask("1001", "ada@example.com")];
  const bodies = [...wrong, ...right].map(({ statusCode, body, headers }) => [statusCode, body, headers["set-cookie"]]);
  expect(new Set(bodies.map(String)).size).toBe(1);
  expect(bodies[0]?.[0]).toBe(200);
  expect(await db.selectFrom("mails").select(["order_id", "kind", "state"]).execute()).toEqual([
    { order_id: 1, kind: "order_link", state: "pending" },
  ]);
});

test("whatever spelling an order has, also from an earlier release, every spelling finds and erases it, and no other", async () => {
  const { db, customer } = await startWithOrder();
  await db.deleteFrom("mails").execute();
  const samples = fc.sample(spelledAddresses, {
    numRuns: byDepth({ usual: 12, deep: 200 }),
    seed: seedFor("api/people"),
  });
  for (const [index, { spellings }] of samples.entries()) {
    const [ordered = "", asked = ""] = spellings;
    const { id } = await placeOrder(db, boughtOrder({ buyer: { ...buyer, email: ordered } }));
    // As an earlier release stores it.
    if (index % 2) await db.updateTable("orders").set({ email_key: null }).where("id", "=", id).execute();
    expect(await findOrderOf(db, `A-${1_000 + id}`, emailKey(asked) ?? "")).toBe(id);
    // An answer of the form waits, whether there is an order or not.
    if (index < 2) {
      await customer().post("/account/find", { number: `A-${1_000 + id}`, email: asked });
      expect(await db.selectFrom("mails").select("order_id").execute()).toEqual([{ order_id: id }]);
    }
    const { orders } = await erasePerson(db, asked, {
      ...{ invoicesKeptDays: 1, mailFolder: undefined },
      followUp: async () => {},
    });
    expect(orders).toMatchObject([{ number: `A-${1_000 + id}`, outcome: "open" }]);
    await db.deleteFrom("mails").execute();
    await db.updateTable("orders").set({ buyer: null, email_key: null }).where("id", "=", id).execute();
  }
});

test("a form without number or address says at the fields what to enter, and keeps the rest", async () => {
  const { customer, db } = await startWithOrder();
  const { statusCode, body } = await customer().post("/account/find", { number: "A-1<b>", email: "ada" });
  expect(statusCode).toBe(422);
  expect(body).toContain("<title>Error: Find your order");
  expect(body).toContain('<a href="#email">Enter an e-mail address');
  expect(body).toContain('value="A-1&lt;b&gt;"');
  expect((await customer().post("/account/find", { number: "", email: "" })).body).toContain('href="#number"');
  for (const fields of [{ number: "A-1" }, { number: "A-1", email: "a@b", more: "x" }])
    expect((await customer().post("/account/find", fields as never)).statusCode).toBe(400);
  expect(await count(db, "mails")).toBe(0);
});

test("fault 34: after 20 searches in an hour an address has to wait, and an order's mailbox gets three links at most", async () => {
  const { customer, db } = await startWithOrder();
  const find = () => customer().post("/account/find", { number: "A-1001", email: "ada@example.com" });
  const states: unknown[] = [];
  for (let times = 0; times < 4; times += 1) {
    expect((await find()).statusCode).toBe(200);
    states.push(await db.selectFrom("mails").select("state").execute());
    await db.updateTable("mails").set({ state: "sent" }).execute();
  }
  expect(states).toEqual(["pending", "pending", "pending", "sent"].map((state) => [{ state }]));
  await db.updateTable("request_counts").set({ requests: 20 }).where("name", "=", "find").execute();
  const refused = await find();
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "3600"]);
});

test("the page tells how the order stands and what happens next", async () => {
  const { db, id, customer, open } = await startWithOrder();
  const browser = customer();
  await browser.get(await open());
  const page = async () => (await browser.get("/account/orders/A-1001")).body;
  const pay = (amount: string, reference: string) =>
    recordPayment(db, id, { method: "bank_transfer", reference, amount }, async () => {});
  expect(await page()).toContain("waiting for your payment");
  await pay("100.00", "T-1");
  expect(await page()).toContain("We have received a part of your payment.");
  expect(await page()).toMatch(/Paid<\/th><td>€100\.00/);
  expect(await page()).toContain("IBAN");
  expect(await page()).toMatch(/To be paid<\/dt><dd>€295\.50/);
  await changeOrder(db, id, { status: "processing" });
  expect(await page()).toContain("We have accepted your order");
  expect(await page()).toMatch(/To be paid<\/dt><dd>€295\.50/);
  await pay("295.50", "T-2");
  expect(await page()).toContain("Your order is paid.");
  expect(await page()).not.toContain("IBAN");
  await changeOrder(db, id, { status: "cancelled", cancel_reason: "Not <b>available</b>" });
  expect(await page()).toContain("We will pay back what you have paid.");
  expect(await page()).toContain("Not &lt;b&gt;available&lt;/b&gt;");
});

test("the page offers a pro forma invoice while something is to be paid, without what stands to be done", async () => {
  const { db, id, customer, open } = await startWithOrder();
  const browser = customer();
  await browser.get(await open());
  const page = async (query = "") => (await browser.get(`/account/orders/A-1001${query}`)).body;
  expect(await page()).toContain('<a class="quiet" href="/account/orders/A-1001?pro-forma">Pro forma invoice</a>');
  const proForma = await page("?pro-forma");
  expect(proForma).toContain("<h1>Pro forma invoice for order A-1001</h1>");
  expect(proForma).toContain("NL91 ABNA 0417 1643 00");
  expect(proForma).not.toContain("waiting for your payment");
  await recordPayment(db, id, { method: "bank_transfer", reference: "T-1", amount: "395.50" }, async () => {});
  expect(await page()).toContain("Your order is paid.");
  expect(await page()).not.toContain("Pro forma");
});

test("the page tells what was sent, when, with whom and where to follow it, and what is still to come", async () => {
  const { db, customer } = await startWithOrder();
  const lines = [newLine({ quantity: 2 }), newLine({ name: "Rill <80> printer" })];
  const { id } = await placeOrder(db, boughtOrder({ status: "processing", lines, shipping_lines: [] }));
  const browser = customer();
  await browser.get(`/account/open?key=${await mintOrderKey(db, id)}`);
  const page = async () => (await browser.get("/account/orders/A-1002")).body;
  const unknown = { carrier: null, tracking_number: null, tracking_url: null };
  const send = (report: Partial<Parameters<typeof recordFulfillment>[2]> & { reference: string }) =>
    recordFulfillment(db, id, { ...unknown, ...report }, async () => {});
  expect(await page()).not.toContain('id="sent"');

  const tracking = { tracking_number: "0034&1", tracking_url: 'https://dhl.example/?a="><script>&n=0034' };
  const printer = [{ line_id: 2002, quantity: 1 }];
  const shippedAt = new Date();
  await send({ reference: "p-1", carrier: "DHL <x>", ...tracking, shippedAt, lines: printer });
  const partly = await page();
  expect(partly).toContain("A part of your order has been sent.");
  expect(partly).toContain(
    "We dispatch the rest as soon as it is in stock. Please pay by bank transfer as described below.",
  );
  expect(partly).toContain("<dd>DHL &lt;x&gt;</dd>");
  expect(partly).toContain(
    '<a href="https://dhl.example/?a=&#34;&gt;&lt;script&gt;&amp;n=0034" rel="noopener">0034&amp;1</a>',
  );
  expect(partly).toMatch(/Contains<\/dt><dd>1 × Rill &lt;80&gt; printer<\/dd>/);
  expect(partly).toContain(new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(shippedAt));

  await send({ reference: "p-2", tracking_number: "no link", tracking_url: "https://dhl.example@evil.example/" });
  const sent = await page();
  expect(sent).toContain("Your order has been sent.");
  expect(sent).toContain("<p>Please pay by bank transfer as described below.</p>");
  expect(sent).toContain("<dd>no link</dd>");
  expect(sent).toMatch(/Contains<\/dt><dd>2 × Kestrel C2/);

  await recordPayment(db, id, { method: "bank_transfer", reference: "T-1", amount: "567" }, async () => {});
  expect(await page()).toContain("If something is wrong with the goods, please contact us.");
});

test("an order that was sent at once doesn't repeat its articles, and a link without a number has words", async () => {
  const { db, id, customer, open } = await startWithOrder();
  await changeOrder(db, id, { status: "processing" });
  const browser = customer();
  await browser.get(await open());
  const tracking = { carrier: null, tracking_number: null, tracking_url: "https://dhl.example/1" };
  await recordFulfillment(db, id, { reference: "p-1", ...tracking }, async () => {});
  const { body } = await browser.get("/account/orders/A-1001");
  expect(body).toContain('<a href="https://dhl.example/1" rel="noopener">Track the delivery</a>');
  expect(body).not.toMatch(/Carrier|Tracking number|Contains/);
});

test("the page tells what won't come, why, what becomes of the money for it, and what came back", async () => {
  const { db, id, customer, open } = await startWithOrder();
  const browser = customer();
  await browser.get(await open());
  const show = async () => (await browser.get("/account/orders/A-1001")).body.replaceAll(/\s*\n\s*/g, "");
  expect(await show()).not.toMatch(/won’t come|What came back/);
  const act = (act: Act) => actByCommand(db, "A-1001", act, async () => {});
  await act({ name: "accept" });
  const lines = [{ sku: "KES-C2-BK", quantity: 1 }];
  await act({ name: "sent", reference: "P-1", ...{ carrier: null, tracking_number: null, tracking_url: null }, lines });
  await act({ name: "close", reason: "No <longer> made" });
  const closed = "<p>These goods won’t come:<br>1 × Kestrel C2 cordless 2D scanner</p>";
  expect(await show()).toContain(
    `${closed}<p>You don’t have to pay for them.</p><p>Reason: No &lt;longer&gt; made</p></div>`,
  );
  expect(await show()).toContain("2 × €189.00<br><small>1 piece won’t come</small>");
  await changeOrder(db, id, { payments: [{ method: "transfer", reference: "T", amount: "395.50", status: "paid" }] });
  expect(await show()).toContain(
    `${closed}<p>We will pay back what you have paid for them, unless we agree something else with you.</p>`,
  );
  await act({ name: "refunded", reference: "R-1", amount: "189", reason: null });
  expect(await show()).toContain(`${closed}<p>We have paid back what you had paid for them.</p>`);
  const receivedAt = new Date();
  await act({ name: "returned", reference: "RMA-1", lines, receivedAt });
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(receivedAt);
  expect(await show()).toContain(
    `<h2 id="returned">What came back</h2><dl class="pairs"><div><dt>Received on</dt><dd>${day}</dd></div><div><dt>Contains</dt><dd>1 × Kestrel C2 cordless 2D scanner</dd></div></dl>`,
  );
});

test("the page leads to the order's invoices, which whoever may see it downloads, and nobody else", async () => {
  const { db, customer, open } = await startWithOrder();
  await placeOrder(db, boughtOrder());
  const [pdf, xml] = [pdfOf("Ada Novák"), xmlOf("Ada Novák")];
  const add = (of: string, number: string, kind: "invoice" | "credit_note", file: Buffer | null) =>
    actByCommand(
      ...[db, of],
      { name: "invoiced", number, kind, issued_on: "2026-10-19", total: "395.5", currency: "EUR", pdf, xml: file },
      async () => {},
    );
  await add("A-1001", '"RE"/../2026', "invoice", xml);
  await add("A-1001", "4712", "credit_note", null);
  await add("A-1002", "4713", "invoice", xml);
  const browser = customer();
  await browser.get(await open());
  const { body } = await browser.get("/account/orders/A-1001");
  const addresses = [...body.matchAll(/href="(\/account\/orders\/A-1001\/invoices\/[^"]+)"/g)].map(([, path]) => path);
  const [first = "", , second = ""] = addresses;
  expect(addresses).toEqual(["1.pdf", "1.xml", "2.pdf"].map((file) => `/account/orders/A-1001/invoices/${file}`));
  expect(body).toContain(
    '<dt>19 October 2026</dt><dd><a href="/account/orders/A-1001/invoices/1.pdf">Invoice &#34;RE&#34;/../2026 (PDF)</a><br>',
  );
  expect(body).toContain(">Credit note 4712 (PDF)</a><br>€395.50</dd>");
  const answer = await browser.get(first);
  expect([answer.statusCode, answer.rawPayload]).toEqual([200, pdf]);
  expect(answer.headers).toMatchObject({
    ...{ "content-type": "application/pdf", "cache-control": "no-store" },
    "content-disposition": 'attachment; filename="A-1001-RE-2026.pdf"',
  });
  const structured = await browser.get(first.replace("pdf", "xml"));
  expect([structured.rawPayload, structured.headers["content-type"]]).toEqual([xml, "application/xml"]);
  expect((await browser.get(second)).headers["content-disposition"]).toContain('"A-1001-4712.pdf"');

  const others = ["1.PDF", "01.pdf", "0.pdf", "3.pdf", "2.xml", "1", "1.pdf.xml", "x.pdf"].map((file) =>
    browser.get(`/account/orders/A-1001/invoices/${file}`),
  );
  others.push(browser.get("/account/orders/A-1002/invoices/1.pdf"), customer().get(first));
  for (const { statusCode, headers, body } of await Promise.all(others)) {
    expect([statusCode, headers["content-disposition"]]).toEqual([404, undefined]);
    expect(body).toContain('action="/account/find"');
  }
});

test("fault 4: however often the order's page is loaded again, nothing changes and nothing is sent", async () => {
  const { db, statements, customer, open } = await startWithOrder();
  const browser = customer();
  await browser.get(await open());
  const read = async () => [await db.selectFrom("orders").selectAll().execute(), await count(db, "mails")];
  const before = await read();
  statements.length = 0;
  const loads = await Promise.all(Array.from({ length: 20 }, () => browser.get("/account/orders/A-1001?opened=1")));
  expect(new Set(loads.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  expect(loads[0]?.statusCode).toBe(200);
  expect(new Set(statements)).toEqual(new Set(["SelectQueryNode"]));
  expect(await read()).toEqual(before);
});
