import { expect, onTestFinished, test, vi } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { Turns } from "../../../../api/people/checkout/turns.ts";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import { type Db, openDatabase } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { openMigratedDatabase, PATIENT } from "../../api.ts";
import { startProxy } from "../../platform/database/proxy.ts";
import { shippingTo, shopFacts } from "../../selling/quote/shop.ts";
import { readMain } from "../basket/page-text.ts";
import { placeFields } from "./filled-form.ts";
import { enterDetails, place, review, startCheckout, startSecondProcess } from "./start-checkout.ts";
import { startVies } from "./vies-server.ts";

const FIRST = "/account/orders/A-1001";

const orderIds = async (db: Db) =>
  (await db.selectFrom("orders").select("id").orderBy("id").execute()).map(({ id }) => id);

const basketOf = (db: Db) => db.selectFrom("basket_lines").select(["sku", "quantity"]).orderBy("sku").execute();

test("an order is placed as it was shown, and leaves the basket", async () => {
  const { db, get, customer } = await startCheckout();
  const entered = { phone: "+49 221 1", buyer_reference: "PO-7741", note: "Ring twice.", address2: "2nd floor" };
  const fields = await review(customer, entered);
  const placed = await place(customer, fields);
  expect([placed.statusCode, placed.headers.location]).toEqual([303, FIRST]);
  const { lines, shipping_lines, totals, ...order } = (await get("/api/orders/1")).json();
  expect(order).toMatchObject({
    ...{ number: "A-1001", status: "pending", payment_status: "unpaid", customer: null, payments: [] },
    buyer: {
      email: "ada@novak.example",
      first_name: "Ada",
      last_name: "Novák",
      company: "Novák Retail GmbH",
      phone: "+49 221 1",
      vat_id: null,
    },
    ...{ buyer_reference: "PO-7741", note: "Ring twice.", tax_treatment: "destination", vat_check: null },
  });
  expect(order.shipping_address).toMatchObject({ address2: "2nd floor", postal_code: "50667", country_code: "DE" });
  expect(order.billing_address).toEqual(order.shipping_address);
  // €189.00 ÷ 1.21 × 1.19 = €185.88; €7.50 likewise €7.38.
  expect(lines).toMatchObject([{ sku: "KES-C2-BK", quantity: 2, unit_price: "185.88", total: "371.76" }]);
  expect(shipping_lines).toMatchObject([{ total: "7.38" }]);
  expect(totals).toMatchObject({ total: "379.14", due: "379.14" });
  expect(await basketOf(db)).toEqual([]);
  expect(await db.selectFrom("session_orders").select("order_id").execute()).toEqual([{ order_id: 1 }]);
  const kinds = await db.selectFrom("mails").select("kind").orderBy("kind").execute();
  expect(kinds).toEqual([{ kind: "order_received" }, { kind: "shop_new_order" }]);
});

test("faults 1 and 5: a double click that reaches two processes at once is one order, and ids have no gap", async () => {
  const shop = await startCheckout();
  const { db, customer, otherCustomer } = shop;
  const fields = await review(customer);
  const second = startSecondProcess(shop, customer);
  const clicks = Array.from({ length: 8 }, (_, click) => place(click % 2 ? second : customer, fields));
  const answers = await Promise.all(clicks);
  expect(answers.map(({ statusCode, headers }) => `${statusCode} ${headers.location}`)).toEqual(
    Array.from({ length: 8 }, () => `303 ${FIRST}`),
  );
  expect(await orderIds(db)).toEqual([1]);
  const next = otherCustomer();
  await next.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  expect((await place(next, await review(next))).headers.location).toBe("/account/orders/A-1002");
  expect(await orderIds(db)).toEqual([1, 2]);
});

test("fault 2: two tabs with one review page lead to one order", async () => {
  const { db, customer } = await startCheckout();
  const tabs = [await review(customer), placeFields((await customer.get("/checkout/review")).payload)];
  for (const fields of tabs) expect((await place(customer, fields)).headers.location).toBe(FIRST);
  expect(await orderIds(db)).toEqual([1]);
});

test("fault 2: what was put into the basket in another tab isn't ordered unseen", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "3" });
  await customer.post("/cart/lines", { sku: "KES-C2-BK", quantity: "1" });
  const refused = await place(customer, fields);
  expect(refused.statusCode).toBe(422);
  expect(refused.payload).toContain("<title>Error: Check your order");
  const text = readMain(refused.payload);
  expect(text).toContain("Something has changed since you saw this page");
  expect(text).toContain("It was 2 pieces before.");
  expect(text).toContain("Added since you saw this page.");
  expect(text).toMatch(/It was €379\.14 before\./);
  expect(await orderIds(db)).toEqual([]);
  expect((await place(customer, placeFields(refused.payload))).headers.location).toBe(FIRST);
});

