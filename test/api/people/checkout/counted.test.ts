import { expect, test } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { byDepth } from "../../../depth.ts";
import { readMain } from "../basket/page-text.ts";
import { enterDetails, place, review, startCheckout, startSecondProcess } from "./start-checkout.ts";

const SKU = "KES-C2-BK";

async function countStock(db: Db, count: number | null, more: { restock_on?: string } = {}) {
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
    expect(readMain(payload)).toContain("Nothing in your basket can be ordered");
  expect(await countOrders(db)).toBe(pieces);
  expect(await readStock(db)).toEqual({ count: pieces, held: pieces });
  // What was in their baskets is still there.
  expect(readMain((await customer.get("/cart")).payload)).toContain("Out of stock");
});

test("who wants more than is left is told how many there are, and nothing is ordered or taken away", async () => {
  const { db, customer } = await startCheckout();
  const fields = await review(customer);
  await countStock(db, 1);
  const answer = await place(customer, fields);
  expect(answer.statusCode).toBe(422);
  expect(readMain(answer.payload)).toContain("1 left");
  expect(answer.payload).not.toContain('action="/checkout/place"');
  expect(readMain((await customer.get("/cart")).payload)).toContain("1 left");
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
  await countStock(db, 2, { restock_on: "2031-02-03" });
  await enterDetails(customer);
  const page = readMain((await customer.get("/checkout/review")).payload);
  expect(page).not.toContain("3 February 2031");
  const fields = await review(customer);
  const other = otherCustomer();
  await other.post("/cart/lines", { sku: SKU, quantity: "1" });
  await place(other, await review(other));
  // One of two is gone: what was promised doesn't hold any more, and is shown again.
  const answer = await place(customer, fields);
  expect(answer.statusCode).toBe(422);
  expect(readMain(answer.payload)).toContain("Expected 3 February 2031");
  expect((await place(customer, await review(customer))).statusCode).toBe(303);
  expect(await readStock(db)).toEqual({ count: 2, held: 3 });
});

test("an order takes no more of a version than store.yaml allows", async () => {
  const { customer } = await startCheckout({ facts: { most_per_order: 1 } });
  await enterDetails(customer);
  const { payload } = await customer.get("/checkout/review");
  expect(readMain(payload)).toContain("An order can have only 1 of this item.");
  expect(payload).not.toContain('action="/checkout/place"');
});

test("a shop that counts nothing sells as before", async () => {
  const { db, customer } = await startCheckout();
  await place(customer, await review(customer));
  expect(await countOrders(db)).toBe(1);
  expect(await readStock(db)).toEqual({ count: null, held: 2 });
});
