import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { CUSTOMER_MAILS } from "../../../../api/contract/mail-kinds.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { toRfc3339 } from "../../../../api/platform/database/columns.ts";
import { MAIL_SCHEDULE } from "../../../../api/platform/outbox/retry-schedule.ts";
import { claimMail, findDueMails, type MailClaim, queueMail, recordMail } from "../../../../api/selling/mail/queue.ts";
import { drawQrPicture } from "../../../../api/selling/order-view/qr-code.ts";
import { epcText } from "../../../../api/selling/order-view/transfer.ts";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { makeCancelUnpaid, notPaidWithin } from "../../../../api/selling/orders/cancel-unpaid.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import type { NewOrder } from "../../../../api/selling/orders/place-order.ts";
import { findOrder } from "../../../../api/selling/orders/queries.ts";
import { recordFulfillment } from "../../../../api/selling/orders/record-fulfillment.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "../../../../api/selling/orders/schema.ts";
import german from "../../../../site/words/de/private-pages.ts";
import english from "../../../../site/words/en/private-pages.ts";
import { eventually } from "../../../eventually.ts";
import { shops } from "../../../workspace.ts";
import { pdfOf } from "../../partners/orders/documents.ts";
import { actByCommand } from "../orders/act-by-command.ts";
import { newLine } from "../orders/new-order.ts";
import {
  address,
  addressesOf,
  boughtOrder,
  linkOf,
  openMailShop,
  passMailTime,
  startCuttingSmtp,
  startSmtp,
  transferShop,
} from "./mail-shop.ts";
import { removeMails } from "./rebuild.ts";

