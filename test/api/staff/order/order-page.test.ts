import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { erasePerson } from "../../../../api/operation/erasure/erase-person.ts";
import { now } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { mintOrderKey } from "../../../../api/selling/mail/order-keys.ts";
import { ATTENTION_REASONS } from "../../../../api/selling/orders/attention.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordFulfillment } from "../../../../api/selling/orders/record-fulfillment.ts";
import { ACT_NAMES, type ActName } from "../../../../api/staff/order/act-forms.ts";
import { setRights } from "../../../../api/staff/sign-in/editors.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { token } from "../../api.ts";
import { pdfOf } from "../../partners/orders/documents.ts";
import { startShopApi } from "../../platform/private-pages/pages.ts";
import { transferShop } from "../../selling/mail/mail-shop.ts";
import { ann } from "../sign-in/editors-shop.ts";
import { fieldsOf, noticesOf, startStaffShop, twoLines } from "./staff-orders.ts";

const pushNothing = makeFollowUp({ pushWhen: "manual" });

test("the page has all that the shop knows of an order, in valid HTML, and an order of nothing too", async () => {
  const { app, db, browser, show, act } = await startStaffShop({
    order: twoLines({ note: "<b>Ring</b>\ntwice" }),
  });
  await db.updateTable("stock").set({ count: 7 }).where("sku", "=", "KES-CABLE").execute();
  await act("paid", { amount: "408,00 €", reference: "Überweisung 44" });
  await act("sent", {
    "pieces:1001": "1",
    "pieces:1002": "",
    carrier: "DHL",
    number: "0034",
    link: "https://dhl.example/0034",
  });
  await act("note", { note: "Wants blue.\nCalled twice." });
  await act("returned", { "pieces:1001": "1" });
  await act("refunded", { amount: "50", reference: "B-1", reason: "Scratched" });
  const authorization = `Bearer ${token}`;
  const pdf = pdfOf("invoice").toString("base64");
  const invoice = { number: "2026-1", kind: "invoice", issued_on: "2026-11-20", total: "408.00", currency: "EUR", pdf };
  await app.inject({
    ...{ method: "POST", url: "/api/orders/1/invoices" },
    headers: { authorization },
    payload: invoice,
  });
  const page = await show();
  for (const shown of [
    ...[
      "<title>Order A-1001 | Run the shop</title>",
      "Kestrel C2 cordless 2D scanner",
      "KES-CABLE",
      "€408.00",
      "Überweisung 44",
    ],
    ...[
      "Bank transfer, Überweisung 44",
      '<span class="muted">B-1, ',
      'href="/admin/orders?list=send"',
      "DHL",
      'href="https://dhl.example/0034"',
      "Wants blue.\nCalled twice.",
      "Ann Archer",
      "Scratched",
      "2026-1",
    ],
    ...["Dlouhá 12", "Krátká 1", "PO-7741", "ada@example.com", "&lt;b&gt;Ring&lt;/b&gt;", "1 piece came back"],
    ...["Payment recorded", "Parcel recorded", "Note added", "Return recorded", "Refund recorded", "A partner (token"],
    "20 November 2026",
  ])
    expect(page).toContain(shown);
  expect(await findHtmlFaults(page, "order")).toEqual([]);
  const file = await browser.get("/admin/orders/A-1001/invoices/1.pdf");
  expect([file.statusCode, file.headers["content-type"]]).toEqual([200, "application/pdf"]);
  expect(file.headers["content-disposition"]).toContain('filename="A-1001-2026-1.pdf"');
});

/** What an order must have been through before a form makes sense. */
const BEFORE: Partial<Record<ActName, (db: Db, id: number) => Promise<unknown>>> = {
  ...{ sent: payWhole, refunded: payWhole, returned: sendOne, close: sendOne },
  release: (db, id) => changeOrder(db, id, { status: "on_hold" }),
  done: (db, id) => changeOrder(db, id, { matters: [{ reason: "sent_on_hold" }] }),
};

