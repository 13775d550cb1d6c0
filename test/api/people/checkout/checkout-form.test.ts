import { expect, test } from "vitest";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { shippingTo, shopFacts } from "../../selling/quote/shop.ts";
import { arrivalDay, readMain } from "../basket/page-text.ts";
import { filledForm, placeFields } from "./filled-form.ts";
import { enterDetails, place, review, startCheckout } from "./start-checkout.ts";
import { startVies } from "./vies-server.ts";

const send = (entered: Parameters<typeof filledForm>[0]) => filledForm(entered) as Record<string, string>;

/** The value of a field on a page, as the customer would see it. */
const shownIn = (page: string, name: string) =>
  new RegExp(`<input id="${name}" name="${name}"[^>]* value="([^"]*)"`).exec(page)?.[1];

test.each([
  ["/cart/lines", "/cart"],
  ["/cart/quantities", "/cart"],
  ["/checkout/place", "/checkout/review"],
])("a reload of what the form sent to %s answered leads to %s", async (path, page) => {
  const { customer } = await startCheckout();
  const answer = await customer.get(path);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, page]);
});

test("without a basket the checkout says so, and its form leads back there", async () => {
  const { db, otherCustomer } = await startCheckout();
  const visitor = otherCustomer();
  const page = await visitor.get("/checkout");
  expect([page.statusCode, page.headers["set-cookie"]]).toEqual([200, undefined]);
  expect(readMain(page.payload)).toContain("Your basket is empty");
  expect(page.payload).toContain('href="/"');
  expect(page.payload).not.toContain("<form");
  expect((await visitor.post("/checkout", send({}))).headers.location).toBe("/checkout");
  expect((await visitor.get("/checkout/review")).headers.location).toBe("/checkout");
  expect(await db.selectFrom("checkouts").select("id").execute()).toEqual([]);
});

test("a shop that doesn't sell online says where to write", async () => {
  const { customer } = await startCheckout({ facts: { transfer: null } });
  const page = await customer.get("/checkout");
  expect(page.payload).toContain("mailto:sales@shop.example");
  expect(page.payload).not.toContain("<form");
});

test("countries are those of the shop's zones, by name", async () => {
  const { customer } = await startCheckout();
  const page = await customer.get("/checkout");
  const [, select = ""] = /<select id="country_code"[^>]*>([\s\S]*?)<\/select>/.exec(page.payload) ?? [];
  expect(readMain(`<main>${select}</main>`)).toBe(
    "Choose a country Finland Germany Hungary Luxembourg Netherlands Switzerland United Kingdom",
  );
});

test("the summary lists errors in the order of the form's fields", async () => {
  const { customer } = await startCheckout();
  const tooLong = "x".repeat(3_000);
  const filled = { ...send({ billing_differs: "yes" }), email: "ada", vat_id: "DE12" };
  const entered = Object.fromEntries(
    Object.entries(filled).map(([name, value]) => [
      name,
      name === "email" || name.includes("_differs") ? value : tooLong,
    ]),
  );
  delete entered["is_business"];
  const { payload } = await customer.post("/checkout", entered);
  const fields = [...payload.matchAll(/<(?:input|select|textarea) id="(\w+)"/g)].map(([, id]) => id);
  const listed = [...payload.matchAll(/<li><a href="#(\w+)">/g)].map(([, field]) => field);
  expect(listed).toEqual(fields.filter((field) => field !== "billing_differs"));
});