test("an order is confirmed by one mail with its amounts, addresses and how to pay, in text and in HTML", async () => {
  const smtp = await startSmtp();
  const { db, place, startMailing, readMails } = await openMailShop();
  const id = await place(boughtOrder(), "order_received");
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(1));
  const [{ mail, from, to } = { mail: undefined, from: "", to: [] }] = smtp.received;
  expect([from, to]).toEqual(["sales@shop.example", ["ada@example.com"]]);
  expect(addressesOf(mail?.from)).toEqual([{ name: "Counterwell", address: "sales@shop.example" }]);
  expect(addressesOf(mail?.to)).toEqual([{ name: "", address: "ada@example.com" }]);
  expect(mail?.subject).toBe("We have received your order A-1001");
  expect(mail?.messageId).toMatch(/^<order-1-order_received-\d+@shop\.example>$/);
  const order = await findOrder(db, id);
  const html = mail?.html || "";
  for (const shown of [
    ...["Hello,", "20 November 2026", "Kestrel C2 cordless 2D scanner", "2 × €189.00", "€378.00"],
    ...["€17.50", "€395.50", "€65.60", "Net", "€329.90", "NL91 ABNA 0417 1643 00", "4 December 2026"],
    ...["Novák Retail s.r.o.", "Dlouhá 12", "110 00 Praha 1", "Krátká 1", "Czechia", "A-1001"],
    ...["Counterwell Ltd", "14 Halfmoon Yard", "Leeds LS1 9CK", "United Kingdom", "VAT number: NL123456789B01"],
  ]) {
    expect(mail?.text).toContain(shown);
    expect(html).toContain(shown);
  }
  expect([order?.totals.total, order?.totals.tax]).toEqual(["395.50", "65.60"]);
  // The reader puts the attached picture in the place of its id.
  const code = epcText(
    { account_holder: "Counterwell Ltd", iban: "NL91ABNA0417164300", bic: "ABNANL2A" },
    "395.50",
    "A-1001",
  );
  const [picture, ...others] = mail?.attachments ?? [];
  expect([picture?.contentType, picture?.related, others]).toEqual(["image/gif", true, []]);
  expect(picture?.content).toEqual(drawQrPicture(code ?? ""));
  expect(html).toContain(
    `<img src="data:image/gif;base64,${picture?.content.toString("base64")}" alt="Code for banking`,
  );
  expect(html.match(/src=/g)).toHaveLength(1);
  expect(html).not.toMatch(/<script|<link|var\(|\{\{|\{%/);
  expect(mail?.text).not.toMatch(/\{\{|\{%|\n{3}/);
  await eventually(async () =>
    expect(await readMails()).toEqual([{ kind: "order_received", state: "sent", attempts: 1, fault: null }]),
  );
});

test("a mail is written from the order as it is when it's sent", async () => {
  const smtp = await startSmtp();
  const { db, place, startMailing } = await openMailShop();
  const id = await place(boughtOrder(), "order_received");
  const payment = { method: "transfer", reference: "T-1", amount: "395.50", status: "paid" as const };
  await changeOrder(db, id, { status: "processing", payments: [payment] });
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(1));
  expect(smtp.received[0]?.mail.text).toContain("We dispatch the goods as soon as they are in stock.");
  expect(smtp.received[0]?.mail.text).not.toContain("IBAN");
});

test("each mail to a customer has a key of its own, of which only the hash is stored; mails to the shop have none", async () => {
  const smtp = await startSmtp();
  const { db, place, startMailing } = await openMailShop();
  await place(boughtOrder(), "order_received", "payment_received", "shop_new_order");
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(3));
  const toCustomer = smtp.received.filter(({ to }) => to[0] === "ada@example.com");
  const keys = toCustomer.map(({ mail }) => linkOf(mail).split("key=")[1] ?? "");
  expect(new Set(keys).size).toBe(2);
  const stored = await db.selectFrom("order_keys").select("key_hash").execute();
  const hashes = keys.map((key) => createHash("sha256").update(key).digest("hex"));
  expect(stored.map(({ key_hash }) => key_hash).sort()).toEqual(hashes.sort());
  const [toShop] = smtp.received.filter(({ to }) => to[0] === "sales@shop.example");
  expect(toShop?.mail.text).not.toContain("key=");
  expect(toShop?.mail.text).toContain("PO-7741");
  expect(addressesOf(toShop?.mail.replyTo)).toEqual([{ name: "", address: "ada@example.com" }]);
});

test("the shop reads in the mail about a new order what VIES said of the VAT number", async () => {
  const smtp = await startSmtp();
  const { place, startMailing } = await openMailShop();
  const cases = [
    [{ result: "valid", trader_name: "NOVÁK\nS.R.O.", trader_address: "DLOUHÁ 1" }, "it for: NOVÁK S.R.O., DLOUHÁ 1"],
    [{ result: "valid", trader_name: null, trader_address: null }, "VIES confirmed it; whose it is isn’t known."],
    [{ result: "valid" }, "VIES confirmed it; whose it is isn’t known."], // from before names were kept
    [{ result: "invalid" }, "VIES doesn’t know it."],
    [{ result: "unavailable" }, "VIES couldn’t be asked about it."],
    [null, "It isn’t from the EU, so it wasn’t checked."],
  ] as const;
  const { buyer, ...order } = boughtOrder();
  for (const [said] of cases) {
    const vat_id = said ? "CZ12345678" : "CHE-123.456.789 MWST";
    const vat_check = said && { vat_id, checked_at: "2026-11-20T09:29:00.000Z", consultation_number: null, ...said };
    await place({ ...order, buyer: buyer ? { ...buyer, vat_id } : null, vat_check }, "shop_new_order");
  }
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(cases.length));
  const mails = smtp.received
    .map(({ mail }) => mail)
    .sort((a, b) => String(a.subject).localeCompare(String(b.subject)));
  for (const [index, [, shown]] of cases.entries())
    for (const face of [mails[index]?.text, mails[index]?.html]) expect(face).toContain(shown);
});

test("a kind is sent once for an order, however often it's queued and however many workers there are", async () => {
  const smtp = await startSmtp();
  const { db, place, startMailing, readMails } = await openMailShop();
  for (let count = 0; count < 10; count += 1) {
    const id = await place(boughtOrder(), "payment_received", "payment_received");
    await queueMail(db, id, "payment_received");
  }
  for (let count = 0; count < 3; count += 1) startMailing({ SMTP_URL: smtp.url });
  await eventually(async () => expect((await readMails()).filter(({ state }) => state === "sent")).toHaveLength(10));
  await queueMail(db, 1, "payment_received");
  await passMailTime(db);
  const ids = smtp.received.map(({ mail }) => mail.messageId);
  expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
});

test("a link that is asked for again is sent again, with another Message-ID", async () => {
  const smtp = await startSmtp();
  const { db, place, startMailing, readMails } = await openMailShop();
  const id = await place(boughtOrder(), "order_link");
  await queueMail(db, id, "order_link"); // still the same mail
  startMailing({ SMTP_URL: smtp.url });
  await eventually(async () => expect(await readMails()).toMatchObject([{ state: "sent" }]));
  expect(smtp.received).toHaveLength(1);
  await queueMail(db, id, "order_link");
  await eventually(() => expect(smtp.received).toHaveLength(2));
  const [first, second] = smtp.received;
  expect(first?.mail.messageId).toMatch(/^<order-1-order_link-\d+@shop\.example>$/);
  expect(second?.mail.messageId).not.toBe(first?.mail.messageId);
  expect(linkOf(second?.mail as never)).not.toBe(linkOf(first?.mail as never));
});

test("an order without a buyer gets no mail, and the shop still gets its own", async () => {
  const smtp = await startSmtp();
  const { place, startMailing, readMails } = await openMailShop();
  await place(boughtOrder({ buyer: null }), "order_received", "shop_needs_person");
  startMailing({ SMTP_URL: smtp.url });
  await eventually(async () =>
    expect(await readMails()).toEqual([
      { kind: "order_received", state: "failed", attempts: 1, fault: "the order has no buyer" },
      { kind: "shop_needs_person", state: "sent", attempts: 1, fault: null },
    ]),
  );
  expect(smtp.received.map(({ to }) => to)).toEqual([["sales@shop.example"]]);
});

test.each([
  [shops.demo, "en-GB", "The order is on hold until a person releases or cancels it. The order is paid in part."],
  [
    shops.second,
    "de-DE",
    "Die Bestellung ist angehalten, bis jemand sie freigibt oder storniert. Die Bestellung ist zum Teil bezahlt.",
  ],
])(
  "mails to the shop name the order's and the payment's status in the shop's language",
  async (content, locale, sentences) => {
    const smtp = await startSmtp();
    const { db, place, startMailing } = await openMailShop({ facts: transferShop({ locale }), content });
    const id = await place(boughtOrder(), "shop_new_order", "shop_needs_person");
    const payment = { method: "transfer", reference: "T-1", amount: "100", status: "paid" as const };
    await changeOrder(db, id, { status: "on_hold", payments: [payment] });
    startMailing({ SMTP_URL: smtp.url });
    await eventually(() => expect(smtp.received).toHaveLength(2));
    for (const { mail } of smtp.received) expect(mail.text?.replaceAll("\n", " ")).toContain(sentences);
  },
);

test.each([
  [shops.demo, "en-GB", "The customer’s order reference: PO-7741", "The customer’s note:"],
  [shops.second, "de-DE", "Bestellreferenz des Kunden: PO-7741", "Anmerkung des Kunden:"],
])(
  "mails to the shop call the customer's words the customer's, and keep their lines",
  async (content, locale, reference, note) => {
    const smtp = await startSmtp();
    const { place, startMailing } = await openMailShop({ facts: transferShop({ locale }), content });
    await place(boughtOrder({ note: "Ring twice.\r\n\n<b>Ask</b> for Eva." }), "shop_new_order", "shop_needs_person");
    startMailing({ SMTP_URL: smtp.url });
    await eventually(() => expect(smtp.received).toHaveLength(2));
    for (const { mail } of smtp.received) {
      expect(mail.text).toContain(`\n${reference}\n\n${note}\n> Ring twice.\n> \n> <b>Ask</b> for Eva.\n`);
      expect(mail.html).toContain(reference);
      expect(mail.html).toContain(
        `<p>${note}</p>\n<blockquote>Ring twice.<br>\n<br>\n&lt;b&gt;Ask&lt;/b&gt; for Eva.</blockquote>`,
      );
      // Where somebody records what they do about it.
      expect(mail.text).toContain("\nhttps://shop.example/admin/orders/A-1001\n");
      expect(mail.html).toContain('href="https://shop.example/admin/orders/A-1001"');
    }
  },
);

test("a mail writes an address as its country does", async () => {
  const smtp = await startSmtp();
  const { place, startMailing } = await openMailShop();
  const abroad = { city: "Belfast", postal_code: "BT1 5GS", region: "Antrim", country_code: "GB" };
  await place(boughtOrder({ shipping_address: { ...address, ...abroad } }), "order_received");
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(1));
  expect(smtp.received[0]?.mail.text).toContain("\nDlouhá 12\nBelfast Antrim BT1 5GS\nUnited Kingdom\n");
  expect(smtp.received[0]?.mail.html).toContain("Dlouhá 12<br>\nBelfast Antrim BT1 5GS<br>\nUnited Kingdom");
  expect(smtp.received[0]?.mail.text).toContain("\nKrátká 1\n110 00 Praha 1\nCzechia\n");
});

test.each([
  [
    shops.demo,
    "en-GB",
    "€4.50 more came than was due. Send it back and record that as refunded, or agree with the customer to keep it; if the order is on hold, release it then.",
    "This has been dealt with in the meantime.",
  ],
  [shops.second, "de-DE", "Es sind 4,50 € mehr eingegangen, als offen waren.", "Das ist inzwischen erledigt."],
])(
  "the mail that asks for a person says why, how much it is about, and what to do, until that is done",
  async (content, locale, sentence, done) => {
    const smtp = await startSmtp();
    const { db, place, startMailing } = await openMailShop({ facts: transferShop({ locale }), content });
    const id = await place(boughtOrder());
    const followUp = makeFollowUp({ pushWhen: "manual" });
    await recordPayment(db, id, { method: "bank_transfer", reference: "T-1", amount: "400" }, followUp);
    startMailing({ SMTP_URL: smtp.url });
    const mailsToShop = () => smtp.received.flatMap(({ to, mail }) => (to.join() === "sales@shop.example" ? mail : []));
    await eventually(() => expect(mailsToShop()).toHaveLength(1));
    const [mail] = mailsToShop();
    for (const text of [mail?.text, String(mail?.html)]) expect(text?.replaceAll(/\s+/g, " ")).toContain(sentence);
    await actByCommand(db, "A-1001", { name: "done" }, followUp);
    await queueMail(db, id, "shop_needs_person");
    await eventually(() => expect(mailsToShop()).toHaveLength(2));
    expect(mailsToShop()[1]?.text).toContain(done);
  },
);

test.each([
  [shops.demo, "en-GB", "Credit note RE-2 for your order A-1001", "You don’t have to pay for them.", english],
  [
    shops.second,
    "de-DE",
    "Rechnungskorrektur RE-2 zu Ihrer Bestellung A-1001",
    "Sie müssen sie nicht bezahlen.",
    german,
  ],
])(
  "the customer reads once of each document, with a link to the order alone, and once what of a closed order won't come",
  async (content, locale, subject, money, { order: words }) => {
    const smtp = await startSmtp();
    const { db, place, startMailing, readMails } = await openMailShop({ facts: transferShop({ locale }), content });
    await place(boughtOrder({ status: "processing" }));
    const act = (act: Act) => actByCommand(db, "A-1001", act, makeFollowUp({ pushWhen: "manual" }));
    const document = { name: "invoiced", issued_on: "2026-10-19", total: "1", currency: "EUR", xml: null } as const;
    for (const [number, kind] of [["RE-1", "invoice"] as const, ["RE-2", "credit_note"] as const])
      for (let times = 0; times < 2; times += 1) await act({ ...document, number, kind, pdf: pdfOf("invoice") });
    const parcel = { reference: "P-1", carrier: null, tracking_number: null, tracking_url: null };
    await act({ name: "sent", ...parcel, lines: [{ sku: "KES-C2-BK", quantity: 1 }] });
    for (let times = 0; times < 2; times += 1) await act({ name: "close", reason: "<Sold> out" });
    startMailing({ SMTP_URL: smtp.url });
    await eventually(async () =>
      expect((await readMails()).map(({ kind, state }) => `${kind} ${state}`)).toEqual(
        ["invoice", "invoice", "sent", "closed", "shop_needs_person"].map((kind) => `${kind} sent`),
      ),
    );
    const [, note] = [1, 2].map((about) =>
      smtp.received.find(({ mail }) => mail.messageId?.startsWith(`<order-1-invoice-${about}-`)),
    );
    expect(note?.mail.subject).toBe(subject);
    expect(note?.mail.text).toContain(subject.split(" ").slice(0, -4).join(" "));
    expect([note?.mail.attachments, note?.mail.text?.includes("invoices/")]).toEqual([[], false]);
    expect(linkOf(note?.mail as never)).toContain("key=");
    const closed = smtp.received.find(({ mail }) => mail.messageId?.startsWith("<order-1-closed-"));
    expect(closed?.mail.text).toContain(`  1 × Kestrel C2 cordless 2D scanner\n${money}\n`);
    expect(closed?.mail.text).toContain(": <Sold> out\n");
    expect(closed?.mail.html).toContain(`1 × Kestrel C2 cordless 2D scanner<br>\n${money}</p>`);
    expect(closed?.mail.html).toContain(": &lt;Sold&gt; out</p>");
    const needed = smtp.received.find(({ mail }) => mail.messageId?.startsWith("<order-1-shop_needs_person"))?.mail;
    expect(needed?.text).toMatch(new RegExp(words.attention.closed_unpaid.replace("{amount}", ".*206[.,]50.*")));
    const piece = words.closed_line.one.replace("{count}", "1");
    expect(needed?.text).toMatch(new RegExp(`\\(KES-C2-BK\\)\n.*\n  ${piece}\n`));
    expect(needed?.text).toMatch(new RegExp(`\n${words.closed_total}: −.*189[.,]00`));
    expect(needed?.html).toContain(`<br><small>${piece}</small></td>`);
    expect(needed?.html).toContain(`<td colspan="2">${words.closed_total}</td>`);
  },
);

test("every status of an order and of its payment has its sentence for the shop", () => {
  for (const words of [english, german]) {
    const statuses = Object.keys(words.order.status).filter((name) => !name.endsWith("_pickup"));
    expect(statuses.sort()).toEqual(ORDER_STATUSES.toSorted());
    expect(Object.keys(words.order.payment_status).sort()).toEqual(PAYMENT_STATUSES.toSorted());
  }
});

test("fault 30: names with markup, emoji, Arabic and line breaks change neither headers nor the mail's form", async () => {
  const smtp = await startSmtp();
  const facts = transferShop({ name: 'Łódź "Shop" <x>\r\nBcc: all@example.com' });
  const { place, startMailing } = await openMailShop({ facts });
  const first_name = '<b>Ada</b> 😀 {{ "x" }} {% raw %}';
  const last_name = "أحمد\r\nBcc: eve@example.com";
  const buyer = { email: "ada@example.com", first_name, last_name, company: null, phone: null, vat_id: null };
  const lines = [newLine({ name: "Kessel & <script>alert(1)</script>\u2028“Ø”" })];
  await place(boughtOrder({ buyer, lines, status: "processing" }), "order_received");
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(1));
  const [{ mail, to } = { mail: undefined, to: [] }] = smtp.received;
  expect(to).toEqual(["ada@example.com"]);
  expect(mail?.bcc).toBe(undefined);
  expect(mail?.headers.has("bcc")).toBe(false);
  expect(mail?.text).toContain('Hello <b>Ada</b> 😀 {{ "x" }} {% raw %} أحمد Bcc: eve@example.com,');
  expect(mail?.text).toContain("Kessel & <script>alert(1)</script> “Ø”");
  expect(mail?.html).toContain("&lt;b&gt;Ada&lt;/b&gt; 😀");
  expect(mail?.html).toContain("Kessel &amp; &lt;script&gt;");
  expect(mail?.html).not.toContain("<script");
});

const paid = { method: "bank_transfer", reference: "TX-1", amount: "395.50", status: "paid" } as const;
const nothingDue = { lines: [newLine({ name: "Kestrel C2 sample", unit_price: "0.00" })], shipping_lines: [] };

/** Orders, and whether their mails name the buyer. */
const ORDERS: readonly [Partial<NewOrder>, boolean][] = [
  [{}, false],
  [{ status: "on_hold" }, false],
  [{ ...nothingDue, status: "processing" }, false],
  [{ status: "processing" }, true],
  [{ payments: [paid] }, true],
];

test.each([
  [shops.demo, "en-GB", "Hello"],
  [shops.second, "de-DE", "Guten Tag"],
])(
  "nothing that was typed at the checkout leads a mail until the order is paid or accepted",
  async (content, locale, greeting) => {
    const smtp = await startSmtp();
    const { place, startMailing } = await openMailShop({ facts: transferShop({ locale }), content });
    const typed = "Your parcel is held: https://evil.example/";
    const typedAddress = { ...address, company: typed, first_name: typed, address1: typed };
    const buyer = { email: "ada@example.com", first_name: typed, last_name: "Ada", company: typed };
    const bought = boughtOrder({
      ...{ buyer: { ...buyer, phone: typed, vat_id: typed }, buyer_reference: typed, note: typed },
      ...{ shipping_address: typedAddress, billing_address: typedAddress },
    });
    const kinds = CUSTOMER_MAILS.filter((kind) => kind !== "verification_code" && kind !== "invoice");
    for (const [changes] of ORDERS) await place({ ...bought, ...changes }, ...kinds);
    startMailing({ SMTP_URL: smtp.url });
    await eventually(() => expect(smtp.received).toHaveLength(kinds.length * ORDERS.length));
    for (const { mail } of smtp.received) {
      expect(mail.subject).not.toContain("parcel");
      const [, isNamed] = ORDERS[Number(/A-(\d+)/.exec(mail.subject ?? "")?.[1]) - 1_001] ?? [];
      for (const text of [mail.text ?? "", `${mail.html}`]) {
        const [, name = "", after = ""] = new RegExp(`${greeting}(.*?),(.*)`, "s").exec(text) ?? [];
        expect(name).toBe(isNamed ? ` ${typed} Ada` : "");
        // A mail about goods has no table where nothing was sent.
        if (after.includes("Kestrel C2")) expect(after.split("Kestrel C2")[0]).not.toContain("parcel");
      }
    }
  },
);

test("another shop's mails are in its language and currency", async () => {
  const smtp = await startSmtp();
  const facts = transferShop({ name: "Asagiri", locale: "de-DE", currency: "JPY" });
  const { place, startMailing } = await openMailShop({ facts, content: shops.second });
  const lines = [newLine({ unit_price: "12000" })];
  await place(boughtOrder({ currency: "JPY", lines, shipping_lines: [] }), "order_received");
  startMailing({ SMTP_URL: smtp.url, MAIL_FROM: "Asagiri Kyoto <bestellung@asagiri.test>" });
  await eventually(() => expect(smtp.received).toHaveLength(1));
  const [{ mail, from } = { mail: undefined, from: "" }] = smtp.received;
  expect([from, mail?.subject]).toEqual(["bestellung@asagiri.test", "Ihre Bestellung A-1001 ist eingegangen"]);
  expect(mail?.text).toMatch(/Gesamtbetrag: 12\.000\s¥/);
  expect(mail?.text).toContain("Zu zahlen bis: 4. Dezember 2026");
});

test.each([
  [shops.demo, "en-GB", 14, "Reason: not paid within 14 days"],
  [shops.second, "de-DE", 1, "Grund: nicht innerhalb von 1 Tag bezahlt"],
])(
  "an order that wasn't paid in time is cancelled with the reason in the customer's language",
  async (content, locale, days, reason) => {
    const smtp = await startSmtp();
    const shop = transferShop({ locale });
    const transfer = shop.transfer && { ...shop.transfer, cancel_after_days: days };
    const { db, place, startMailing } = await openMailShop({ facts: { ...shop, transfer }, content });
    await place(boughtOrder({ placed_at: new Date(Date.now() - 15 * 86_400_000) }));
    await makeCancelUnpaid(db, makeFollowUp({ pushWhen: "manual" }), { warn: () => {} })(new AbortController().signal);
    startMailing({ SMTP_URL: smtp.url });
    await eventually(() => expect(smtp.received).toHaveLength(1));
    const { text, html } = smtp.received[0]?.mail ?? {};
    expect([text, html]).toEqual([expect.stringContaining(reason), expect.stringContaining(reason)]);
    expect(text).not.toContain("Not paid within");
  },
);

test.each([
  [shops.demo, "en-GB", "Reason: not paid within 1 hour"],
  [shops.second, "de-DE", "Grund: nicht innerhalb von 1 Stunde bezahlt"],
])(
  "an order whose pieces went back for want of payment says so in the customer's language",
  async (content, locale, reason) => {
    const smtp = await startSmtp();
    const { db, place, startMailing } = await openMailShop({ facts: transferShop({ locale }), content });
    const change = { status: "cancelled", cancel_reason: notPaidWithin(1, "hour") } as const;
    const id = await place(boughtOrder());
    await db.deleteFrom("mails").execute();
    await changeOrder(db, id, change, new Date(), makeFollowUp({ pushWhen: "manual" }));
    startMailing({ SMTP_URL: smtp.url });
    await eventually(() => expect(smtp.received).toHaveLength(1));
    const { text, html } = smtp.received[0]?.mail ?? {};
    expect([text, html]).toEqual([expect.stringContaining(reason), expect.stringContaining(reason)]);
  },
);

test.each([
  [shops.demo, "en-GB", ["Sent on: 20 November 2026", "Tracking number: 0034", "Track the delivery"]],
  [shops.second, "de-DE", ["Versandt am: 20. November 2026", "Sendungsnummer: 0034", "Sendung verfolgen"]],
])("what was sent before the mail left is in one mail, with how to follow it", async (content, locale, words) => {
  const smtp = await startSmtp();
  const { db, place, startMailing } = await openMailShop({ facts: transferShop({ locale }), content });
  const id = await place(boughtOrder({ status: "processing" }));
  const followUp = makeFollowUp({ pushWhen: "manual" });
  await db
    .updateTable("orders")
    .set({ created_at: new Date("2026-11-20T09:30:00Z") as never })
    .execute();
  const shippedAt = new Date("2026-11-20T15:00:00Z");
  const tracking = { carrier: "DHL", tracking_number: "0034", tracking_url: "https://dhl.example/?n=0034&x=1" };
  const lines = [{ line_id: 1001, quantity: 1 }];
  await recordFulfillment(db, id, { reference: "p-1", ...tracking, shippedAt, lines }, followUp);
  await recordFulfillment(db, id, { reference: "p-2", ...tracking, tracking_number: "0035", shippedAt }, followUp);
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(1));
  const { text = "", html, messageId } = smtp.received[0]?.mail ?? {};
  for (const shown of [...words, "DHL", "0035", "1 × Kestrel C2 cordless 2D scanner", "NL91 ABNA 0417 1643 00"]) {
    expect(text).toContain(shown);
    expect(html).toContain(shown);
  }
  expect(text).toContain(`${words[2]}: https://dhl.example/?n=0034&x=1\n`);
  expect(html).toContain(`<a href="https://dhl.example/?n=0034&amp;x=1">${words[2]}</a>`);
  expect(messageId).toMatch(/^<order-1-sent-\d+@shop\.example>$/);
});

