import { expect, test } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { byDepth } from "../../../depth.ts";
import type { Customer } from "../../platform/private-pages/pages.ts";
import { readMain } from "../basket/page-text.ts";
import { placeFields } from "./filled-form.ts";
import { enterDetails, place, review, startCheckout, startSecondProcess } from "./start-checkout.ts";

const SKU = "KES-C2-BK";

async function countStock(db: Db, count: number | null, more: { restock_on?: string | null } = {}) {
  await db
    .insertInto("stock")
    .values({ sku: SKU, count, ...more })
    .onDuplicateKeyUpdate({ count, ...more })
    .execute();
}

const readStock = (db: Db) =>
  db.selectFrom("stock").select(["count", "held"]).where("sku", "=", SKU).executeTakeFirstOrThrow();

const countOrders = async (db: Db) => (await db.selectFrom("orders").select("id").execute()).length;

test("buyers at once for the last pieces, fewer than them: as many orders as pieces, and every other answer says so", async () => {
  const { pieces, buyersAtOnce } = byDepth({
    usual: { pieces: 3, buyersAtOnce: 12 },
    deep: { pieces: 10, buyersAtOnce: 50 },
  });
  const placementsPerHour = 100;
  const shop = await startCheckout({ placementsPerHour });
  const { db, customer, otherCustomer } = shop;
  await countStock(db, pieces);
  const buyers = await Promise.all(
    Array.from({ length: buyersAtOnce }, async (_, index) => {
      const buyer = otherCustomer();
      await buyer.post("/cart/lines", { sku: SKU, quantity: "1" });
      const fields = await review(buyer, { email: `buyer${index}@novak.example` });
      return { buyer: index % 2 ? startSecondProcess(shop, buyer, { placementsPerHour }) : buyer, fields };
    }),
  );
  const answers = await Promise.all(buyers.map(({ buyer, fields }) => place(buyer, fields)));
  const statuses = Object.groupBy(answers, ({ statusCode }) => statusCode);
  expect(Object.entries(statuses).map(([status, those]) => [status, those?.length])).toEqual([
    ["303", pieces],
    ["422", buyersAtOnce - pieces],
  ]);
  for (const { payload } of statuses[422] ?? [])
    expect(readMain(payload)).toMatch(/so nothing was ordered\. Nothing in your basket can be ordered/);
  expect(await countOrders(db)).toBe(pieces);
  expect(await readStock(db)).toEqual({ count: pieces, held: pieces });
  // What was in their baskets is still there.
  expect(readMain((await customer.get("/cart")).payload)).toContain("Out of stock");
});

/** What a page says; a comma may follow a tag. */
const read = async (customer: Customer, path: string) =>
  readMain((await customer.get(path)).payload).replaceAll(" ,", ",");

test("who wants more than is left is told how many there are, and nothing is ordered or taken away", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await countStock(db, 1);
  const answer = await place(customer, fields);
  expect(answer.statusCode).toBe(422);
  const page = readMain(answer.payload);
  expect(page).toContain("You have more of an item than you can order, so nothing was ordered.");
  expect(page).toContain("Only 1 is left. Change the quantity to 1.");
  expect(answer.payload).not.toContain('action="/checkout/place"');
  for (const path of ["/cart", `/buy/${SKU}:2`]) {
    expect(await read(customer, path)).toContain("In stock, 1 left");
    expect(await read(customer, path)).toContain("Only 1 is left. Change the quantity to 1.");
  }
  expect([await countOrders(db), await readStock(db)]).toEqual([0, { count: 1, held: 0 }]);
  await customer.post("/cart/quantities", { [`quantity:${SKU}:2`]: "1" });
  expect((await place(customer, await review(customer))).statusCode).toBe(303);
  expect(await readStock(db)).toEqual({ count: 1, held: 1 });
});

