import { expect, test } from "vitest";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { shippingToChoose, shopFacts } from "../../selling/quote/shop.ts";
import { readMain } from "../basket/page-text.ts";
import { place, review, startCheckout } from "./start-checkout.ts";

const FIRST = "/account/orders/A-1001";

/** A checkout of two scanners of so many grams each, whose delivery can be chosen. */
async function startChoice(weight_g: number | null = 1_000, facts: Partial<ShopFacts> = {}) {
  const shop = await startCheckout({ facts: { shipping: shippingToChoose, ...facts } });
  const weigh = (grams: number | null) => shop.db.updateTable("product_variants").set({ weight_g: grams }).execute();
  await weigh(weight_g);
  return { ...shop, weigh };
}

const chosenIn = (page: string) => /name="method" value="([^"]*)"[^>]* checked/.exec(page)?.[1];

test("the basket and a link to it have the choice of deliveries, which goes on to the checkout", async () => {
  const { customer, weigh } = await startChoice();
  const open = async (query: string) => (await customer.get(`/cart${query}`)).payload;
  const page = await open("");
  expect([chosenIn(page), readMain(page)]).toEqual(["parcel", expect.stringContaining("Delivery with tax €7.50")]);
  expect(page).toContain('form="cost" formaction="/checkout" name="default" value="NL,parcel"');
  const express = await open("?country=DE&method=express");
  expect(readMain(express)).toContain("Delivery with tax €18.69");
  expect(express).toContain('name="default" value=","');
  // What was picked goes on, and what stayed as the page had it is nobody's choice.
  for (const [picked, sent] of [
    ["country=DE&method=express&default=NL,parcel", ["DE", "express"]],
    ["country=NL&method=parcel&default=NL,parcel", ["NL", ""]],
    ["country=NL&method=parcel&default=DE,express", ["NL", "parcel"]],
    ["country=DE&method=express&default=,", ["DE", "express"]],
  ] as const) {
    const form = (await customer.get(`/checkout?${picked}`)).payload;
    const country = /<option value="(\w+)" selected>/.exec(form)?.[1];
    expect([picked, country, chosenIn(form)]).toEqual([picked, ...sent]);
  }
  const link = (await customer.get("/buy/KES-C2-BK:2")).payload;
  const [, add = ""] = /form="cost" formaction="([^"]*)" formmethod="post" name="items"/.exec(link) ?? [];
  expect(add).toBe("/cart/lines?default=NL,parcel");
  for (const [method, kept] of [
    ["parcel", ""],
    ["express", "method=express&"],
  ] as const)
    expect((await customer.post(add, { items: "KES-C2-BK:1", country: "NL", method })).headers.location).toBe(
      `/cart?${kept}added=KES-C2-BK:1`,
    );
  await customer.post("/cart/quantities", { "quantity:KES-C2-BK:4": "2" });
  const gone = await open("?country=FI&method=express");
  expect([chosenIn(gone), readMain(gone)]).toEqual([
    "parcel",
    expect.stringContaining("The total is with the cheapest"),
  ]);
  const collected = readMain(await open("?country=DE&method=pickup"));
  for (const text of [
    "Collection Free",
    "Kade 1 3511 AB Utrecht Netherlands Monday to Friday, 9 to 17",
    "Total €378.00",
  ])
    expect(collected).toContain(text);
  const { payload } = await customer.get("/buy/KES-C2-BK:2?method=express", { "x-face": "md" });
  for (const text of ["- Parcel (parcel): €6.20 net (€7.50 with VAT), 1 to 3 working days", "&method=", "€19.00"])
    expect(payload.replace("?method=", "&method=")).toContain(text);
  await weigh(2_501);
  const heavy = await open("");
  expect(readMain(heavy)).toContain("too heavy or too many for one delivery to this country");
  expect(readMain(heavy)).toContain("You can also collect them.");
  expect(heavy).not.toContain("/checkout");
  const form = (await customer.get("/checkout")).payload;
  expect(readMain(form)).toContain("too heavy or too many for one delivery to this country");
  expect(form).toContain('<a href="/checkout?method=pickup">You can also collect them.</a>');
  expect(readMain((await customer.get("/checkout?method=pickup")).payload)).not.toContain("too heavy");
});