test("fault 28: a server that is down, refuses for now or cuts the connection after DATA gets the mail later", async () => {
  const { db, place, startMailing, readMails } = await openMailShop();
  const busy = { refuse: true };
  const smtp = await startSmtp({
    onRcptTo(_address, _session, callback) {
      if (busy.refuse) callback(Object.assign(new Error("mailbox of ada@example.com is busy"), { responseCode: 450 }));
      else callback();
    },
  });
  await place(boughtOrder(), "order_received");
  const { worker } = startMailing({ SMTP_URL: "smtp://127.0.0.1:1" });
  await eventually(async () => expect(await readMails()).toMatchObject([{ state: "pending", fault: "ESOCKET" }]));
  await worker.stop();
  startMailing({ SMTP_URL: smtp.url });
  await passMailTime(db);
  await eventually(async () =>
    expect(await readMails()).toMatchObject([{ state: "pending", fault: "450 in answer to RCPT TO" }]),
  );
  busy.refuse = false;
  await passMailTime(db);
  await eventually(async () => expect(await readMails()).toMatchObject([{ state: "sent", attempts: 3, fault: null }]));
  expect(smtp.received).toHaveLength(1);
});

test("fault 28: a connection cut after DATA may bring the mail twice, with one Message-ID", async () => {
  const { db, place, startMailing, readMails } = await openMailShop();
  const smtp = await startCuttingSmtp(1);
  await place(boughtOrder(), "order_received");
  startMailing({ SMTP_URL: smtp.url });
  await eventually(async () => expect(await readMails()).toMatchObject([{ state: "pending", attempts: 1 }]));
  await eventually(async () => expect((await readMails())[0]?.fault).not.toBe(null));
  await passMailTime(db);
  await eventually(async () => expect(await readMails()).toMatchObject([{ state: "sent", attempts: 2 }]));
  const [first, second] = smtp.mails.map(({ messageId }) => messageId);
  expect(first).toMatch(/^<order-1-order_received-\d+@shop\.example>$/);
  expect(second).toBe(first);
});

