import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { type NewOrder, placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { migrateAgain, startApi } from "../../api.ts";
import { newLine, newOrder, vat } from "./new-order.ts";

const emptyPerson = { first_name: null, last_name: null, company: null, phone: null };
const emptyPlace = { address1: "", address2: null, city: "", postal_code: null, region: null, country_code: "CZ" };

/** Every field of a new order, with `name` in each that takes free text. */
const allFields = (name: string): Partial<NewOrder> => {
  const person = { first_name: name, last_name: name, company: name, phone: name };
  const place = { address1: name, address2: name, city: name, postal_code: name, region: name, country_code: "JP" };
  return {
    customer: { id: 71, email: name, ...person, vat_id: name },
    billing_address: { ...person, ...place },
    shipping_address: { ...person, ...place },
    lines: [newLine({ name, sku: name, gtin: null, product_id: 5, quantity: 3 }), newLine({ taxes: [] })],
    shipping_lines: [
      { code: name, title: name, parts: [{ price: "10", taxes: [vat, { ...vat, code: name, title: name }] }] },
    ],
    discounts: [{ code: name, title: name, amount: "12" }],
    payments: [{ method: name, reference: name, amount: "5", status: "paid" }],
    note: name,
    external_id: name,
    buyer: { email: name, ...person, vat_id: name },
    buyer_reference: name,
    tax_treatment: "reverse_charge",
    vat_check: {
      vat_id: name,
      result: "valid",
      checked_at: "2026-10-18T08:11:30.000Z",
      consultation_number: name,
    },
  };
};

const orders: readonly NewOrder[] = [
  newOrder(),
  newOrder({
    customer: { id: 0, email: "", ...emptyPerson, vat_id: null },
    billing_address: { ...emptyPerson, ...emptyPlace },
  }),
  newOrder({ shipping_address: { ...emptyPerson, ...emptyPlace }, lines: [newLine({ sku: null, gtin: null })] }),
  newOrder({ discounts: [{ code: null, title: "", amount: "0" }], lines: [newLine({ unit_price: "1.2375" })] }),
  newOrder({ currency: "KWD", ...allFields("Zoë Åström") }),
  newOrder({ currency: "JPY", ...allFields("山田ガ 👩‍👩‍👧🏽 e\u0301"), lines: [newLine({ unit_price: "900" })] }),
  newOrder({ prices_include_tax: false, ...allFields('a"b\\c\u0000d\n</script>{"id":1,"lines":[]}, ‏يوسف') }),
];

const clearAsPlaced = (db: Db) => db.updateTable("orders").set({ as_placed: null, as_placed_shape: null });

test("a page built from as_placed is byte for byte the page built from the columns", async () => {
  const { db, get } = await startApi();
  for (const order of orders) await placeOrder(db, order);
  const urls = ["/api/orders", "/api/orders?changed_after=2&limit=4", "/api/orders?status=pending,failed"];
  const read = () => Promise.all(urls.map(async (url) => (await get(url)).body));
  const placed = await read();
  expect(JSON.parse(placed[0] ?? "").orders).toHaveLength(orders.length);
  await clearAsPlaced(db).execute();
  expect(await read()).toEqual(placed);
});

test("whoever follows the placing of an order is told it byte for byte as the API shows it", async () => {
  const { db, get } = await startApi();
  const told: unknown[] = [];
  for (const order of [...orders, newOrder({ status: "cancelled", placed_at: new Date() })])
    await placeOrder(db, order, undefined, async (_, { placed }) => {
      told.push(placed?.());
    });
  expect(JSON.stringify(told)).toBe(JSON.stringify((await get("/api/orders")).json().orders));
});

test("orders without as_placed or with another shape are served in full among the others", async () => {
  const { db, get } = await startApi();
  for (const order of orders) await placeOrder(db, order);
  const { body } = await get("/api/orders");
  await clearAsPlaced(db).where("id", "in", [1, 5]).execute();
  const older = { as_placed: Buffer.from('{"customer":"of another day"}'), as_placed_shape: "another" };
  await db.updateTable("orders").set(older).where("id", "in", [2, 7]).execute();
  await db.updateTable("orders").set({ as_placed: null }).where("id", "=", 3).execute();
  expect((await get("/api/orders")).body).toBe(body);
});

test("a change to an order shows on its page, and the other fields stay as placed", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder(allFields("Ada")));
  const [before] = (await get("/api/orders")).json().orders;
  const refunds = [{ reference: "re_1", reason: "late", amount: "1", created_at: new Date(0) }];
  const payments = [{ method: "bank", reference: "t_1", amount: "9", status: "paid" as const }];
  const texts = { cancel_reason: "no", note: "changed", external_id: "SO-2" };
  const change = { ...texts, status: "cancelled", fulfillment_status: "partial", payments, refunds } as const;
  await changeOrder(db, 1, change, new Date("2026-11-21T19:00:00.000Z"));
  const [after] = (await get("/api/orders")).json().orders;
  const changed = Object.keys(before).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  expect(changed).toEqual([
    ...["version", "sequence", "status", "payment_status", "fulfillment_status", "updated_at", "cancelled_at"],
    ...["cancel_reason", "payments", "refunds", "totals", "note", "external_id"],
  ]);
  expect(after).toEqual((await get("/api/orders/1")).json());
});