test("another delivery is chosen on the review page, and never ordered with the sums of the one before", async () => {
  const { get, customer } = await startChoice();
  const fields = await review(customer, { method: "parcel" });
  const changed = await place(customer, { ...fields, method: "express" });
  expect(changed.statusCode).toBe(422);
  for (const text of ["The delivery has changed", "It was €7.38 before."])
    expect(readMain(changed.payload)).toContain(text);
  expect(chosenIn(changed.payload)).toBe("express");
  const { checkout = "" } = fields;
  const applied = await customer.post("/checkout/method", { checkout, method: "parcel" });
  expect([applied.statusCode, applied.headers.location]).toEqual([303, "/checkout/review#delivery"]);
  const page = (await customer.get("/checkout/review")).payload;
  const [, quote = ""] = /name="quote" value="([^"]*)"/.exec(page) ?? [];
  expect((await place(customer, { ...fields, quote, method: "parcel" })).headers.location).toBe(FIRST);
  const order = (await get("/api/orders/1")).json();
  expect(order.shipping_lines).toMatchObject([{ code: "parcel", title: "Parcel", total: "7.38" }]);
});

test("an untouched delivery is nobody's choice: where it isn't the cheapest any more, or another tab has chosen, that is shown", async () => {
  const { customer, weigh } = await startChoice();
  const fields: Record<string, string> = { ...(await review(customer)), method: "parcel" };
  await weigh(1_001);
  const dearer = await place(customer, fields);
  expect([dearer.statusCode, chosenIn(dearer.payload)]).toEqual([422, "express"]);
  expect(readMain(dearer.payload)).toContain("The delivery has changed");
  expect(readMain(dearer.payload)).not.toContain("had chosen");
  await weigh(1_000);
  const again = await customer.get("/checkout/review");
  expect([chosenIn(again.payload), readMain(again.payload)]).toEqual([
    "parcel",
    expect.stringContaining("You haven’t chosen a delivery yet."),
  ]);
  await customer.post("/checkout/method", { checkout: fields["checkout"] ?? "", method: "express" });
  const other = await place(customer, fields);
  expect([other.statusCode, chosenIn(other.payload), readMain(other.payload)]).toEqual([
    ...[422, "express"],
    expect.stringContaining("The delivery has changed"),
  ]);
  // The form of an earlier release doesn't say what it showed.
  const earlier = { ...fields, shown: (fields["shown"] ?? "").replace(/;[^;]*$/, "") };
  expect(chosenIn((await place(customer, earlier)).payload)).toBe("parcel");
});

test("a delivery that no shop could have isn't available, as one that this shop hasn't, and what changed is marked once", async () => {
  const { customer } = await startChoice();
  const fields = await review(customer, { method: "express" });
  const { checkout = "" } = fields;
  for (const method of ["Pickup", "x".repeat(1_000)])
    for (const answer of [
      await place(customer, { ...fields, method }),
      await customer.post("/checkout/method", { checkout, method }).then(() => customer.get("/checkout/review")),
    ])
      expect([chosenIn(answer.payload), readMain(answer.payload)]).toEqual([
        "parcel",
        expect.stringContaining("The delivery that you had chosen isn’t available for this order."),
      ]);
  expect((await customer.post("/checkout/method", { checkout, method: "" })).statusCode).toBe(303);
  const none = readMain((await customer.get("/checkout/review")).payload);
  expect(none).toContain("You haven’t chosen a delivery yet.");
  const collected = await place(customer, { ...fields, method: "pickup" });
  const [, delivery = ""] = /id="delivery"(.*)id="billing"/s.exec(collected.payload) ?? [];
  const marks = delivery.match(/Changed since you saw this page/g);
  expect(marks).toHaveLength(2);
});