test("fault 28: only an answer that waiting doesn't change is final; all others are tried again, and the log says so", async () => {
  const refuse = (answer: string) => {
    const [code, ...words] = answer.split(" ");
    return Object.assign(new Error(`${words.join(" ")} No such user ada@example.com`), { responseCode: Number(code) });
  };
  const behaviours = {
    "AUTH PLAIN": (answer) => ({ onAuth: (_a, _s, done) => done(refuse(answer)) }),
    "MAIL FROM": (answer) => ({ onMailFrom: (_a, _s, done) => done(refuse(answer)) }),
    "RCPT TO": (answer) => ({ onRcptTo: (_a, _s, done) => done(refuse(answer)) }),
    DATA: (answer) => ({ onData: (stream, _s, done) => stream.resume().on("end", () => done(refuse(answer))) }),
  } satisfies Record<string, (answer: string) => Parameters<typeof startSmtp>[0]>;
  const answers: Record<keyof typeof behaviours, { failed: string[]; pending: string[] }> = {
    "AUTH PLAIN": { failed: [], pending: ["535 5.7.8", "535"] },
    "MAIL FROM": { failed: ["552 5.3.4", "552"], pending: ["550", "530 5.7.0", "553 5.1.8", "550 5.1.0", "552 5.2.2"] },
    "RCPT TO": {
      failed: ["550", "553", "501", "550 5.1.1", "553 5.1.3", "556 5.1.10", "550 5.2.1", "553 5.6.7", "552 5.3.4"],
      pending: ["450", "550 5.7.1", "554 5.7.606", "530 5.7.0", "554", "552", "552 5.2.2", "550 5.1.8", "450 5.1.1"],
    },
    DATA: { failed: ["550 5.1.1", "552", "552 5.2.3"], pending: ["554", "550", "554 5.7.1", "552 5.2.2", "451 4.3.0"] },
  };
  const { place, startMailing, readMails, db } = await openMailShop();
  await place(boughtOrder());
  for (const [command, expected] of Object.entries(answers) as [keyof typeof behaviours, (typeof answers)["DATA"]][])
    for (const [state, replies] of Object.entries(expected))
      for (const answer of replies) {
        const smtp = await startSmtp({ ...behaviours[command](answer), hideENHANCEDSTATUSCODES: true });
        await db.deleteFrom("mails").execute();
        await queueMail(db, 1, "order_received");
        const login = command === "AUTH PLAIN" ? "//user:secret-password@" : "//";
        const { worker, log } = startMailing({ SMTP_URL: smtp.url.replace("//", login) });
        const fault = `${answer.slice(0, 3)} in answer to ${command}`;
        await eventually(async () =>
          expect([command, answer, ...(await readMails())]).toMatchObject([
            ...[command, answer],
            { state, fault, attempts: 1 },
          ]),
        );
        await worker.stop();
        const message = state === "failed" ? /won't be tried again/ : /will be tried again/;
        expect(log.warn.mock.calls).toEqual([[expect.objectContaining({ fault }), expect.stringMatching(message)]]);
        const logged = JSON.stringify([...log.info.mock.calls, ...log.warn.mock.calls, ...log.error.mock.calls]);
        expect(logged).not.toMatch(/ada@|Novák|key=|secret-password|No such user/);
      }
});