test("fault 2: what another tab took out of the basket isn't ordered, and the page says so", async () => {
  const { customer } = await startCheckout();
  await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  const fields = await review(customer);
  await customer.post("/cart/quantities", { country: "", remove: "KES-CABLE:1" });
  const refused = await place(customer, fields);
  expect(refused.statusCode).toBe(422);
  expect(readMain(refused.payload)).toContain("An item that was on this page isn’t in your order any more.");
});

test("fault 3: Back after placing, and the form sent again, leads to the order", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await place(customer, fields);
  // Meanwhile the basket has something else in it.
  await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  expect((await place(customer, fields)).headers.location).toBe(FIRST);
  expect((await customer.get(`/checkout/review?checkout=${fields["checkout"]}`)).headers.location).toBe(FIRST);
  expect(await orderIds(db)).toEqual([1]);
  expect(await basketOf(db)).toEqual([{ sku: "KES-CABLE", quantity: 1 }]);
});

test("fault 3: the review page of a basket that went into an order leads to it, and opens no erased one again", async () => {
  const { db, customer } = await startCheckout();
  await place(customer, await review(customer));
  const again = async () => {
    // As after a process that was killed once the order was stored, and as `erase` leaves it.
    await db.deleteFrom("session_orders").execute();
    const { statusCode, headers } = await customer.get("/checkout/review");
    return [statusCode, headers.location, (await customer.get(FIRST)).statusCode];
  };
  expect(await again()).toEqual([303, FIRST, 200]);
  await db.updateTable("orders").set({ as_placed: null, as_placed_shape: null }).execute();
  expect(await again()).toEqual([303, FIRST, 404]);
});

test("who has the browser forgotten in another tab while an order is placed is told of the order, not to come again", async () => {
  const { url } = await openMigratedDatabase();
  const proxy = await startProxy(url);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: proxy.url }), { timeouts: PATIENT });
  onTestFinished(() => db.destroy());
  const { customer } = await startCheckout({ db });
  const fields = await review(customer);
  // Once the order is stored, before the browser may see it.
  proxy.delayAt("`order_id` = 1", async () => {
    await db.deleteFrom("sessions").execute();
  });
  const placed = await place(customer, fields);
  expect([placed.statusCode, placed.headers.location]).toEqual([303, FIRST]);
  expect(await orderIds(db)).toEqual([1]);
  expect((await customer.get(FIRST)).statusCode).toBe(404);
});

test("fault 6: a slow writer holds the sequence, and both clicks wait for one order", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  const slow = await db.startTransaction().execute();
  await takeNumbers(slow, "orders", { ids: 1, sequences: 1 });
  const clicks = [place(customer, fields), place(customer, fields)];
  await slow.rollback().execute();
  for (const { headers } of await Promise.all(clicks)) expect(headers.location).toBe(FIRST);
  expect(await orderIds(db)).toEqual([1]);
});

test("fault 7: a price that an import changed is shown before anything is ordered", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer, { country_code: "NL" });
  await db.updateTable("product_variants").set({ price: "199.00" }).where("sku", "=", "KES-C2-BK").execute();
  const refused = await place(customer, fields);
  expect(refused.statusCode).toBe(422);
  const text = readMain(refused.payload);
  expect(text).toContain("2 pieces at €199.00 each: €398.00");
  expect(text).toContain("It was €189.00 before.");
  expect(text).toContain("It was €385.50 before.");
  expect(await orderIds(db)).toEqual([]);
  expect((await place(customer, placeFields(refused.payload))).headers.location).toBe(FIRST);
});

test.each([
  [
    "KES-C2-BK",
    { availability: "preorder", available_from: "2099-03-01" },
    "Expected 1 March 2099; dispatched when it arrives.",
  ],
  ["KES-C2-BK", { availability: "backorder" }, "Not in stock at the moment; dispatched when it arrives."],
  ["KES-PRE", { available_from: "2099-05-01" }, "Expected 1 May 2099; dispatched when it arrives."],
] as const)("fault 7: a later dispatch of %s (%j) is shown before anything is ordered", async (sku, changes, said) => {
  const { db, customer } = await startCheckout();
  await customer.post("/cart/lines", { sku: "KES-PRE", quantity: "1" });
  const fields = await review(customer);
  await db.updateTable("product_variants").set(changes).where("sku", "=", sku).execute();
  const refused = await place(customer, fields);
  expect(refused.statusCode).toBe(422);
  const text = readMain(refused.payload);
  expect(text).toContain(`${said} Availability has changed since you saw this page.`);
  expect(text.split("Availability has changed")).toHaveLength(2);
  expect(await orderIds(db)).toEqual([]);
  expect((await place(customer, placeFields(refused.payload))).headers.location).toBe(FIRST);
});