test("as_placed is written as before, or has a new shape", async () => {
  const { db } = await startApi();
  for (const order of orders) await placeOrder(db, order);
  const rows = await db.selectFrom("orders").select(["as_placed", "as_placed_shape"]).orderBy("id").execute();
  const bytes = Buffer.concat(rows.map(({ as_placed }) => as_placed ?? Buffer.from("none")));
  const written = createHash("sha256").update(bytes).digest("hex");
  // If only `written` differs, raise FORMAT_VERSION in as-placed.ts: otherwise pages would mix two formats.
  expect({ shapes: [...new Set(rows.map(({ as_placed_shape }) => as_placed_shape))], written }).toEqual({
    shapes: ["61b7dc049aa38941"],
    written: "38db48bb9b534c4b0bdf3baf3c341ac516ef1fa1f1a9bb1a47160e2805870be2",
  });
});

test("lines keep ids of their own beside those that an earlier release lets the database assign, before and after", async () => {
  const { db } = await startApi();
  const ids = async () => (await db.selectFrom("order_lines").select("id").orderBy("id").execute()).map(({ id }) => id);
  /** As an earlier release places an order: it takes its number, and stores lines without ids. */
  const placeAsBefore = async (position: number) => {
    await takeNumbers(db, "orders", { ids: 1, sequences: 1 });
    const { id: _, ...line } = await db.selectFrom("order_lines").selectAll().limit(1).executeTakeFirstOrThrow();
    await db
      .insertInto("order_lines")
      .values([0, 1].map((more) => ({ ...line, position: position + more })))
      .execute();
  };
  const two = newOrder({ lines: [newLine(), newLine()] });
  await placeOrder(db, two);
  await placeAsBefore(11);
  await placeOrder(db, two);
  await placeAsBefore(21);
  expect(await ids()).toEqual([1001, 1002, 1003, 1004, 3001, 3002, 3003, 3004]);
  // Of an earlier release whose placings often failed, which took ids too.
  await db.updateTable("order_lines").set({ id: 9_500 }).where("id", "=", 3004).execute();
  const folder = join(import.meta.dirname, "..", "..", "..", "..", "api", "platform", "database", "migrations");
  const [migration = ""] = globSync("*-space-line-ids.ts", { cwd: folder }).map((name) => basename(name, ".ts"));
  for (const next of [10, 11]) {
    await migrateAgain(db, migration);
    expect((await placeOrder(db, two)).id).toBe(next);
  }
});

test("the migration leaves earlier orders unchanged and can run again", async () => {
  const { db, get } = await startApi();
  for (const order of orders) await placeOrder(db, order);
  const { body } = await get("/api/orders");
  await db.schema.alterTable("orders").dropColumn("as_placed").dropColumn("as_placed_shape").execute();
  const again = async () => (await migrateAgain(db, "2026-11-21-01-add-as-placed"))[0];
  expect((await get("/api/orders")).body).toBe(body);
  expect(await again()).toBe("2026-11-21-01-add-as-placed");
  expect((await get("/api/orders")).body).toBe(body);
  await placeOrder(db, newOrder());
  expect(await again()).toBe("2026-11-21-01-add-as-placed");
  const rows = await db.selectFrom("orders").select("as_placed").orderBy("id").execute();
  expect(rows.map(({ as_placed }) => as_placed !== null)).toEqual([...orders.map(() => false), true]);
});