test("a domain that isn't ASCII is sent as IDNA has it, and a mailbox that isn't ASCII as it is", async () => {
  const extensions: unknown[] = [];
  const smtp = await startSmtp({
    onMailFrom(_address, { envelope }, callback) {
      extensions.push(envelope.smtpUtf8);
      callback();
    },
  });
  const facts = transferShop({ sales_email: "info@bücher.example" });
  const { place, startMailing } = await openMailShop({ facts });
  startMailing({ SMTP_URL: smtp.url });
  const buyer = { first_name: "Ada", last_name: "Novák", company: null, phone: null, vat_id: null };
  const mails = [
    // The server shows ASCII domains as they were typed; only a mailbox needs its extension.
    { email: "ada@čapek.example", header: "ada@xn--apek-fua.example", needsExtension: false },
    { email: "žofie@example.com", header: "žofie@example.com", needsExtension: true },
    // As an earlier release stored it.
    {
      email: "Ada@exa\u200bmple.ｃom\u200e",
      sent: "Ada@example.com",
      header: "Ada@example.com",
      needsExtension: false,
    },
  ];
  for (const [index, { email, sent = email, header, needsExtension }] of mails.entries()) {
    await place(boughtOrder({ buyer: { ...buyer, email } }), "order_received");
    await eventually(() => expect(smtp.received).toHaveLength(index + 1));
    const { from, to, mail } = smtp.received[index] ?? {};
    expect([from, to, extensions[index]]).toEqual(["info@bücher.example", [sent], needsExtension]);
    const lines = mail?.headerLines.map(({ line }) => Buffer.from(line, "latin1").toString());
    expect(lines).toContain(`To: ${header}`);
    expect(lines).toContain("From: Counterwell <info@xn--bcher-kva.example>");
  }
});