test("the basket's country is chosen at the checkout, and an address in another one isn't kept", async () => {
  const { customer } = await startCheckout();
  /** Where the basket's button leads, with what its form has. */
  const checkoutAddress = async (path: string) => {
    const { payload } = await customer.get(path);
    const [country, shown] = [/<option value="([\w-]+)" selected>/, /name="default" value="([^"]*)"/].map(
      (pattern) => pattern.exec(payload)?.[1] ?? "",
    );
    return `/checkout?country=${country}&default=${shown}`;
  };
  const unchosen = await checkoutAddress("/cart");
  const chosen = await checkoutAddress("/cart?country=FI");
  for (const path of ["/checkout", unchosen, await checkoutAddress("/cart?country=US")])
    expect((await customer.get(path)).payload).toContain('<option value="NL" selected>');
  expect((await customer.get("/checkout?country=US")).payload).not.toContain(" selected>");
  expect((await customer.get(chosen)).payload).toContain('<option value="FI" selected>');
  const changed = await customer.post("/cart/quantities", { "quantity:KES-C2-BK:2": "3" });
  expect(await checkoutAddress(String(changed.headers.location))).toBe(unchosen);
  await enterDetails(customer, { country_code: "DE", postal_code: "50667", city: "Köln" });
  const ofForm = async (path: string) => {
    const { payload } = await customer.get(path);
    const field = (name: string) => new RegExp(`id="${name}"[^>]* value="([^"]*)"`).exec(payload)?.[1];
    const [, country] = /<option value="(\w+)" selected>/.exec(payload) ?? [];
    return [country, field("city"), field("postal_code"), field("first_name")];
  };
  for (const path of ["/checkout", unchosen, "/checkout?country=DE", "/checkout?country=US"])
    expect([path, await ofForm(path)]).toEqual([path, ["DE", "Köln", "50667", "Ada"]]);
  expect(await ofForm(chosen)).toEqual(["FI", "", "", "Ada"]);
});

test("the form has the order's items and total beside it, for the country that was chosen or entered", async () => {
  const { customer } = await startCheckout();
  const summaryOf = (payload: string) =>
    readMain(`<main>${/<details class="summary[\s\S]*?<\/table>/.exec(payload)?.[0]}</main>`);
  expect(summaryOf((await customer.get("/checkout")).payload)).toMatch(
    /^Your order: €385.50 2 × Kestrel C2 scanner, Black \/ USB €312.40 net .* Deliver to: Netherlands .* Total €385.50 Net €318.60 21% VAT €66.90$/,
  );
  expect(summaryOf((await customer.get("/checkout?country=FI")).payload)).toContain("Deliver to: Finland");
  const refused = await customer.post("/checkout", send({ country_code: "CH", city: "" }));
  expect([refused.statusCode, summaryOf(refused.payload)]).toEqual([
    422,
    expect.stringContaining("Deliver to: Switzerland"),
  ]);
});

test("the way back to the basket keeps a country that the shop delivers to", async () => {
  const { customer } = await startCheckout();
  const backLink = async (path: string) => /<p><a href="(\/cart[^"]*)"/.exec((await customer.get(path)).payload)?.[1];
  for (const [query, link] of [
    ["", "/cart?country=NL"],
    ["?country=FI", "/cart?country=FI"],
    ["?country=US", "/cart"],
    ["?country=FI%22%3E", "/cart"],
  ])
    expect([query, await backLink(`/checkout${query}`)]).toEqual([query, link]);
});

test.each([
  [{ country_code: "GB", postal_code: "bt1 5gs", city: "Belfast" }, "Belfast BT1 5GS United Kingdom"],
  [{ country_code: "DE", postal_code: "50667", city: "Köln" }, "50667 Köln Germany"],
])("an address %j is reviewed as its country writes it", async (entered, address) => {
  const { customer } = await startCheckout();
  await enterDetails(customer, entered);
  expect(readMain((await customer.get("/checkout/review")).payload)).toContain(address);
});

test("every error is at its field and in the summary, and everything that was entered is kept", async () => {
  const { db, customer } = await startCheckout();
  const entered = send({ email: "ada", city: "", vat_id: "DE12", country_code: "FI", note: "\nRing <b>twice</b>" });
  delete entered["is_business"];
  const page = await customer.post("/checkout", entered);
  expect(page.statusCode).toBe(422);
  expect(page.payload).toContain("<title>Error: Your details");
  for (const [field, message] of [
    ["email", "Enter an e-mail address such as name@example.com"],
    ["city", "Enter the town or city"],
    [
      "vat_id",
      "Enter one whole VAT number and nothing else, with its country’s letters in front, such as DE123456789 or ATU12345678, or leave it empty",
    ],
    ["is_business", "Confirm that you’re ordering for a business, public body or club: we don’t sell to consumers"],
  ]) {
    expect(page.payload).toContain(`<a href="#${field}">${message}</a>`);
    expect(page.payload).toContain(`id="${field}-error">${message}</p>`);
  }
  expect(shownIn(page.payload, "email")).toBe("ada");
  expect(shownIn(page.payload, "company")).toBe("Novák Retail GmbH");
  expect(page.payload).toContain('<option value="FI" selected>');
  expect(page.payload).toContain(">\n\nRing &lt;b&gt;twice&lt;/b&gt;</textarea>"); // HTML drops the first line break
  expect(page.payload).not.toMatch(/id="is_business"[^>]* checked/);
  expect(await db.selectFrom("checkouts").select("id").execute()).toEqual([]);
});