async function payWhole(db: Db, id: number) {
  const payment = { method: "bank_transfer", reference: "T", amount: "408.00", status: "paid" } as const;
  await changeOrder(db, id, { payments: [payment] });
}

async function sendOne(db: Db, id: number) {
  await payWhole(db, id);
  const parcel = { reference: "P", carrier: null, tracking_number: null, tracking_url: null };
  await recordFulfillment(db, id, { ...parcel, lines: [{ line_id: id * 1_000 + 1, quantity: 1 }] }, pushNothing);
}

test("who packs reads the customer's note, and who types amounts finds them as their language writes them", async () => {
  const order = { ...twoLines(), note: "Ring <twice>" };
  const { open, pay } = await startStaffShop({ facts: { ...transferShop(), locale: "de-AT" }, order });
  expect((await open("paid")).fields).toMatchObject({ amount: "408,00", seen_due: "408.00" });
  await pay();
  const { body } = (await open("sent")).page;
  for (const shown of ["Ring &lt;twice&gt;", 'href="/admin/orders/A-1001/packing-slip"']) expect(body).toContain(shown);
});

test("a parcel's form begins with whoever carried the last one, and with the address's own where it names one", async () => {
  const { db, open, act, pay } = await startStaffShop();
  await pay();
  expect((await open("sent")).fields).toMatchObject({ carrier: "" });
  await act("sent", { carrier: "Zásilkovna" });
  const { id } = await placeOrder(db, twoLines());
  await payWhole(db, id);
  expect((await open("sent", `A-${1_000 + id}`)).fields).toMatchObject({ carrier: "Zásilkovna" });
  expect((await open("sent?carrier=DHL", `A-${1_000 + id}`)).fields).toMatchObject({ carrier: "DHL" });
});

test.each(["en-IE", "de-AT"])("each form is valid HTML and says what will happen: %s", async (locale) => {
  const { browser, db } = await startStaffShop({ facts: { ...transferShop(), locale } });
  for (const name of ACT_NAMES) {
    const { id } = await placeOrder(db, twoLines());
    await BEFORE[name]?.(db, id);
    const { statusCode, body } = await browser.get(`/admin/orders/A-${1_000 + id}/${name}`);
    expect([name, statusCode]).toEqual([name, 200]);
    expect([name, await findHtmlFaults(body, name)]).toEqual([name, []]);
    // Without a webhook and cards, two aren't offered.
    const isOffered = name !== "card-refund" && name !== "push";
    expect([name, body.includes("<li>"), body.includes('name="key"')]).toEqual([name, isOffered, isOffered]);
  }
});

test("every reason that needs a person says what to do and what closes it, and can be marked as dealt with alone", async () => {
  const { db, act, show, browser } = await startStaffShop();
  const all = Object.keys(ATTENTION_REASONS) as (keyof typeof ATTENTION_REASONS)[];
  const reasons = all.filter((reason) => reason !== "paid_twice"); // surplus_kept takes its place
  const money = { amount: 50_000n, currency: "EUR" };
  await changeOrder(db, 1, { matters: reasons.map((reason) => ({ reason, money })) });
  const page = await show();
  const paths = [...page.matchAll(/\/admin\/orders\/A-1001\/done\?matter=(\d+)/g)].map(([, id = ""]) => id);
  expect(paths).toHaveLength(reasons.length);
  expect(page.match(/It’s settled once/g)).toHaveLength(reasons.length);
  expect(await findHtmlFaults(page, "order")).toEqual([]);
  const chosen = await browser.get(`/admin/orders/A-1001/done?matter=${paths[2]}`);
  expect(fieldsOf(chosen.body)["matter"]).toBe(paths[2]);
  await act("done", { matter: paths[2] ?? "" });
  const left = await db.selectFrom("attention").select("id").where("done_at", "is", null).execute();
  expect(left).toHaveLength(reasons.length - 1);
  expect((await db.selectFrom("attention").select("done_by").where("id", "=", Number(paths[2])).execute())[0]).toEqual({
    done_by: "Ann Archer",
  });
});