test("a repeated mail that is queued again during an attempt is sent once more, with another Message-ID", async () => {
  const smtp = await startSmtp();
  const { db, place, startMailing, readMails } = await openMailShop();
  const id = await place(boughtOrder(), "shop_needs_person");
  await db
    .updateTable("mails")
    .set({ created_at: new Date("2026-11-20T09:30:00Z") })
    .execute();
  const [due = 0] = await findDueMails(db, 1);
  const claim = await claimMail(db, due);
  await queueMail(db, id, "shop_needs_person");
  await recordMail(db, claim as MailClaim, { state: "delivered" }, null);
  expect(await readMails()).toMatchObject([{ state: "pending", attempts: 0 }]);
  startMailing({ SMTP_URL: smtp.url });
  await eventually(() => expect(smtp.received).toHaveLength(1));
  expect(smtp.received[0]?.mail.messageId).toMatch(/^<order-1-shop_needs_person-\d+@shop\.example>$/);
  expect(smtp.received[0]?.mail.messageId).not.toContain(`-${Date.parse(claim?.queuedAt ?? "")}@`);
});

test("a mail's lease excludes other workers until it expires; after that the first worker's result is ignored", async () => {
  const { db, place, readMails } = await openMailShop();
  await place(boughtOrder(), "order_received");
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimMail(db, 1)));
  const [first, ...others] = claims.filter((claim) => claim !== undefined);
  if (!first) throw new Error("Nothing was claimed.");
  expect([others, await findDueMails(db, 1)]).toEqual([[], []]);
  await passMailTime(db);
  const second = await claimMail(db, 1);
  if (!second) throw new Error("The lease did not expire.");
  await recordMail(db, first, { state: "failed" }, "too late");
  expect(await readMails()).toMatchObject([{ state: "pending", attempts: 2, fault: null }]);
  await recordMail(db, second, { state: "delivered" }, null);
  expect(await readMails()).toMatchObject([{ state: "sent", attempts: 2, fault: null }]);
});