test("the form names the parts of countries that aren't delivered to, and refuses their postal codes and those of no form", async () => {
  const { customer } = await startCheckout();
  expect(readMain((await customer.get("/checkout")).payload)).toContain(
    "Places that we don’t deliver to Finland (Åland Islands), Germany (Heligoland and Büsingen), Switzerland (Samnaun), United Kingdom (Jersey, Guernsey and Gibraltar).",
  );
  const refusal = async (country_code: string, postal_code: string) => {
    const { statusCode, payload } = await customer.post("/checkout", send({ country_code, postal_code }));
    return [statusCode, ...[...payload.matchAll(/<li><a href="#(\w+)">(.*?)<\/a>/g)].flatMap(([, ...found]) => found)];
  };
  const unserved =
    "We don’t deliver to this postcode, as it says below the country. Enter another address, or write to us";
  expect(await refusal("DE", "D-27498")).toEqual([422, "postal_code", unserved]);
  expect(await refusal("FI", "ax 22100")).toEqual([422, "postal_code", unserved]);
  expect(await refusal("DE", "2749")).toEqual([
    ...[422, "postal_code", "Enter the postcode as five digits, such as 28013"],
  ]);
  expect(await refusal("GB", "ВT1 5GS")).toEqual([
    ...[422, "postal_code", "Enter the full postcode, such as SW1A 1AA"],
  ]);
});

test("where only parts of a country are delivered to, the form names them", async () => {
  const zones = [["NL", "FI"], ["PT-20"], ["ES-CN"]].map((countries) => ({ price: "7.50", countries }));
  const { customer } = await startCheckout({ facts: { shipping: shippingTo(...zones) } });
  const form = readMain((await customer.get("/checkout")).payload);
  expect(form).toContain("Places that we don’t deliver to Finland (Åland Islands).");
  expect(form).toContain(
    "Of these countries, we deliver only to the parts in brackets: Portugal (Azores), Spain (Canary Islands).",
  );
  const lisbon = await customer.post("/checkout", send({ country_code: "PT", postal_code: "1000-205" }));
  expect([lisbon.statusCode, readMain(lisbon.payload)]).toEqual([422, expect.stringContaining("as it says below")]);
});

test("an address whose place the shop doesn't deliver to any more is asked for again, and what is wrong with it is named", async () => {
  const deliveringTo = (...countries: string[]) =>
    shopFacts({
      tax: { ...shopFacts().tax, rates: { ...shopFacts().tax.rates, ES: "0.21" } },
      shipping: shippingTo({ price: "7.50", countries }),
    });
  const { db, customer } = await startCheckout({ facts: deliveringTo("DE", "FI-01") });
  const fields = await review(customer, { country_code: "AX", postal_code: "22100" });
  expect(readMain((await customer.get("/checkout/review")).payload)).toContain("Delivery outside the EU’s VAT area");
  await storeShopFacts(db, deliveringTo("DE", "FI"));
  const isAskedAgain = async (listed: string) => {
    for (const { statusCode, payload } of [await customer.get("/checkout/review"), await place(customer, fields)]) {
      expect([statusCode, readMain(payload)]).toEqual([422, expect.stringContaining(listed)]);
      expect(shownIn(payload, "city")).toBe("Köln");
    }
  };
  await isAskedAgain("We don’t deliver to the country of this address any more.");
  await storeShopFacts(db, deliveringTo("ES", "ES-CN"));
  fields["checkout"] = (await review(customer, { country_code: "ES", postal_code: "35001" }))["checkout"] ?? "";
  await storeShopFacts(db, deliveringTo("ES"));
  await isAskedAgain("We don’t deliver to this postcode");
});

