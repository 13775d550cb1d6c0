import { expect, test } from "vitest";
import type { Db } from "../../api/database.ts";
import { addDemoOrders } from "../../api/demo/orders.ts";
import { parseMoney, sum } from "../../api/orders/money.ts";
import type { Order } from "../../api/orders/schema.ts";
import { findOrder } from "../../api/orders/store.ts";
import { openTestDatabase } from "./api.ts";

async function readAll(db: Db): Promise<Order[]> {
  const rows = await db.selectFrom("orders").select("id").orderBy("id").execute();
  const orders = await Promise.all(rows.map(({ id }) => findOrder(db, id)));
  return orders.filter((order) => order !== undefined);
}

test("the demo has orders of every kind, once, and the same ones each time", async () => {
  const db = await openTestDatabase();
  expect(await addDemoOrders(db)).toBeGreaterThanOrEqual(120);
  expect(await addDemoOrders(db)).toBe(0);
  const orders = await readAll(db);
  const kinds = (of: (order: Order) => unknown) => [...new Set(orders.map(of))].sort();
  expect(kinds(({ currency }) => currency)).toEqual(["CZK", "EUR", "GBP", "JPY", "KWD", "USD"]);
  expect(kinds(({ status }) => status)).toHaveLength(7);
  expect(kinds(({ payment_status }) => payment_status)).toHaveLength(7);
  expect(kinds(({ fulfillment_status }) => fulfillment_status)).toHaveLength(4);
  expect(kinds(({ prices_include_tax }) => prices_include_tax)).toEqual([false, true]);
  expect(kinds(({ customer }) => (customer ? (customer.company ? "company" : "person") : "guest"))).toHaveLength(3);
  const text = JSON.stringify(orders);
  for (const script of ["Cyrillic", "Greek", "Arabic", "Hebrew", "Han", "Hiragana", "Thai", "Latin"]) {
    expect([script, new RegExp(`\\p{Script=${script}}`, "u").test(text)]).toEqual([script, true]);
  }
  expect(text).toMatch(/\p{Emoji_Presentation}/u);
  const again = await openTestDatabase();
  await addDemoOrders(again);
  expect(await readAll(again)).toEqual(orders);
});

test("the sums of every demo order are exact, and its times and numbers ascend", async () => {
  const db = await openTestDatabase();
  await addDemoOrders(db);
  const orders = await readAll(db);
  const add = (amounts: string[]) => sum(amounts.map((amount) => parseMoney(amount)));
  for (const { lines, shipping_lines, tax_lines, totals, discounts } of orders) {
    expect(add([...lines, ...shipping_lines].map(({ total }) => total))).toBe(parseMoney(totals.total));
    expect(add(tax_lines.map(({ amount }) => amount))).toBe(parseMoney(totals.tax));
    expect(add(discounts.map(({ amount }) => amount))).toBe(parseMoney(totals.discount));
  }
  const created = orders.map(({ created_at }) => created_at);
  expect(created).toEqual([...created].sort());
  expect(new Set(orders.map(({ sequence }) => sequence)).size).toBe(orders.length);
  expect(orders.every(({ created_at, updated_at }) => created_at <= updated_at && updated_at < "2026-11-21")).toBe(
    true,
  );
});