test("after a lost attempt a mail waits for the lease and the delay of its own schedule", async () => {
  const { db, place } = await openMailShop();
  await place(boughtOrder(), "order_received");
  for (const [tries, delay] of MAIL_SCHEDULE.entries()) {
    if (tries === 0) continue;
    await passMailTime(db);
    const before = Date.now();
    expect(await claimMail(db, 1)).toMatchObject({ tries, isUsedUp: false });
    const { next_attempt_at: next } = await db.selectFrom("mails").select("next_attempt_at").executeTakeFirstOrThrow();
    const due = Date.parse(toRfc3339(next ?? ""));
    expect(due).toBeGreaterThanOrEqual(before + 25_000 + delay * 0.8 - 1);
    expect(due).toBeLessThanOrEqual(Date.now() + 25_000 + delay * 1.2 + 1);
  }
});

test("a mail whose tries are used up by lost attempts fails, and the log says so", async () => {
  const { db, place, startMailing, readMails } = await openMailShop();
  const id = await place(boughtOrder(), "order_received");
  await db.updateTable("mails").set({ attempts: MAIL_SCHEDULE.length }).where("order_id", "=", id).execute();
  const { log } = startMailing({ SMTP_URL: "smtp://127.0.0.1:1" });
  await eventually(async () =>
    expect(await readMails()).toMatchObject([{ state: "failed", attempts: MAIL_SCHEDULE.length }]),
  );
  await eventually(() =>
    expect(log.warn.mock.calls).toEqual([
      [
        { mail: 1, order: id, kind: "order_received", attempt: MAIL_SCHEDULE.length, outcome: "lost" },
        expect.stringContaining("won't be"),
      ],
    ]),
  );
});