test("the details are there again on every return, also for the next order", async () => {
  const { customer } = await startCheckout();
  const fields = await review(customer, {
    billing_differs: "yes",
    billing_address1: "Dlouhá 1",
    billing_city: "Helsinki",
    billing_postal_code: "00100",
    billing_country_code: "FI",
  });
  const returned = await customer.get("/checkout");
  expect(shownIn(returned.payload, "last_name")).toBe("Novák");
  expect(shownIn(returned.payload, "billing_city")).toBe("Helsinki");
  expect(returned.payload).toMatch(/id="billing_differs"[^>]* checked/);
  await place(customer, fields);
  await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  expect(shownIn((await customer.get("/checkout")).payload, "address1")).toBe("Lange Straße 12");
  expect((await customer.get("/checkout/review")).headers.location).toBe("/checkout");
});

test.each([{ email: ["a@b.example", "c@d.example"] }, { unknown: "1" }, { is_business: "on" }, { city: undefined }])(
  "a form with %j isn't the page's own: 400, and nothing of it is repeated",
  async (changed) => {
    const { customer } = await startCheckout();
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...send({}), ...changed }))
      for (const one of [value].flat()) if (one !== undefined) fields.append(name, one);
    const answer = await customer.post("/checkout", fields as unknown as Record<string, string>);
    expect(answer.statusCode).toBe(400);
    expect(answer.payload).not.toContain("example");
  },
);