const { transfer, shipping, tax } = shopFacts();
type Zone = NonNullable<typeof shipping>["zones"][number];
const zoneWith = (zone: Zone, changes: Partial<Zone["methods"][number]>): Zone => ({
  ...zone,
  methods: zone.methods.map((method) => ({ ...method, ...changes })),
});
const zonesWith = (changes: Partial<Zone["methods"][number]>) =>
  shipping && { ...shipping, zones: shipping.zones.map((zone) => zoneWith(zone, changes)) };
const priced = (price: string) => ({ tiers: [{ up_to: null, price }] });

/** What the summary of errors lists, and how often the page says beside something that it has changed. */
function readChanges(page: string) {
  const listed = [...page.matchAll(/<li><a href="#(\w+)">([^<]*)/g)].map(([, field, message]) => [field, message]);
  return { listed: listed.slice(1), marks: page.split('class="changed"').length - 1 };
}

test.each([
  [{ tax: { ...tax, rates: { ...tax.rates, NL: "0.20" } } }, "totals", "The tax has changed"],
  [{ currency: "USD" }, "totals", "The currency has changed"],
  [{ shipping: zonesWith(priced("9.50")) }, "totals", "The price of delivery has changed"],
  [{ shipping: zonesWith({ transit_days: { min: 2, max: 9 } }) }, "delivery", "The time for delivery has changed"],
  [
    { transfer: transfer && { ...transfer, iban: "NL20 INGB 0001 2345 67" } },
    "transfer",
    "Our bank account has changed",
  ],
  [{ transfer: transfer && { ...transfer, due_days: 7 } }, "transfer", "The time to pay by bank transfer has changed"],
])(
  "what an import changed of the shop's facts is named and marked before anything is ordered (%j)",
  async (changes, field, message) => {
    const { db, customer } = await startCheckout();
    const fields = await review(customer, { country_code: "NL" });
    await storeShopFacts(db, shopFacts(changes));
    const refused = await place(customer, fields);
    expect(refused.statusCode).toBe(422);
    const { listed, marks } = readChanges(refused.payload);
    expect(listed).toEqual([[field, message]]);
    expect(marks).toBeGreaterThan(0);
    expect(refused.payload).toContain(` id="${field}"`);
    expect(await orderIds(db)).toEqual([]);
    expect((await place(customer, placeFields(refused.payload))).headers.location).toBe(FIRST);
  },
);

test.each([
  [{ city: "Bonn" }, ["delivery", "Your delivery or billing address has changed"]],
  [{ buyer_reference: "PO-2" }, ["details", "Your details have changed"]],
  [{ vat_id: "GB 123 4567 89" }, ["details", "Your VAT number, or what we know of it, has changed"]],
])(
  "what another tab changed of the details is named and marked before anything is ordered (%j)",
  async (entered, change) => {
    const { customer } = await startCheckout();
    const fields = await review(customer);
    await enterDetails(customer, entered);
    const refused = await place(customer, fields);
    expect(refused.statusCode).toBe(422);
    expect(readChanges(refused.payload)).toEqual({ listed: [change], marks: 1 });
    expect((await place(customer, placeFields(refused.payload))).headers.location).toBe(FIRST);
  },
);

test("an article that was renamed is named as such, and a form of an earlier release is told that something has changed", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await db.updateTable("product_variants").set({ product_title: "Kestrel C3" }).execute();
  expect(readChanges((await place(customer, fields)).payload)).toEqual({
    ...{ listed: [["items", "The name of an item has changed"]], marks: 1 },
  });
  const earlier = { ...fields, shown: (fields["shown"] ?? "").replace(/;[^;]*;[^;]*$/, "") };
  const refused = await place(customer, earlier);
  expect(refused.statusCode).toBe(422);
  expect(readMain(refused.payload)).toContain("Something has changed since you saw this page");
  expect(readChanges(refused.payload)).toEqual({ listed: [], marks: 0 });
});