test("where the chosen delivery isn't there any more, the cheapest is shown and said to be it; where none is, why", async () => {
  const { customer, weigh } = await startChoice();
  const fields = await review(customer, { method: "parcel" });
  await weigh(1_001);
  const page = (await customer.get("/checkout/review")).payload;
  expect([chosenIn(page), readMain(page)]).toEqual([
    "express",
    expect.stringContaining("The delivery that you had chosen isn’t available for this order."),
  ]);
  await weigh(2_501);
  for (const { payload } of [await customer.get("/checkout/review"), await place(customer, fields)]) {
    expect(readMain(payload)).toContain("too heavy or too many for one delivery to your address");
    expect(payload).toContain('<a href="/checkout?method=pickup">You can also collect them.</a>');
    expect(payload).not.toContain("/checkout/place");
  }
});

test("who collects the goods gives the address of the invoice alone, and learns where and when from every page", async () => {
  const { db, get, customer } = await startChoice(9_000);
  const form = (await customer.get("/checkout?method=pickup")).payload;
  expect(form).not.toContain("billing_address1");
  // Nobody's VAT number changes the tax there, and no carrier calls.
  for (const text of ["VAT may not apply", "For the carrier"]) expect(readMain(form)).not.toContain(text);
  expect(form).toContain('<option value="JP">');
  const details = { method: "pickup", collects: "yes", country_code: "JP", postal_code: "100-0001" } as const;
  const fields = await review(customer, details);
  const page = readMain((await customer.get("/checkout/review")).payload);
  for (const text of ["Collect in Utrecht Kade 1", "Collection Free", "21% VAT"]) expect(page).toContain(text);
  expect((await place(customer, fields)).headers.location).toBe(FIRST);
  const order = (await get("/api/orders/1")).json();
  expect(order).toMatchObject({ shipping_address: null, tax_treatment: "domestic" });
  expect(order.billing_address).toMatchObject({ country_code: "JP", postal_code: "100-0001" });
  expect(order.shipping_lines).toMatchObject([
    { code: "pickup", title: "Collect in Utrecht", net_total: "0.00", tax_total: "0.00", total: "0.00" },
  ]);
  const shown = readMain((await customer.get(FIRST)).payload);
  for (const text of [
    "We’ll write to you when your payment has arrived and the goods are ready to collect.",
    "Where you collect it Collect in Utrecht Kade 1 3511 AB Utrecht Netherlands Monday to Friday, 9 to 17",
  ])
    expect(shown).toContain(text);
  await storeShopFacts(db, shopFacts());
  expect(readMain((await customer.get(FIRST)).payload)).toContain(
    "Where you collect it Ask us where you can collect it: sales@shop.example",
  );
});

test("the form shows the fields of the other choice with all that was entered, and asks for an address where none can be collected any more", async () => {
  const { db, customer } = await startChoice();
  const post = (entered: Record<string, string>) => customer.post("/checkout", entered);
  const typed = { email: "ada@novak.example", first_name: "Ada", last_name: "", phone: "", company: "", vat_id: "" };
  const rest = { buyer_reference: "", address1: "Kade 2", address2: "", postal_code: "", city: "", region: "" };
  const form = { ...typed, ...rest, country_code: "NL", note: "" };
  const other = await post({ ...form, method: "pickup" });
  expect([other.statusCode, readMain(other.payload)]).toEqual([200, expect.not.stringContaining("There is a problem")]);
  expect(other.payload).toContain('name="collects" value="yes"');
  expect(other.payload).toContain('value="Kade 2"');
  const sent = await post({ ...form, method: "pickup", collects: "yes" });
  expect([sent.statusCode, readMain(sent.payload)]).toEqual([422, expect.stringContaining("Enter your last name")]);
  const fields = await review(customer, { method: "pickup", collects: "yes" });
  await storeShopFacts(db, shopFacts());
  for (const { statusCode, payload } of [await customer.get("/checkout/review"), await place(customer, fields)])
    expect([statusCode, readMain(payload)]).toEqual([
      422,
      expect.stringContaining("Goods can’t be collected any more."),
    ]);
});