test.each(["cross-site", "same-site"])("fault 31: details sent from a %s page are refused", async (site) => {
  const { db, customer } = await startCheckout();
  const answer = await customer.post("/checkout", send({}), { "sec-fetch-site": site });
  expect(answer.statusCode).toBe(403);
  expect(await db.selectFrom("checkouts").select("id").execute()).toEqual([]);
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "<!--#include virtual='/etc/passwd'-->",
  "{{ total }}",
  '" onfocus="x',
  "مها",
  "🦆",
  "\u202Eevil",
];

test("fault 30: hostile, Arabic and emoji names reach the page as text, and the order as they are but for what turns letters", async () => {
  const { get, customer } = await startCheckout();
  const typed = HOSTILE.join(" ");
  const company = typed.replace("\u202E", "");
  await enterDetails(customer, { company: typed, note: typed });
  for (const path of ["/checkout", "/checkout/review"]) {
    const page = await customer.get(path);
    expect(page.payload).not.toContain("<script>alert");
    expect(page.payload).not.toContain("<!--#");
    expect(page.payload).not.toContain('" onfocus');
  }
  const page = await customer.get("/checkout/review");
  expect(readMain(page.payload)).toContain(company);
  await place(customer, placeFields(page.payload));
  const { buyer, note, shipping_address } = (await get("/api/orders/1")).json();
  expect([buyer.company, note, shipping_address.company]).toEqual([company, company, company]);
});

test("pages show an address's domain in people's letters, and partners get the ASCII one", async () => {
  const { get, customer } = await startCheckout();
  await enterDetails(customer, { email: "\u200eAda@BÜCHER.exam\u00adple " });
  expect(shownIn((await customer.get("/checkout")).payload, "email")).toBe("Ada@bücher.example");
  const page = await customer.get("/checkout/review");
  expect(readMain(page.payload)).toContain("Ada@bücher.example");
  const { headers } = await place(customer, placeFields(page.payload));
  expect((await customer.get(String(headers.location))).payload).toContain("Ada@bücher.example");
  expect((await get("/api/orders/1")).json().buyer.email).toBe("Ada@xn--bcher-kva.example");
});

test("fault 9: a VAT number that VIES confirms takes the VAT off, and the order keeps the evidence", async () => {
  const vies = await startVies(true);
  const { get, customer } = await startCheckout({ vatCheckUrl: vies.url });
  Object.assign(vies, { name: "NOVÁK RETAIL GMBH", address: "LANGE STRASSE 12\n50667 KÖLN" });
  await enterDetails(customer, { vat_id: "de 136.695-976" });
  const page = await customer.get("/checkout/review");
  expect(readMain(page.payload)).toContain("VIES confirmed your VAT number DE136695976, so we charge no VAT");
  expect(readMain(page.payload)).toContain("VAT-exempt intra-Community supply, Art. 138 Directive 2006/112/EC");
  await place(customer, placeFields(page.payload));
  expect((await get("/api/orders/1")).json()).toMatchObject({
    tax_treatment: "reverse_charge",
    vat_check: {
      ...{ vat_id: "DE136695976", result: "valid", consultation_number: "WAPIAAAAZ1" },
      ...{ trader_name: "NOVÁK RETAIL GMBH", trader_address: "LANGE STRASSE 12, 50667 KÖLN" },
    },
    buyer: { vat_id: "DE136695976" },
    totals: { tax: "0.00", total: "318.60" },
  });
});

test.each([
  [false, "DE", "DE136695976", "VIES doesn’t know the VAT number"],
  [undefined, "DE", "DE136695976", "We couldn’t confirm the VAT number DE136695976 just now"],
  [true, "DE", "NL123456789B01", "belongs to the country that we dispatch from"],
  [true, "NL", "NL123456789B01", "Delivery is within the VAT area of our own country"],
  [true, "CH", "DE136695976", "This is an export"],
])("VIES says %s, delivery to %s, the number is %s: the page says why", async (valid, country_code, vat_id, reason) => {
  const vies = await startVies(valid);
  const { customer } = await startCheckout({ vatCheckUrl: vies.url });
  await enterDetails(customer, { vat_id, country_code });
  const text = readMain((await customer.get("/checkout/review")).payload);
  expect(text).toContain(reason);
  expect(text).toContain(country_code === "CH" ? "€332.23" : country_code === "NL" ? "€385.50" : "€379.14");
});

test.each([
  ["CH", "che–123.456.789 MWSt", "8001", "CHE-123.456.789 MWST", "332.23"],
  ["GB", "GB 123 4567 89", "BA1 1AA", "GB 123 4567 89", "332.23"],
  ["DE", "no 123 456 789 mva", "50667", "NO 123 456 789 MVA", "379.14"],
])(
  "a VAT number from outside the EU (delivery to %s, %s) is kept for the invoice and never asked about",
  async (country_code, vat_id, postal_code, kept, total) => {
    const vies = await startVies(true);
    const { get, customer } = await startCheckout({ vatCheckUrl: vies.url });
    const fields = await review(customer, { country_code, vat_id, postal_code });
    const text = readMain((await customer.get("/checkout/review")).payload);
    expect(text).toContain(`Your VAT number ${kept} goes on the invoice. It wasn’t checked`);
    expect(text).not.toContain("VIES");
    expect(shownIn((await customer.get("/checkout")).payload, "vat_id")).toBe(kept);
    await place(customer, fields);
    const order = (await get("/api/orders/1")).json();
    expect(order).toMatchObject({ buyer: { vat_id: kept }, vat_check: null, totals: { total } });
    expect(vies.asked).toBe(0);
  },
);

test("a shop outside the EU promises nothing of a VAT number, and says that it changes nothing, whatever VIES says", async () => {
  const facts = shopFacts();
  const tax = {
    ...facts.tax,
    home: "CH",
    registration: null,
    rates: { ...facts.tax.rates, CH: "0.081" },
    export: ["GB"],
  };
  for (const valid of [true, false, undefined]) {
    const vies = await startVies(valid);
    const { customer } = await startCheckout({ vatCheckUrl: vies.url, facts: { tax } });
    const form = readMain((await customer.get("/checkout")).payload);
    expect(form).toContain("such as DE123456789. We put it on the invoice.");
    expect(form).not.toContain("VAT may not apply");
    const shown = async (vat_id: string) => {
      await enterDetails(customer, { vat_id, country_code: "DE" });
      return readMain((await customer.get("/checkout/review")).payload);
    };
    for (const vatId of ["DE136695976", "CHE-123.456.789"])
      expect(await shown(vatId)).toContain(
        `Your VAT number ${vatId} goes on the invoice. It doesn’t change the tax on this delivery.`,
      );
  }
});

test("where the shop taxes a delivery outside the EU, VIES's answer is no reason for it", async () => {
  const vies = await startVies(false);
  const facts = shopFacts();
  const tax = { ...facts.tax, rates: { ...facts.tax.rates, CH: "0.081" }, export: [] };
  const { customer } = await startCheckout({ vatCheckUrl: vies.url, facts: { tax } });
  await enterDetails(customer, { vat_id: "DE136695976", country_code: "CH", postal_code: "8001" });
  expect(readMain((await customer.get("/checkout/review")).payload)).toContain(
    "Your VAT number DE136695976 goes on the invoice. It doesn’t change the tax on this delivery.",
  );
});

test("fault 9: a VAT number that is confirmed in another tab changes the total before anything is ordered", async () => {
  const vies = await startVies(undefined);
  const { customer } = await startCheckout({ vatCheckUrl: vies.url });
  const fields = await review(customer, { vat_id: "DE136695976" });
  vies.valid = true;
  await enterDetails(customer, { vat_id: "DE136695976" });
  const refused = await place(customer, fields);
  expect(refused.statusCode).toBe(422);
  const text = readMain(refused.payload);
  expect(text).toContain("It was €379.14 before.");
  for (const change of ["The tax has changed", "Your VAT number, or what we know of it, has changed"])
    expect(text).toContain(change);
});

test("an answer of VIES holds for a day, and no answer is asked for again", async () => {
  const vies = await startVies(undefined);
  const { db, customer } = await startCheckout({ vatCheckUrl: vies.url });
  await enterDetails(customer, { vat_id: "DE136695976" });
  vies.valid = true;
  for (let turn = 0; turn < 3; turn += 1) await enterDetails(customer, { vat_id: "DE136695976", note: `${turn}` });
  expect(vies.asked).toBe(2);
  await enterDetails(customer, { vat_id: "LU26375245" });
  expect(vies.asked).toBe(3);
  const { vat_check } = await db.selectFrom("checkouts").select("vat_check").executeTakeFirstOrThrow();
  const old = vat_check?.replace(/"checked_at": ?"[^"]*"/, '"checked_at":"2026-01-01T00:00:00.000Z"');
  await db
    .updateTable("checkouts")
    .set({ vat_check: old as typeof vat_check })
    .execute();
  await enterDetails(customer, { vat_id: "LU26375245" });
  expect(vies.asked).toBe(4);
});

test("a VAT number that was confirmed more than a day ago is asked about again before anything is shown or ordered", async () => {
  const vies = await startVies(true);
  const { db, customer } = await startCheckout({ vatCheckUrl: vies.url });
  const fields = await review(customer, { vat_id: "DE136695976" });
  const { vat_check } = await db.selectFrom("checkouts").select("vat_check").executeTakeFirstOrThrow();
  const dayAgo = new Date(Date.now() - 86_400_001).toISOString();
  const aged = vat_check?.replace(/"checked_at": ?"[^"]*"/, `"checked_at":"${dayAgo}"`) as typeof vat_check;
  await db.updateTable("checkouts").set({ vat_check: aged }).execute();
  for (const { statusCode, payload } of [await customer.get("/checkout/review"), await place(customer, fields)]) {
    const asked = "This VAT number was confirmed more than a day ago. Continue, and we check it again";
    expect([statusCode, readMain(payload).split(asked).length]).toEqual([422, 3]); // in the summary and at the field
    expect(shownIn(payload, "vat_id")).toBe("DE136695976");
  }
  vies.valid = undefined;
  await enterDetails(customer, { vat_id: "DE136695976" });
  expect(readMain((await customer.get("/checkout/review")).payload)).toContain(
    "We couldn’t confirm the VAT number DE136695976 just now",
  );
  expect(await db.selectFrom("orders").select("id").execute()).toEqual([]);
});

test("fault 34: after 30 checks of VAT numbers in an hour the page says when to try again, and keeps what was entered", async () => {
  const vies = await startVies(undefined);
  const { db, customer } = await startCheckout({ vatCheckUrl: vies.url });
  await enterDetails(customer, { vat_id: "DE136695976" });
  await db
    .updateTable("request_counts")
    .set({ requests: 30, began_at: fromNow(0) })
    .execute();
  const refused = await customer.post("/checkout", send({ vat_id: "DE136695976" }));
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "3600"]);
  expect(readMain(refused.payload)).toContain("Try again in an hour");
  expect(shownIn(refused.payload, "vat_id")).toBe("DE136695976");
  expect(vies.asked).toBe(1);
  await enterDetails(customer, { vat_id: "" });
});

