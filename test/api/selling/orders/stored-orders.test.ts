import { expect, test } from "vitest";
import type { JsonText } from "../../../../api/platform/database/columns.ts";
import { changeOrder, type OrderChange } from "../../../../api/selling/orders/change-order.ts";
import { type NewOrder, placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { startApi } from "../../api.ts";
import { newLine, newOrder, vat } from "./new-order.ts";

const never = new Date(Number.NaN);
const line = (overrides: Partial<NewOrder["lines"][number]>) => newOrder({ lines: [newLine(overrides)] });

test("a value that its column can't hold is refused by name before anything is written", async () => {
  const { db, get } = await startApi();
  const orders: [NewOrder, RegExp][] = [
    [line({ quantity: 2 ** 32 }), /quantity isn't a whole number from 1 to 4294967295/],
    [line({ quantity: 0 }), /quantity isn't a whole number from 1 to 4294967295/],
    [line({ product_id: -1 }), /order\.lines\.0\.product_id isn't a whole number/],
    [line({ sku: "x".repeat(192) }), /order\.lines\.0\.sku is longer than 191 characters/],
    [line({ gtin: "0".repeat(15) }), /order\.lines\.0\.gtin is longer than 14 characters/],
    [line({ name: "é".repeat(33_000) }), /order\.lines\.0\.name is longer than 65535 bytes/],
    [newOrder({ external_id: "🧾".repeat(192) }), /order\.external_id is longer than 191 characters/],
    [newOrder({ note: "half \ud83d" }), /order\.note has half a character/],
    [newOrder({ placed_at: never }), /order\.placed_at isn't a date/],
  ];
  for (const [order, message] of orders) {
    await expect(placeOrder(db, order)).rejects.toThrow(message);
    await expect(placeOrder(db, order)).rejects.toThrow(RangeError);
  }
  await expect(placeOrder(db, newOrder(), never)).rejects.toThrow(/order\.at isn't a date/);
  await placeOrder(db, line({ sku: "🧾".repeat(191), quantity: 2 ** 32 - 1, unit_price: "0.01" }));
  const changes: [OrderChange, RegExp][] = [
    [{ cancel_reason: "x".repeat(65_536) }, /change\.cancel_reason is longer/],
    [{ note: "\udc00" }, /change\.note has half a character/],
    [
      { refunds: [{ reference: "re_1", reason: null, amount: "0", created_at: never }] },
      /change\.refunds\.0\.created_at isn't a date/,
    ],
  ];
  for (const [change, message] of changes) await expect(changeOrder(db, 1, change)).rejects.toThrow(message);
  expect((await get("/api/orders")).json().orders).toMatchObject([{ version: 1 }]);
});

test("a nested field that was added after an order was stored is null in that order", async () => {
  const { db, get } = await startApi();
  const name = { first_name: "Ada", last_name: null, company: null, phone: null };
  const place = { address1: "Dlouhá 12", address2: null, city: "Praha", postal_code: null, region: null };
  await placeOrder(
    db,
    newOrder({
      customer: { id: 1, email: "ada@example.com", ...name, vat_id: null },
      billing_address: { ...name, ...place, country_code: "CZ" },
      discounts: [{ code: null, title: "Off", amount: "1.00" }],
      payments: [{ method: "card", reference: "pi_1", amount: "188.00", status: "paid" }],
    }),
  );
  await changeOrder(db, 1, { refunds: [{ reference: "re_1", reason: null, amount: "1.00", created_at: new Date(0) }] });
  const placed = (await get("/api/orders/1")).json();
  const before = { ...placed, payments: [{ ...placed.payments[0], reference: null }] };
  const older = <T>(stored: T, ...names: string[]) =>
    JSON.stringify(stored, (key, value) => (names.includes(key) ? undefined : value)) as JsonText<T>;
  const row = {
    customer: older(before.customer, "vat_id", "phone"),
    billing_address: older(before.billing_address, "region"),
    discounts: older(before.discounts, "code"),
    payments: older(before.payments, "reference"),
    refunds: older(before.refunds, "reason"),
    as_placed_shape: "of that day",
  };
  await db.updateTable("orders").set(row).execute();
  expect((await get("/api/orders/1")).json()).toEqual(before);
  expect((await get("/api/orders")).json().orders).toEqual([before]);
});

test("what the taxes of an order from a release without `taxable` are computed on follows from its sums, as far as they say it", async () => {
  const { db, get } = await startApi();
  const reduced = { code: "CZ-12", title: "12% VAT", rate: "0.12" };
  const shipping_lines = [
    { code: "standard", title: "Standard delivery", parts: [{ price: "10.00", taxes: [vat] }] },
  ] as const;
  for (const other of [vat, reduced])
    await placeOrder(db, newOrder({ lines: [newLine(), newLine({ taxes: [other] })], shipping_lines }));
  const [alike, mixed] = (await get("/api/orders")).json().orders;
  const older = <T>(stored: JsonText<T>) =>
    JSON.stringify(JSON.parse(stored), (key, value) => (key === "taxable" ? undefined : value)) as JsonText<T>;
  for (const { id, tax_lines, shipping_lines } of await db.selectFrom("orders").selectAll().execute()) {
    const row = { tax_lines: older(tax_lines), shipping_lines: older(shipping_lines), as_placed_shape: "of that day" };
    await db.updateTable("orders").set(row).where("id", "=", id).execute();
  }
  for (const { id, tax_lines } of await db.selectFrom("order_lines").selectAll().execute())
    await db
      .updateTable("order_lines")
      .set({ tax_lines: older(tax_lines) })
      .where("id", "=", id)
      .execute();
  const tax_lines = mixed.tax_lines.map((tax: object) => ({ ...tax, taxable: null }));
  expect(tax_lines).toHaveLength(2);
  expect((await get("/api/orders")).json().orders).toEqual([alike, { ...mixed, tax_lines }]);
  expect((await get("/api/orders/2")).json()).toEqual({ ...mixed, tax_lines });
});