test("an order goes its whole way by forms, each with a row that says who did it", async () => {
  const { act, read, history, mails } = await startStaffShop();
  const steps: [string, Record<string, string>][] = [
    ["hold", {}],
    ["release", {}],
    ["paid", { amount: "408.00", reference: "T-1" }],
    ["sent", { "pieces:1001": "1", "pieces:1002": "0" }],
    ["close", { reason: "Sold out" }],
    ["returned", { "pieces:1001": "1" }],
    ["refunded", { amount: "201.50", reference: "B-1" }],
  ];
  for (const [name, given] of steps) {
    const { statusCode, headers } = await act(name, given);
    expect([name, statusCode, headers.location]).toEqual([name, 303, `/admin/orders/A-1001?done=${name}`]);
  }
  expect(await read()).toMatchObject({ status: "completed", fulfillment_status: "returned", payment_status: "paid" });
  expect((await history()).map(({ act, done_by, became }) => [act, done_by, became])).toEqual([
    ["hold", "Ann Archer", "on_hold"],
    ["release", "Ann Archer", "processing"],
    ["paid", "Ann Archer", "processing"],
    ["sent", "Ann Archer", "processing"],
    ["close", "Ann Archer", "completed"],
    ["returned", "Ann Archer", "completed"],
    ["refunded", "Ann Archer", "completed"],
  ]);
  expect(await mails()).toEqual(expect.arrayContaining(["payment_received", "sent", "closed"]));
});

test("what was sent on credit isn't still to be sent: the page says it as the list does", async () => {
  const { act, show, open } = await startStaffShop();
  const howItStands = async () => /<p><strong>([^<]*)<\/strong>/.exec(await show())?.[1];
  await act("accept");
  expect(await howItStands()).toBe("To be sent");
  await act("sent", { "pieces:1002": "0" });
  expect(await howItStands()).toBe("To be sent");
  await act("sent");
  expect(await howItStands()).toBe("Sent, not paid yet");
  expect((await open("paid")).page.body).toContain("<p>Sent, not paid yet<br>");
  await act("paid", { reference: "T-1" });
  expect(await howItStands()).toBe("Completed");
});