test("the review page says where to pay and until when, when it arrives and under which terms", async () => {
  const { customer } = await startCheckout();
  await enterDetails(customer, { country_code: "NL" });
  const page = await customer.get("/checkout/review");
  const text = readMain(page.payload);
  for (const said of [
    ...["By bank transfer within 14 days of your order", "Counterwell Ltd", "NL91 ABNA 0417 1643 00", "ABNANL2A"],
    ...[
      `it arrives in 1 to 3 working days. Pay today and it arrives by ${arrivalDay(3)}.`,
      "Goods with tax €378.00",
      "Delivery with tax €7.50",
    ],
    ...["Total €385.50 Net €318.60 21% VAT €66.90", "To the delivery address.", "Place order for €385.50"],
  ])
    expect(text).toContain(said);
  expect(page.payload).toContain('<a href="/terms">');
});

test.each([
  ["KES-CABLE", true],
  ["KES-PRE", false],
])(
  "basket, link and review promise the same days of delivery only if all is in stock (%s: %s)",
  async (sku, promised) => {
    const { customer } = await startCheckout();
    await customer.post("/cart/lines", { sku, quantity: "1" });
    await enterDetails(customer, { country_code: "FI" });
    for (const path of ["/cart?country=FI", `/buy/KES-C2-BK:1,${sku}:1?country=FI`, "/checkout/review"]) {
      const text = readMain((await customer.get(path)).payload);
      expect([path, text.includes(`Pay today and it arrives by ${arrivalDay(6)}`)]).toEqual([path, promised]);
      if (!promised) expect(text).not.toContain("working days");
    }
  },
);