test("the last piece that somebody else takes while the form is sent is refused at the lock", async () => {
  const { db, customer, otherCustomer } = await startCheckout();
  await countStock(db, 3);
  const other = otherCustomer();
  await other.post("/cart/lines", { sku: SKU, quantity: "2" });
  const [mine, theirs] = [await review(customer), await review(other)];
  const answers = await Promise.all([place(customer, mine), place(other, theirs)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
  expect(await readStock(db)).toEqual({ count: 3, held: 2 });
});

test("what an order held is free again once it's cancelled, and reopening it may leave too few", async () => {
  const { db, customer } = await startCheckout();
  await countStock(db, 2);
  await place(customer, await review(customer));
  await changeOrder(db, 1, { status: "cancelled" });
  expect(await readStock(db)).toEqual({ count: 2, held: 0 });
  await countStock(db, 1);
  await changeOrder(db, 1, { status: "on_hold", by: "person" });
  expect(await readStock(db)).toEqual({ count: 1, held: 2 });
  const matters = await db.selectFrom("attention").select("reason").where("done_at", "is", null).execute();
  expect(matters).toEqual([{ reason: "too_few_left" }]);
});

test("a version that may go on back-order is sold beyond the last piece, to whoever was told so", async () => {
  const { db, customer, otherCustomer } = await startCheckout();
  await db.updateTable("product_variants").set({ when_sold_out: "backorder" }).where("sku", "=", SKU).execute();
  await countStock(db, 2, { restock_on: "2099-02-03" });
  await enterDetails(customer);
  const page = await read(customer, "/checkout/review");
  expect(page).not.toContain("3 February 2099");
  const fields = await review(customer);
  const other = otherCustomer();
  await other.post("/cart/lines", { sku: SKU, quantity: "1" });
  await place(other, await review(other));
  // One of two is gone: what was promised doesn't hold any more, and is shown again.
  const answer = await place(customer, fields);
  expect(answer.statusCode).toBe(422);
  expect(readMain(answer.payload)).toContain(
    "Only 1 of these is in stock; all are dispatched when the rest arrives, expected 3 February 2099.",
  );
  expect(await read(customer, "/cart")).toContain("On back-order (expected 3 February 2099), 1 of them in stock now");
  // A day that has passed is said no more.
  await countStock(db, 2, { restock_on: "2026-02-03" });
  expect(await read(customer, "/cart")).toContain("On back-order, 1 of them in stock now");
  expect(await read(customer, "/checkout/review")).toContain("all are dispatched when the rest arrives.");
  expect((await place(customer, await review(customer))).statusCode).toBe(303);
  expect(await readStock(db)).toEqual({ count: 2, held: 3 });
});

test("an order takes no more of a version than store.yaml allows, and whoever wants more reads where to ask, in both faces", async () => {
  const { app, db, customer } = await startCheckout({ facts: { most_per_order: 1 } });
  await countStock(db, 1);
  const tooFew = "Only 1 is left. Change the quantity to 1.";
  const tooMany =
    "An order can have only 1 of this item. Change the quantity to 1. If you need more, write to sales@shop.example.";
  await enterDetails(customer);
  const readAll = async () => [
    await read(customer, "/checkout/review"),
    await read(customer, "/cart"),
    await read(customer, `/buy/${SKU}:2`),
    (await app.inject({ url: `/buy/${SKU}:2`, headers: { "x-face": "md" } })).payload,
  ];
  // All that is left, and no reason to write.
  for (const page of await readAll()) expect([page.includes(tooFew), page.includes(tooMany)]).toEqual([true, false]);
  // There could be more, later.
  await db.updateTable("product_variants").set({ when_sold_out: "backorder" }).where("sku", "=", SKU).execute();
  for (const page of await readAll()) expect([page.includes(tooFew), page.includes(tooMany)]).toEqual([false, true]);
  await countStock(db, null);
  for (const page of await readAll()) expect([page.includes(tooFew), page.includes(tooMany)]).toEqual([false, true]);
  const { payload } = await customer.get("/checkout/review");
  expect(readMain(payload)).toContain("Lower its quantity, then you can place the order.");
  expect(payload).not.toContain('action="/checkout/place"');
});

test("a German shop says the same of what is left and of what is too much", async () => {
  const { db, customer } = await startCheckout({ facts: { locale: "de-DE", most_per_order: 5 } });
  const fields = await review(customer);
  await countStock(db, 1);
  expect(await read(customer, "/cart")).toContain("Auf Lager, noch 1 Stück");
  const refused = readMain((await place(customer, fields)).payload);
  expect(refused).toContain("Es wurde nichts bestellt. Verringern Sie die Menge im Warenkorb");
  expect(refused).toContain("Es gibt nur noch 1 Stück. Ändern Sie die Menge auf 1.");
  await countStock(db, 9);
  await customer.post("/cart/quantities", { [`quantity:${SKU}:2`]: "6" });
  expect(await read(customer, "/checkout/review")).toContain(
    "Je Bestellung sind höchstens 5 Stück dieses Artikels möglich. Ändern Sie die Menge auf höchstens 5.",
  );
  await countStock(db, 0);
  expect(readMain((await place(customer, fields)).payload)).toContain(
    "Es wurde nichts bestellt. Nichts in Ihrem Warenkorb ist zurzeit bestellbar.",
  );
});

test("of two items the one that is sold out is left out of the order by name, and stays in the basket", async () => {
  const { db, customer } = await startCheckout();
  await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
  const fields = await review(customer);
  await countStock(db, 0);
  const refused = await place(customer, fields);
  expect(refused.statusCode).toBe(422);
  expect(readMain(refused.payload)).toMatch(/isn’t part of this order and stays in your basket: Kestrel C2 scanner/);
  expect(readMain(refused.payload)).not.toContain("The name of an item has changed");
  expect(await countOrders(db)).toBe(0);
  await place(customer, placeFields(refused.payload));
  expect(await db.selectFrom("order_lines").select("sku").execute()).toEqual([{ sku: "KES-CABLE" }]);
  expect(await read(customer, "/cart")).toContain("You can’t order this at the moment, so it isn’t in the total.");
});

test("what the basket says of each of content's words follows from what is left", async () => {
  const { db, customer } = await startCheckout();
  const day = "2099-02-03";
  const later = "(expected 3 February 2099)";
  const out = "Out of stock";
  const rows = [
    [{ availability: "in_stock" }, "In stock", "In stock, 5 left", out],
    [
      { availability: "in_stock", when_sold_out: "backorder" },
      "In stock",
      "In stock, 5 left",
      `On back-order ${later}`,
    ],
    ...(["preorder", "backorder"] as const).map((availability) => {
      const said = `${availability === "preorder" ? "Pre-order" : "On back-order"} ${later}`;
      return [{ availability, available_from: day }, said, "In stock, 5 left", said] as const;
    }),
    [{ availability: "out_of_stock" }, out, out, out],
  ] as const;
  for (const [said, uncounted, some, none] of rows) {
    const written = { available_from: null, when_sold_out: "out_of_stock", ...said } as const;
    await db.updateTable("product_variants").set(written).where("sku", "=", SKU).execute();
    const found: unknown[] = [];
    for (const count of [null, 5, 0, -2]) {
      await countStock(db, count, { restock_on: count === null ? null : day });
      const page = await read(customer, "/cart");
      found.push(page.split(`SKU ${SKU} `)[1]?.split(/ (?:each|Quantity)/)[0]);
    }
    expect([said, ...found]).toEqual([said, uncounted, some, none, none]);
  }
});

test("a shop that counts nothing sells as before, and no page has a number of pieces", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  for (const path of ["/cart", "/checkout/review"]) expect(await read(customer, path)).not.toContain("left");
  await place(customer, fields);
  expect(await countOrders(db)).toBe(1);
  expect(await readStock(db)).toEqual({ count: null, held: 2 });
});
