import { expect, test } from "vitest";
import { parseMoney } from "../../../../api/contract/money.ts";
import { addDemoOrders } from "../../../../api/operation/demo/orders.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { sum } from "../../../../api/selling/orders/money.ts";
import { findOrder } from "../../../../api/selling/orders/queries.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { openTestDatabase } from "../../api.ts";
import { product, variant } from "../../selling/catalogue/catalogue.ts";

async function readAll(db: Db): Promise<Order[]> {
  const rows = await db.selectFrom("orders").select("id").orderBy("id").execute();
  const orders = await Promise.all(rows.map(({ id }) => findOrder(db, id)));
  return orders.filter((order) => order !== undefined);
}

test("demo orders cover every kind, are added once, and are the same every time", async () => {
  const db = await openTestDatabase();
  expect(await addDemoOrders(db)).toBeGreaterThanOrEqual(120);
  expect(await addDemoOrders(db)).toBe(0);
  const orders = await readAll(db);
  const kinds = (of: (order: Order) => unknown) => [...new Set(orders.map(of))].sort();
  expect(kinds(({ lines }) => lines.some(({ sku }) => sku === null))).toEqual([false, true]);
  expect(kinds(({ lines }) => lines.some(({ unit_price }) => /\.\d{4}$/.test(unit_price)))).toEqual([false, true]);
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

test.each([
  { currency: "JPY", prices_include_tax: true, tax_rate: "0.1", price: "24800", tax: "Tax 10 %" },
  { currency: "CHF", prices_include_tax: false, tax_rate: "0.081", price: "89.90", tax: "Tax 8.1 %" },
  { currency: "KWD", prices_include_tax: false, tax_rate: "0", price: "12.500", tax: undefined },
])("demo orders use the shop's currency $currency, its tax rate $tax_rate and its SKUs", async ({ tax, ...terms }) => {
  const db = await openTestDatabase();
  const options = { Size: "Large" };
  await importProducts(db, [
    product("kawa", { variants: [variant("KAWA-1", terms)] }),
    product("yama", { variants: [variant("YAMA-1", { ...terms, options }), variant("YAMA-2", { ...terms, options })] }),
  ]);
  await addDemoOrders(db);
  const orders = await readAll(db);
  const digits = terms.price.split(".")[1]?.length ?? 0;
  const all = <Value>(of: (order: Order) => Value[]) => new Set(orders.flatMap(of));
  expect(all(({ currency }) => [currency])).toEqual(new Set([terms.currency]));
  expect(all(({ lines }) => lines.map(({ sku }) => sku))).toEqual(new Set(["KAWA-1", "YAMA-1", "YAMA-2", null]));
  expect(all(({ tax_lines }) => tax_lines.map(({ title }) => title))).toEqual(new Set(tax === undefined ? [] : [tax]));
  expect(all(({ tax_lines }) => tax_lines.map(({ rate }) => Number(rate)))).toEqual(
    new Set(tax === undefined ? [] : [Number(terms.tax_rate)]),
  );
  const untaxed = orders.filter(({ tax_lines }) => tax_lines.length === 0);
  expect(untaxed.every(({ prices_include_tax }) => !prices_include_tax)).toBe(true);
  const home = orders.filter(({ tax_lines }) => tax_lines.length > 0);
  expect(home.every(({ prices_include_tax }) => prices_include_tax === terms.prices_include_tax)).toBe(true);
  const listed = home.flatMap(({ lines }) => lines).filter(({ sku }) => sku !== null);
  expect(listed.every(({ unit_price }) => unit_price === terms.price)).toBe(true);
  expect(orders.every(({ totals }) => (totals.total.split(".")[1]?.length ?? 0) === digits)).toBe(true);
});

test("what demo orders say of their parcels is what partners would have reported", async () => {
  const db = await openTestDatabase();
  await addDemoOrders(db);
  const sentOf = ({ fulfillments }: Order, lineId: number) =>
    fulfillments
      .flatMap(({ lines }) => lines)
      .filter(({ line_id }) => line_id === lineId)
      .reduce((pieces, { quantity }) => pieces + quantity, 0);
  for (const order of await readAll(db)) {
    const left = order.lines.map((line) => line.quantity - sentOf(order, line.id));
    const word =
      order.fulfillments.length === 0 ? "unfulfilled" : left.every((pieces) => pieces === 0) ? "fulfilled" : "partial";
    expect(left.every((pieces) => pieces >= 0)).toBe(true);
    expect([order.number, order.fulfillment_status]).toEqual([
      order.number,
      order.status === "refunded" ? "returned" : word,
    ]);
  }
});

test("every demo order adds up exactly, and its times and sequence are consistent", async () => {
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