test("after its last try a mail fails for good", async () => {
  const { db, place, startMailing, readMails } = await openMailShop();
  const id = await place(boughtOrder(), "order_received");
  await db
    .updateTable("mails")
    .set({ attempts: MAIL_SCHEDULE.length - 1 })
    .where("order_id", "=", id)
    .execute();
  const { log } = startMailing({ SMTP_URL: "smtp://127.0.0.1:1" });
  await eventually(async () =>
    expect(await readMails()).toMatchObject([{ state: "failed", attempts: MAIL_SCHEDULE.length }]),
  );
  expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ order: id }), expect.stringContaining("won't be"));
});

test("a worker that stops finishes its mail and takes no other", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const smtp = await startSmtp({
    onMailFrom(_address, _session, callback) {
      void promise.then(() => callback());
    },
  });
  const { place, startMailing, readMails } = await openMailShop();
  await place(boughtOrder(), "order_received");
  const { worker } = startMailing({ SMTP_URL: smtp.url });
  await eventually(async () => expect(await readMails()).toMatchObject([{ attempts: 1 }]));
  const stopped = worker.stop();
  await place(boughtOrder(), "order_received");
  resolve();
  await stopped;
  expect(await readMails()).toMatchObject([{ state: "sent" }, { state: "pending", attempts: 0 }]);
});

test("a mail that can't be written stays queued, and the log says why without its data", async () => {
  const { db, templates, place, startMailing, readMails } = await openMailShop();
  removeMails(templates);
  const smtp = await startSmtp();
  await place(boughtOrder(), "order_received");
  const { log } = startMailing({ SMTP_URL: smtp.url });
  await eventually(async () =>
    expect(await readMails()).toMatchObject([{ state: "pending", fault: "the mail could not be written" }]),
  );
  const [{ err } = { err: undefined }] = log.error.mock.calls[0] ?? [];
  expect(String(err)).toContain("The site was built without content/mails/order_received.md.");
  expect(await db.selectFrom("mails").select("sent_at").execute()).toEqual([{ sent_at: null }]);
});