test("what is mostly done next stands before what hardly is", async () => {
  const { act, show, pay } = await startStaffShop();
  const acts = async () =>
    [...(await show()).matchAll(/secondary" href="\/admin\/orders\/A-1001\/([\w-]+)"/g)].map(([, to]) => to);
  expect((await acts())[0]).toBe("paid");
  await pay();
  expect((await acts())[0]).toBe("sent");
  expect((await acts()).at(-1)).toBe("paid");
  await act("hold");
  expect((await acts())[0]).toBe("release");
  expect((await acts()).slice(-2)).toEqual(["paid", "sent"]);
  await act("release");
  await act("sent", { "pieces:1001": "2" });
  expect((await acts()).slice(-2)).toEqual(["paid", "hold"]);
});

test("what came back is offered as the refund, and an order whose rest won't come isn't called sent", async () => {
  const { act, open, show, pay } = await startStaffShop();
  await pay();
  await act("sent", { "pieces:1001": "2", "pieces:1002": "0" });
  await act("close", { reason: "Sold out" });
  expect(await show()).toContain("Sent in part; the rest won’t come");
  expect((await open("refunded")).fields).toMatchObject({ amount: "12.50" });
  await act("refunded", { reference: "B-1" });
  expect((await open("refunded")).fields).toMatchObject({ amount: "" });
  await act("returned", { "pieces:1001": "1" });
  expect((await open("refunded")).fields).toMatchObject({ amount: "189.00" });
});

test("a form that is sent twice does it once, and whoever sends it again is told", async () => {
  const { open, send, history, browser } = await startStaffShop();
  const { fields } = await open("note");
  const form = { ...fields, note: "Called." };
  const atOnce = await Promise.all([send("note", form), send("note", form)]);
  const later = await send("note", form);
  const answers = [...atOnce, later];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  expect(answers.filter(({ headers }) => headers.location?.endsWith("done=note"))).toHaveLength(1);
  expect(await history()).toHaveLength(1);
  const { body } = await browser.get(String(later.headers.location));
  expect(noticesOf(body)).toContain("This was done already, so nothing was done again.");
});

test("of two at once, the second is told what the first did, and nothing is done twice", async () => {
  const { open, send, signIn, history, read } = await startStaffShop();
  const bob = await signIn("Bob {{ Bold }}", "bob@shop.example");
  const [mine, his] = [await open("paid"), await open("paid", "A-1001", bob)];
  await send("paid", { ...mine.fields, amount: "400", reference: "T-1" });
  const second = await send("paid", { ...his.fields, amount: "400", reference: "T-2" }, "A-1001", bob);
  expect(second.statusCode).toBe(409);
  expect(noticesOf(second.body).join()).toContain("The order has changed since you opened this form.");
  expect(second.body).toMatch(/Payment recorded: €400\.00[\s\S]*Ann Archer/);
  expect(fieldsOf(second.body)).toMatchObject({ amount: "400", reference: "T-2", seen_due: "8.00" });
  expect(await history()).toHaveLength(1);
  // Seen as it is now, it can be sent again.
  const again = await send("paid", { ...fieldsOf(second.body), amount: "8" }, "A-1001", bob);
  expect(again.statusCode).toBe(303);
  expect((await history()).map(({ done_by }) => done_by)).toEqual(["Ann Archer", "Bob {{ Bold }}"]);
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid" });
});

test("of two who send the same pieces, the second isn't asked for pieces that nothing is left of", async () => {
  const { open, send, history, pay } = await startStaffShop();
  await pay();
  const [mine, hers] = [await open("sent"), await open("sent")];
  expect((await send("sent", mine.fields)).statusCode).toBe(303);
  const second = await send("sent", hers.fields);
  expect(second.statusCode).toBe(409);
  expect(noticesOf(second.body).join()).toContain("Nothing was done.");
  expect(second.body).toContain("Parcel recorded, 3 pieces");
  expect(second.body).toContain("This can’t be done as the order stands.");
  expect(second.body).not.toContain("enter how many pieces");
  expect(second.body).not.toContain("send the form again");
  expect(await history()).toHaveLength(1);
});

test("an acknowledgement by the ERP is no reason to refuse, and a change of what a form depends on is", async () => {
  const { show, app, act, open, send, pay } = await startStaffShop();
  await pay();
  const { fields } = await open("sent");
  const headers = { authorization: `Bearer ${token}` };
  await app.inject({ ...{ method: "PATCH", url: "/api/orders/1", headers }, payload: { external_id: "SO-1" } });
  expect((await act("correct", { "shipping_address.address1": "Nová 5" })).statusCode).toBe(303);
  const stale = await send("sent", fields);
  expect([stale.statusCode, stale.body.includes("Nová 5")]).toEqual([409, true]);
  const { fields: hold } = await open("hold");
  await app.inject({ ...{ method: "PATCH", url: "/api/orders/1", headers }, payload: { external_id: "SO-2" } });
  expect((await send("hold", hold)).statusCode).toBe(303);
  expect(await show()).toContain("It’s on hold: somebody has to look into it");
});

test("what can't be read is marked at its field, keeps what was typed, and nothing is done", async () => {
  const { act, history } = await startStaffShop();
  const cases: [string, Record<string, string>, string][] = [
    [
      "paid",
      { amount: "much", reference: "T" },
      "Amount: enter an amount above 0 in the order’s currency, such as 50.00",
    ],
    ["paid", { amount: "1.089", reference: "T" }, "Amount: enter the amount with its decimals, such as 1089.00"],
    ["paid", { amount: "5", reference: "" }, "The bank’s reference: enter it"],
    ["paid", { amount: "5", reference: "x".repeat(256) }, "The bank’s reference: use one line of at most 255"],
    ["paid", { amount: "5", reference: "T", on: "2026-02-31" }, "Came on: enter a day"],
    ["cancel", { reason: "x".repeat(501) }, "Reason: use one line of at most 500 characters"],
    ["note", { note: " \u200b " }, "Note: enter it"],
    ["correct", { "buyer.email": "nobody" }, "E-mail address: enter an e-mail address"],
    ["correct", { "shipping_address.city": "" }, "Town or city: enter it"],
    ["mail", { mail: "another" }, "Which e-mail?: choose one"],
  ];
  for (const [name, given, told] of cases) {
    const { statusCode, body } = await act(name, given);
    expect([name, statusCode]).toEqual([name, 422]);
    expect(noticesOf(body).join()).toContain(told);
    expect(fieldsOf(body)).toMatchObject(
      // What has no character that is seen, and what wasn't there to be chosen, isn't kept.
      Object.fromEntries(Object.entries(given).filter(([, text]) => !/\u200b|another/.test(text))),
    );
    expect(body).toMatch(/<title>Error: /);
    expect(await findHtmlFaults(body, name)).toEqual([]);
  }
  expect(await history()).toEqual([]);
});

test("what is wrong with addresses is listed in the order of the fields, each with its address", async () => {
  const { act } = await startStaffShop();
  const given = { "buyer.email": "nobody", "billing_address.city": "", "shipping_address.city": "" };
  const [notice = ""] = noticesOf((await act("correct", given)).body);
  expect(notice).toMatch(
    /E-mail address: enter.*Delivery address, Town or city: enter.*Billing address, Town or city: enter/s,
  );
});

test("a day that is in the future, or pieces that aren't left, are refused in words", async () => {
  const { act, pay, open, send, history } = await startStaffShop();
  const future = await act("paid", { amount: "5", reference: "T", on: "2999-01-01" });
  expect([future.statusCode, noticesOf(future.body)[0]]).toEqual([
    409,
    "Nothing was done. The day is in the future, or before the order.",
  ]);
  await pay();
  const { fields } = await open("sent");
  for (const pieces of ["3", "-1", "1.5", "x"]) {
    const { statusCode, body } = await send("sent", { ...fields, "pieces:1001": pieces });
    expect([statusCode, noticesOf(body).join()]).toEqual([422, expect.stringContaining("enter whole numbers")]);
  }
  const none = await send("sent", { ...fields, "pieces:1001": "0", "pieces:1002": "" });
  expect(noticesOf(none.body).join()).toContain("enter how many pieces of at least one item");
  expect(await history()).toEqual([]);
});

test("without the right to orders every address answers 403 and nothing is done, from the next request on", async () => {
  const { browser, db, open, send, history } = await startStaffShop();
  const { fields } = await open("cancel");
  await setRights(db, ann.email, new Set(["content", "shop"] as const));
  const below = [...ACT_NAMES, "packing-slip", "pro-forma", "invoices/1.pdf"];
  for (const path of ["", ...below.map((each) => `/${each}`)]) {
    const { statusCode, body } = await browser.get(`/admin/orders/A-1001${path}`);
    expect([path, statusCode]).toEqual([path, 403]);
    expect(body).not.toMatch(/Novák|Dlouhá|408\.00/);
  }
  for (const name of ACT_NAMES) expect((await send(name, fields)).statusCode).toBe(403);
  expect(await history()).toEqual([]);
});

test("an unknown order, act or document is a page that says so", async () => {
  const { browser, send, open } = await startStaffShop();
  for (const path of [
    "A-9999",
    "A-9999/cancel",
    "A-1001/explode",
    "A-1001/invoices/1.pdf",
    "A-1001/invoices/x",
    "A-1001/a/b/c",
  ])
    expect((await browser.get(`/admin/orders/${path}`)).statusCode).toBe(404);
  const { fields } = await open("cancel");
  expect((await send("explode", fields)).statusCode).toBe(404);
  expect((await send("cancel", fields, "A-9999")).statusCode).toBe(404);
});

test("a hundred forged forms do nothing", async () => {
  const { app, browser, open, history, read } = await startStaffShop();
  const before = await read();
  const { fields } = await open("cancel");
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const own = { "x-forwarded-host": "shop.example", "x-forwarded-proto": "https", cookie };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const post = (headers: Record<string, string>, payload: Record<string, string>) =>
    app.inject({
      ...{ method: "POST", url: "/admin/orders/A-1001/cancel", headers: { ...own, ...form, ...headers } },
      payload: new URLSearchParams(payload).toString(),
    });
  const same = { "sec-fetch-site": "same-origin" };
  const { key: _key, ...withoutKey } = fields;
  const forged: [Record<string, string>, Record<string, string>][] = [
    ...["cross-site", "same-site", "none"].map((site): (typeof forged)[number] => [{ "sec-fetch-site": site }, fields]),
    ...["https://evil.example", "null", "https://shop.example.evil.example"].map((origin): (typeof forged)[number] => [
      { origin },
      fields,
    ]),
    [{}, fields],
    [{ ...same, cookie: "" }, fields],
    [{ ...same, cookie: "__Host-admin=x" }, fields],
    [same, {}],
    [same, withoutKey],
    [same, { ...fields, key: "1" }],
    [same, { ...fields, seen_status: "" }],
    [same, { ...fields, seen_status: "on_hold" }],
    [same, { ...fields, seen_money: "x" }],
    [same, { ...fields, seen_pieces: "constructor" }],
    [{ ...same, "content-type": "application/json" }, fields],
    [{ ...same, "content-type": "text/plain" }, fields],
    [same, { ...fields, reason: "x".repeat(70_000) }],
    [same, { ...fields, reason: "a\nb".repeat(300) }],
  ];
  for (let round = 0; round < 5; round += 1)
    for (const [headers, payload] of forged)
      expect(
        (await post(headers, { ...payload, ...(round > 0 && payload["key"] && { extra: randomUUID() }) })).statusCode,
      ).toBeGreaterThanOrEqual(400);
  expect([await read(), await history()]).toEqual([before, []]);
});

test("names, notes and reasons of whatever kind are text on the page", async () => {
  const hostile = `"><script>alert(1)</script>{{ 'x' | t }}{% raw %}\u202e`;
  const { act, show, signIn } = await startStaffShop({
    order: twoLines({ note: hostile.replace("\u202e", ""), buyer_reference: "<img src=x>" }),
  });
  const eve = await signIn("command", "eve@shop.example");
  await act("note", { note: hostile }, "A-1001", eve);
  await act("cancel", { reason: `<i>&amp;{{ number }}` });
  const page = await show();
  expect(page).not.toMatch(/<script>alert|<img src=x|<i>/);
  expect(page).toContain("&lt;i&gt;&amp;amp;{{ number }}");
  expect(page).not.toContain("\u202e");
  // Nobody passes for the command by their name.
  expect(page).toContain("“command”");
  expect(await findHtmlFaults(page, "order")).toEqual([]);
});

test("an address is corrected before anything is sent: pages, mails and partners have it, and links to the old mailbox end", async () => {
  const { act, read, db, app } = await startStaffShop();
  const key = await mintOrderKey(db, 1);
  const before = await read();
  const given = {
    "buyer.email": "Eva@Example.com",
    "shipping_address.address1": "Nová 5",
    "shipping_address.postal_code": "110 01",
  };
  expect((await act("correct", given)).headers.location).toBe("/admin/orders/A-1001?done=correct");
  const after = await read();
  expect(after).toEqual({
    ...before,
    ...{ version: 2, sequence: before.sequence + 1, updated_at: after.updated_at },
    buyer: { ...before.buyer, email: "Eva@example.com" },
    shipping_address: { ...before.shipping_address, address1: "Nová 5", postal_code: "110 01" },
  });
  const page = await app.inject({
    method: "GET",
    url: "/api/orders?since_id=0",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(page.json().orders[0]).toEqual(after);
  expect((await db.selectFrom("orders").select("email_key").executeTakeFirst())?.email_key).toBe("eva@example.com");
  expect(await db.selectFrom("order_keys").selectAll().execute()).toEqual([]);
  expect((await app.inject({ method: "GET", url: `/account/open?key=${key}` })).statusCode).toBe(404);
  // The same again changes nothing.
  expect((await act("correct")).headers.location).toBe("/admin/orders/A-1001?done=again");
  expect((await read()).version).toBe(2);
});

test("countries stay, postcodes that decide tax or delivery too, and nothing is corrected once goods were sent", async () => {
  const address = {
    ...{ first_name: "Ada", last_name: "Novák", company: null, phone: null, address1: "High Street 1" },
    ...{ address2: null, city: "Leeds", postal_code: "LS1 9CK", region: null, country_code: "GB" },
  };
  const { act, open, send, read, pay } = await startStaffShop({
    order: twoLines({ shipping_address: address, billing_address: address }),
  });
  const irish = await act("correct", { "shipping_address.postal_code": "BT1 1AA" });
  expect([irish.statusCode, noticesOf(irish.body)[0]]).toEqual([
    409,
    expect.stringContaining("another tax or delivery would apply"),
  ]);
  await act("correct", { "shipping_address.country_code": "FR", "shipping_address.city": "York" });
  expect((await read()).shipping_address).toEqual({ ...address, city: "York" });
  await pay();
  const { fields } = await open("correct");
  await act("sent");
  const { statusCode, body } = await send("correct", { ...fields, "shipping_address.city": "Hull" });
  expect([statusCode, noticesOf(body)[0]]).toEqual([409, "Nothing was done. Goods have been sent already."]);
  expect((await read()).shipping_address.city).toBe("York");
});

test("a mail is sent again with another Message-ID, and one that doesn't fit isn't offered", async () => {
  const { act, open, db, send } = await startStaffShop();
  await placeOrder(db, twoLines(), undefined, pushNothing);
  const old = new Date("2026-11-20T10:00:00Z");
  await db.updateTable("mails").set({ state: "sent", created_at: old, attempts: 1 }).execute();
  const { page, fields } = await open("mail", "A-1002");
  expect(page.body).toContain('value="order_received-0"');
  expect(page.body).toContain('value="order_link-0"');
  expect(page.body).not.toContain("cancelled-0");
  expect(page.body).toContain("E-mails to the customer go to ada@example.com.");
  await send("mail", { ...fields, mail: "order_received-0" }, "A-1002");
  const [again] = await db
    .selectFrom("mails")
    .select(["state", "attempts", "created_at"])
    .where("kind", "=", "order_received")
    .execute();
  expect(again).toMatchObject({ state: "pending", attempts: 0 });
  expect(again?.created_at).not.toContain("2026-11-20 10:00");
  expect((await send("mail", { ...fields, mail: "cancelled-0", key: randomUUID() }, "A-1002")).statusCode).toBe(422);
  await act("cancel", {}, "A-1002");
  expect((await open("mail", "A-1002")).page.body).not.toContain('value="order_received-0"');
  await act("mail", { mail: "order_link-0" }, "A-1002");
  expect(await db.selectFrom("mails").select("kind").where("kind", "=", "order_link").execute()).toHaveLength(1);
});

test("who sends an order, or reads it, learns that money is on its way back to a card", async () => {
  const { db, open, pay, show } = await startStaffShop();
  await pay();
  await db
    .insertInto("payment_attempts")
    .values({
      ...{ id: 1, order_id: 1, idempotency_key: "k", state: "paid", amount_minor: 40_800, currency: "EUR" },
      ...{ created_at: now(), expires_at: now() },
    })
    .execute();
  const going = "€408.00 is on its way back to the card";
  expect(await show()).not.toContain(going);
  const refund = { order_id: 1, attempt_id: 1, state: "sent", amount_minor: 40_800, refund_id: "re_1" } as const;
  await db
    .insertInto("card_refunds")
    .values({ ...refund, done_by: "Ann", created_at: now() })
    .execute();
  for (const page of [await show(), (await open("sent")).page.body]) expect(page).toContain(going);
  expect((await open("refunded")).page.body).not.toContain("objected to the payment");
  await changeOrder(db, 1, { matters: [{ reason: "disputed", money: { amount: 4_080_000n, currency: "EUR" } }] });
  expect((await open("refunded")).page.body).toContain("objected to the payment at the bank");
  expect(await findHtmlFaults(await show(), "order")).toEqual([]);
});

test("an order is pushed again, whatever became of the last push", async () => {
  const { act, db, show } = await startStaffShop({ send: async () => expect.fail("The worker sends.") });
  await act("push");
  await db.updateTable("deliveries").set({ state: "delivered", next_attempt_at: null }).execute();
  await act("push");
  const rows = await db.selectFrom("deliveries").select(["resend", "state"]).orderBy("id").execute();
  expect(rows).toEqual([
    { resend: 1, state: "delivered" },
    { resend: 2, state: "pending" },
  ]);
  expect(await show()).toContain("State 1 of the order");
  const { id } = await db.selectFrom("deliveries").select("id").where("resend", "=", 2).executeTakeFirstOrThrow();
  const attempt = { delivery_id: id, number: 1, started_at: now(), outcome: "status", http_status: 500 } as const;
  await db.insertInto("delivery_attempts").values(attempt).execute();
  expect(await show()).toContain("not taken yet, and is tried again");
});

test("a packing slip has no prices and what is left, or a parcel; a pro forma has both, in valid HTML", async () => {
  const { browser, act, pay, show } = await startStaffShop();
  await pay();
  await act("sent", { "pieces:1001": "1", "pieces:1002": "" });
  expect(await show()).toMatch(/packing-slip\?parcel=1">Packing slip for parcel S-\w+</);
  const [slip, parcel, bill] = await Promise.all(
    ["packing-slip", "packing-slip?parcel=1", "pro-forma"].map(
      async (path) => (await browser.get(`/admin/orders/A-1001/${path}`)).body,
    ),
  );
  expect(slip).toMatch(/<td>1<\/td><td>Kestrel[\s\S]*<td>1<\/td><td>Cable/);
  expect(parcel).not.toContain("Cable");
  for (const paper of [slip, parcel]) expect(paper).not.toContain("€");
  expect(bill).toContain("€408.00");
  for (const paper of [slip, parcel, bill]) expect(await findHtmlFaults(String(paper), "paper")).toEqual([]);
  expect((await browser.get("/admin/orders/A-1001/packing-slip?parcel=9")).statusCode).toBe(404);
  await act("close");
  const closed = (await browser.get("/admin/orders/A-1001/pro-forma")).body;
  for (const shown of [
    /1 piece won’t come/,
    /What won’t come<[^€]*−€/,
    /Paid<[^€]*>€408\.00/,
    /To be paid<[^€]*>€0\.00/,
  ])
    expect(closed).toMatch(shown);
  expect(await findHtmlFaults(closed, "paper")).toEqual([]);
});

test("notes go with the person, are in no mail and no answer to partners, and nothing more is noted then", async () => {
  const { act, db, read, show } = await startStaffShop();
  await act("note", { note: "Ada likes blue" });
  expect(JSON.stringify(await read())).not.toContain("likes blue");
  await act("cancel");
  await db.deleteFrom("mails").execute();
  await erasePerson(db, "ada@example.com", { invoicesKeptDays: 1, mailFolder: undefined, followUp: pushNothing });
  const page = await show();
  expect(page).not.toContain("likes blue");
  expect(page).toContain("The customer’s data was erased.");
  expect((await act("note", { note: "Ada" })).statusCode).toBeGreaterThanOrEqual(400);
  expect(await db.selectFrom("order_notes").selectAll().execute()).toEqual([]);
});

test("a customer's browser is none that works in the shop", async () => {
  const { customer } = await startShopApi({ editors: { origin: "https://shop.example", hasContent: false } });
  const { statusCode, headers } = await customer().get("/admin/orders/A-1001");
  expect([statusCode, headers.location]).toEqual([302, "/admin/sign-in?next=/admin/orders/A-1001"]);
});