test("what changes for another country only, or isn't on the page, doesn't stop the order", async () => {
  const { db, customer } = await startCheckout({ vatCheckUrl: (await startVies(undefined)).url });
  await customer.post("/cart/lines", { sku: "KES-PRE", quantity: "1" });
  const fields = await review(customer, { country_code: "NL", vat_id: "DE136695976" });
  // The same details from another tab: nobody answers now either, only later.
  const { vat_check } = await db.selectFrom("checkouts").select("vat_check").executeTakeFirstOrThrow();
  const later = vat_check?.replace(
    /"checked_at": ?"[^"]*"/,
    '"checked_at":"2026-01-01T00:00:00.000Z"',
  ) as typeof vat_check;
  await db.updateTable("checkouts").set({ vat_check: later }).execute();
  await db.updateTable("product_variants").set({ gtin: "2000000000022" }).where("sku", "=", "KES-PRE").execute();
  await customer.post("/cart/quantities", { country: "", remove: "KES-C2-BK:2" });
  await customer.post("/cart/lines", { sku: "KES-C2-BK", quantity: "2" });
  const zones = shipping?.zones.map((zone) =>
    zoneWith(zone, zone.countries.includes("NL") ? { transit_days: { min: 3, max: 9 } } : priced("99.00")),
  );
  const changed = shipping && zones && { shipping: { ...shipping, zones } };
  await storeShopFacts(
    db,
    shopFacts({
      ...changed,
      transfer: transfer && { ...transfer, cancel_after_days: 30 },
      tax: { ...tax, rates: { ...tax.rates, DE: "0.16" } },
    }),
  );
  expect((await place(customer, fields)).headers.location).toBe(FIRST);
});

test.each(["out_of_stock", "archived"] as const)(
  "fault 8: an article that became %s is left out, and stays in the basket",
  async (availability) => {
    const { db, customer } = await startCheckout();
    await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
    const fields = await review(customer);
    await db.updateTable("product_variants").set({ availability }).where("sku", "=", "KES-C2-BK").execute();
    const refused = await place(customer, fields);
    expect(refused.statusCode).toBe(422);
    const text = readMain(refused.payload);
    expect(text).toContain("The items, their prices or availability have changed");
    expect(text).toContain("This item can’t be ordered any more.");
    // It's named, so it needn't be counted too.
    expect(text).not.toContain("isn’t in your order any more");
    expect((await place(customer, placeFields(refused.payload))).headers.location).toBe(FIRST);
    expect(await basketOf(db)).toEqual([{ sku: "KES-C2-BK", quantity: 2 }]);
  },
);

test("fault 8: when everything went out of stock, the page leads back to the basket", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await db.updateTable("product_variants").set({ availability: "out_of_stock" }).execute();
  const refused = await place(customer, fields);
  expect(refused.statusCode).toBe(422);
  expect(readMain(refused.payload)).toContain("Nothing in your basket can be ordered at the moment.");
  expect(refused.payload).toContain('href="/cart"');
});

test("details that another tab changed are shown before anything is ordered", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await enterDetails(customer, { city: "Bonn", postal_code: "53111" });
  const refused = await place(customer, fields);
  expect([refused.statusCode, readMain(refused.payload)]).toEqual([422, expect.stringContaining("53111 Bonn")]);
  expect((await place(customer, placeFields(refused.payload))).statusCode).toBe(303);
  const [order] = await db.selectFrom("orders").select("shipping_address").execute();
  expect(order?.shipping_address).toContain("Bonn");
});

test("a country that the shop doesn't deliver to any more leads to the details", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  const facts = await db.selectFrom("shop_facts").select("facts").executeTakeFirstOrThrow();
  const without = facts.facts.replace(/"NL", ?"DE", ?"LU"/, '"NL","LU"') as typeof facts.facts;
  await db.updateTable("shop_facts").set({ facts: without }).execute();
  for (const answer of [await place(customer, fields), await customer.get("/checkout/review")])
    expect([answer.statusCode, readMain(answer.payload)]).toEqual([
      ...[422, expect.stringContaining("We don’t deliver to the country of this address any more.")],
    ]);
});

test("fault 10: the total is the same to the cent on the review page, in the database and in the API", async () => {
  const { db, get, customer } = await startCheckout();
  await customer.post("/cart/lines", { sku: "a/b,c:%", quantity: "7" });
  await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "3" });
  await enterDetails(customer, { country_code: "FI" });
  const page = await customer.get("/checkout/review");
  await place(customer, placeFields(page.payload));
  const { totals } = (await get("/api/orders/1")).json();
  expect(readMain(page.payload)).toContain(`Place order for €${totals.total}`);
  const row = await db.selectFrom("orders").select("total").executeTakeFirstOrThrow();
  expect(Number(row.total)).toBe(Number(totals.total));
});