test("a price that changed since the article was put into the basket is marked", async () => {
  const { db, customer } = await startCheckout();
  await db.updateTable("product_variants").set({ price: "200.00" }).where("sku", "=", "KES-C2-BK").execute();
  await enterDetails(customer, { country_code: "NL" });
  const page = await customer.get("/checkout/review");
  expect(readMain(page.payload)).toContain("2 pieces at €200.00 each: €400.00 It was €189.00 before.");
  expect(page.payload).not.toContain("<title>Error");
});

test("a shop whose prices don't include tax adds it below the goods and the delivery", async () => {
  const { customer } = await startCheckout({ facts: { prices_include_tax: false } });
  await enterDetails(customer, { country_code: "NL" });
  const text = readMain((await customer.get("/checkout/review")).payload);
  expect(text).toContain("Goods €378.00 Delivery €7.50 Net €385.50 21% VAT €80.96 Total €466.46");
});

test.each(["en-GB", "de-CH"])("every page and every error of a field has its words in %s", async (locale) => {
  const { customer } = await startCheckout({ facts: { locale } });
  const long = Object.fromEntries(Object.keys(send({})).map((name) => [name, "x".repeat(2_001)]));
  const ticks = { billing_differs: "yes", is_business: "yes" };
  for (const entered of [
    long,
    Object.fromEntries(Object.keys(long).map((name) => [name, ""])),
    Object.fromEntries(Object.keys(long).map((name) => [name, "\u0000"])),
  ]) {
    const page = await customer.post("/checkout", { ...entered, ...ticks });
    expect(page.statusCode).toBe(422);
  }
  await enterDetails(customer, { vat_id: "DE136695976", note: "n", phone: "1", buyer_reference: "r" });
  const page = await customer.get("/checkout/review");
  expect(page.statusCode).toBe(200);
  expect(page.payload).not.toMatch(/\{\w+\}/);
});