test("fault 15: an order of 0.00 is placed like any other, and nobody is asked to pay", async () => {
  const { db, get, customer } = await startCheckout();
  await db.updateTable("product_variants").set({ price: "0.00" }).execute();
  const facts = shopFacts({ shipping: shippingTo({ countries: ["NL"], price: "0.00" }) });
  await storeShopFacts(db, facts);
  const fields = await review(customer, { country_code: "NL" });
  expect((await place(customer, fields)).headers.location).toBe(FIRST);
  expect((await get("/api/orders/1")).json()).toMatchObject({
    ...{ status: "pending", payment_status: "unpaid", tax_treatment: "domestic" },
    totals: { total: "0.00", due: "0.00", tax: "0.00" },
  });
  const { payload } = await customer.get(FIRST);
  expect(readMain(payload)).toContain("Total €0.00");
  for (const word of ["IBAN", "To be paid", "<svg"]) expect(payload).not.toContain(word);
});

test("fault 33: another browser can't place or see a checkout that isn't its own", async () => {
  const { db, customer, otherCustomer } = await startCheckout();
  const fields = await review(customer);
  const stranger = otherCustomer();
  await stranger.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  const tried = await place(stranger, fields);
  expect([tried.statusCode, tried.headers.location]).toEqual([303, `/checkout/review?checkout=${fields["checkout"]}`]);
  expect((await stranger.get(String(tried.headers.location))).headers.location).toBe("/checkout");
  await place(customer, fields);
  expect((await stranger.get(String(tried.headers.location))).headers.location).toBe("/checkout");
  expect((await place(otherCustomer(), fields)).headers.location).toBe("/checkout");
  expect(await orderIds(db)).toEqual([1]);
});

test("fault 34: an address may place as many orders in an hour as the setting says, and looking again doesn't count", async () => {
  const { db, customer } = await startCheckout({ placementsPerHour: 2 });
  const first = await review(customer);
  for (let turn = 0; turn < 5; turn += 1) expect((await place(customer, first)).statusCode).toBe(303);
  const statuses = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
    const answer = await place(customer, await review(customer));
    statuses.push([answer.statusCode, answer.headers["retry-after"]]);
  }
  expect(statuses).toEqual([
    [303, undefined],
    [429, "3600"],
    [429, "3600"],
  ]);
  expect(await orderIds(db)).toEqual([1, 2]);
  await db
    .updateTable("request_counts")
    .set({ began_at: fromNow(-3_600_001) })
    .execute();
  expect((await place(customer, placeFields((await customer.get("/checkout/review")).payload))).statusCode).toBe(303);
});

test.each([
  { checkout: "1e3" },
  { checkout: "-1" },
  { checkout: "9007199254740993000" },
  { quote: "x" },
  { shown: "<script>" },
  { extra: "1" },
])("%j in the order's form is answered with a page and no order", async (changed) => {
  const { db, customer } = await startCheckout();
  const answer = await place(customer, { ...(await review(customer)), ...changed } as Record<string, string>);
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
  expect(answer.payload).not.toContain("<script>");
  expect(await orderIds(db)).toEqual([]);
});

test("fault 6: a process places a few at once, and the others in the order in which they came, also after one that fails", async () => {
  const turns = new Turns(2, 1_000);
  const log: string[] = [];
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const results = works.map(({ promise }, number) =>
    turns.take(async () => {
      log.push(`begins ${number}`);
      await promise;
      log.push(`ends ${number}`);
    }),
  );
  for (const number of [1, 0, 2]) {
    works[number]?.resolve();
    await results[number];
  }
  works[3]?.reject(new Error("fails"));
  await expect(results[3]).rejects.toThrow("fails");
  works[4]?.resolve();
  await results[4];
  expect(log).toEqual([
    ...["begins 0", "begins 1", "ends 1", "begins 2", "ends 0", "begins 3", "ends 2", "begins 4", "ends 4"],
  ]);
});

test("fault 6: who waits too long is told to come again and does nothing, and the next has its turn", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const turns = new Turns(1, 8_000);
  const slow = Promise.withResolvers<string>();
  const first = turns.take(() => slow.promise);
  const late = vi.fn();
  const refused = expect(turns.take(late)).rejects.toMatchObject({
    kind: "unavailable",
    headers: { "Retry-After": "5" },
  });
  vi.advanceTimersByTime(5_000);
  const patient = turns.take(async () => "third");
  vi.advanceTimersByTime(3_000);
  await refused;
  slow.resolve("first");
  expect([await first, await patient, await turns.take(async () => "fourth")]).toEqual(["first", "third", "fourth"]);
  expect(late).not.toHaveBeenCalled();
});
