import { expect, onTestFinished, test, vi } from "vitest";
import { writeJson } from "../../../../api/platform/database/columns.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import type { NewPayment } from "../../../../api/selling/orders/payments.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { ORDER_STATUSES, type Order } from "../../../../api/selling/orders/schema.ts";
import { migrateAgain, startApi } from "../../api.ts";
import { newOrder } from "../../selling/orders/new-order.ts";

const pay = (reference: string, amount: string, status: NewPayment["status"] = "paid"): NewPayment => ({
  method: "card",
  reference,
  amount,
  status,
});
const refund = (reference: string, amount: string) => ({ reference, reason: null, amount, created_at: new Date(0) });

/** Places an order of 189.00; `read` fetches it. */
async function start(overrides: Parameters<typeof newOrder>[0] = {}) {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder(overrides));
  return { db, get, read: async (): Promise<Order> => (await get("/api/orders/1")).json() };
}

test("only allowed status changes succeed; a refusal names both statuses and changes nothing", async () => {
  const { db, get } = await startApi();
  const allowed = [
    ...["pending processing", "pending on_hold", "pending cancelled", "pending failed"],
    ...["processing on_hold", "processing completed", "processing cancelled", "processing refunded"],
    ...["on_hold processing", "on_hold cancelled", "on_hold refunded", "completed on_hold", "completed refunded"],
    ...["failed pending", "failed cancelled"],
  ];
  const done: string[] = [];
  for (const from of ORDER_STATUSES) {
    const { id } = await placeOrder(db, newOrder({ status: from }));
    for (const to of ORDER_STATUSES.filter((status) => status !== from)) {
      const attempt = db.transaction().execute(async (transaction) => {
        await changeOrder(transaction, id, { status: to });
        await transaction.updateTable("orders").set({ status: from }).where("id", "=", id).execute();
      });
      const error = await attempt.then(
        () => undefined,
        (error: Error) => error,
      );
      if (error) expect(error.message).toContain(`An order that is ${from} can't become ${to}`);
      else done.push(`${from} ${to}`);
    }
  }
  expect(done.sort()).toEqual(allowed.sort());
  await expect(changeOrder(db, 5, { status: "on_hold", note: "kept out" })).rejects.toThrow(/that is cancelled can't/);
  expect((await get("/api/orders/5")).json()).toMatchObject({ version: 1, status: "cancelled", note: null });
  await changeOrder(db, 5, { status: "on_hold", by: "person" });
  expect((await get("/api/orders/5")).json()).toMatchObject({ status: "on_hold" });
  await expect(changeOrder(db, 6, { status: "on_hold", by: "person" })).rejects.toThrow(
    /refunded can't become on_hold/,
  );
});

test("a change without effect keeps the version and sequence", async () => {
  const { db, read } = await start();
  const change = {
    status: "processing",
    note: "Ring.",
    payments: [pay("pi_1", "189")],
    refunds: [refund("re_1", "9")],
  };
  const first = await changeOrder(db, 1, { ...change, status: "processing" });
  const before = await read();
  expect(await changeOrder(db, 1, { ...change, status: "processing" })).toEqual(first);
  expect(await read()).toEqual(before);
  expect(before).toMatchObject({ version: 2, sequence: 2 });
});

test("payments recorded at the same time are all kept, and each reference counts once", async () => {
  const { db, read } = await start();
  const payments = ["pi_1", "pi_2", "pi_3", "pi_1", "pi_2"].map((reference) => pay(reference, "50"));
  await Promise.all(payments.map((payment) => changeOrder(db, 1, { payments: [payment] })));
  const order = await read();
  expect(order.payments.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(order.payments.map(({ reference }) => reference).sort()).toEqual(["pi_1", "pi_2", "pi_3"]);
  expect(order).toMatchObject({ version: 4, payment_status: "partially_paid", totals: { due: "39.00" } });
  await changeOrder(db, 1, { payments: [pay("pi_4", "39"), pay("pi_4", "39")] });
  expect(await read()).toMatchObject({ payment_status: "paid", totals: { due: "0.00" } });
});

test("a payment's status and amount can change only until it is paid", async () => {
  const { db, read } = await start({ payments: [pay("pi_1", "189", "pending")] });
  await changeOrder(db, 1, { payments: [pay("pi_1", "189", "failed")] });
  await changeOrder(db, 1, { payments: [pay("pi_1", "100", "paid")] });
  expect((await read()).payments).toEqual([{ id: 1, ...pay("pi_1", "100.00") }]);
  for (const other of [pay("pi_1", "100", "voided"), pay("pi_1", "189")])
    await expect(changeOrder(db, 1, { payments: [other] })).rejects.toThrow(/pi_1 is paid already/);
  await changeOrder(db, 1, { payments: [{ ...pay("pi_1", "89"), method: "bank_transfer" }] });
  expect(await read()).toMatchObject({ payments: { length: 2 }, payment_status: "paid" });
});

test("a paid payment isn't overwritten, even if the database treats another method as equal", async () => {
  const { db, read } = await start({ payments: [pay("pi_1", "189")] });
  const padded = { ...pay("pi_1", "1", "voided"), method: "card  " };
  await expect(changeOrder(db, 1, { payments: [padded] })).rejects.toThrow(/A method can't be empty/);
  await expect(placeOrder(db, newOrder({ payments: [padded] }))).rejects.toThrow(/A method can't be empty/);
  await db.updateTable("order_payments").set({ method: "card " }).execute(); // only possible in SQL
  await expect(changeOrder(db, 1, { payments: [pay("pi_1", "1", "voided")] })).rejects.toThrow(/Duplicate entry/);
  expect(await read()).toMatchObject({ version: 1, payments: [pay("pi_1", "189.00")] });
  const rows = await db.selectFrom("order_payments").select(["amount", "status"]).execute();
  expect(rows).toEqual([{ amount: "189.0000", status: "paid" }]);
});

test("refunds add up, each reference counts once, and the sum can't exceed what was paid", async () => {
  const { db, read } = await start({ payments: [pay("pi_1", "189")] });
  await changeOrder(db, 1, { refunds: [refund("re_1", "9")] });
  await Promise.all([1, 2].map(() => changeOrder(db, 1, { refunds: [refund("re_2", "80")] })));
  expect(await read()).toMatchObject({ version: 3, refunds: [{ id: 1 }, { id: 2 }], totals: { refunded: "89.00" } });
  expect((await read()).refunds[0]).not.toHaveProperty("reference");
  await expect(changeOrder(db, 1, { refunds: [refund("re_1", "10")] })).rejects.toThrow(/re_1 is recorded already/);
  await expect(changeOrder(db, 1, { refunds: [refund("re_3", "101")] })).rejects.toThrow(/The refunds are larger/);
  expect(await read()).toMatchObject({ version: 3, refunds: { length: 2 } });
});

test("methods and references that are empty, too long or have spaces around them are refused", async () => {
  const { db } = await start();
  for (const reference of ["", " ", "pi_1 ", "\tpi_1"]) {
    await expect(changeOrder(db, 1, { payments: [pay(reference, "1")] })).rejects.toThrow(/A reference can't be empty/);
    await expect(changeOrder(db, 1, { refunds: [refund(reference, "1")] })).rejects.toThrow(
      /A reference can't be empty/,
    );
  }
  for (const method of ["", " ", "card ", " card"])
    await expect(changeOrder(db, 1, { payments: [{ ...pay("pi_1", "1"), method }] })).rejects.toThrow(
      /A method can't be empty/,
    );
  const long = { payments: [pay("x".repeat(256), "1")] };
  await expect(changeOrder(db, 1, long)).rejects.toThrow(/reference is longer than 255 characters/);
});

test("the migration copies payments and refunds to their tables, for any number of orders, and can run again", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder({ payments: [pay("pi_1", "100"), pay("pi_2", "89")] }));
  await changeOrder(db, 1, { refunds: [refund("re_1", "9"), { ...refund("re_2", "1"), reason: "late" }] });
  await placeOrder(db, newOrder());
  const read = async (id: number): Promise<Order> => (await get(`/api/orders/${id}`)).json();
  const before = await read(1);
  const stored = await db.selectFrom("orders").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
  const copies = Array.from({ length: 1_100 }, (_, index) => ({
    ...stored,
    ...{ id: index + 3, sequence: index + 10_000, number: `copy ${index}`, prices_include_tax: true },
    ...{ created_at: new Date(0), updated_at: new Date(0), placed_at: null, paid_at: null, cancelled_at: null },
    erp_pushed_at: null,
    billing_kept_until: null,
    transfer_since: null,
  }));
  await db.insertInto("orders").values(copies).execute();
  await db.deleteFrom("order_payments").execute();
  await db.deleteFrom("order_refunds").execute();
  for (const _time of ["first", "again"]) await migrateAgain(db, "2026-11-22-04-fill-order-payments");
  const count = async (table: "order_payments" | "order_refunds") =>
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n;
  expect([await count("order_payments"), await count("order_refunds")]).toEqual([2_202, 2_202]);
  await changeOrder(db, 1, { payments: [pay("pi_2", "89")], note: "Ring." });
  const { payments, refunds, totals, paid_at } = before;
  expect(await read(1)).toMatchObject({ version: 3, note: "Ring.", payments, refunds, totals, paid_at });
  await expect(changeOrder(db, 1_102, { payments: [pay("pi_1", "1")] })).rejects.toThrow(/pi_1 is paid already/);
});

test("the migration gives old orders the key of their e-mail address, and none without one, however often it is interrupted, and changes nothing else", async () => {
  const { db } = await startApi();
  const customer = { ...{ id: 7, first_name: null, last_name: null, company: null, phone: null, vat_id: null } };
  const emails = ["Ada@EXA\u200bMPLE.com", "ada@bücher.example", ""];
  for (const email of emails) await placeOrder(db, newOrder({ customer: { ...customer, email } }));
  await placeOrder(db, newOrder({ customer: null }));
  const read = () => db.selectFrom("orders").selectAll().orderBy("id").execute();
  const before = await read();
  const keys = ["ada@example.com", "ada@xn--bcher-kva.example", null, null];
  expect(before.map(({ email_key }) => email_key)).toEqual(keys);
  await db.updateTable("orders").set({ email_key: null }).where("id", ">", 1).execute();
  // As an earlier release leaves it that erased the person.
  await db.updateTable("orders").set({ email_key: "gone@example.com" }).where("id", ">", 2).execute();
  for (const _time of ["first", "again"]) await migrateAgain(db, "2026-11-25-11-add-email-key");
  expect(await read()).toEqual(before);
});

test("the migration cuts or merges payments that the new table can't hold, and reports it", async () => {
  const { db, get } = await startApi();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  await placeOrder(db, newOrder());
  await placeOrder(db, newOrder());
  const long = "x".repeat(255);
  const stored = (order: number, ...references: (string | null)[]) => {
    const payments = references.map((reference, index) => ({
      ...{ id: index + 1, method: "card", reference, amount: `${index + 1}.00`, status: "paid" as const },
    }));
    return db
      .updateTable("orders")
      .set({ payments: writeJson(payments) })
      .where("id", "=", order)
      .execute();
  };
  await stored(1, `${long}1`, `${long}2`, "", " ", null);
  await stored(2, "pi_1", "pi_1 ", "pi_2");
  for (const _time of ["first", "again"]) await migrateAgain(db, "2026-11-22-04-fill-order-payments");
  const rows = await db.selectFrom("order_payments").selectAll().orderBy("order_id").orderBy("position").execute();
  expect(rows.map(({ order_id, position, amount }) => [order_id, position, amount])).toEqual([
    ...[1, 2, 3, 4, 5].map((position) => [1, position, `${position}.0000`]),
    ...[
      [2, 1, "2.0000"],
      [2, 3, "3.0000"],
    ],
  ]);
  expect(new Set(rows.map(({ reference }) => reference)).size).toBe(5);
  expect(warn.mock.calls.flat().slice(-2)).toEqual([
    "1 payments had the method and reference of another one; their last state was kept. Check these orders: 2.",
    "2 payments had a method or reference that was too long; it was cut. Check these orders: 1.",
  ]);
  await changeOrder(db, 1, { payments: [pay("pi_9", "1")] });
  expect((await get("/api/orders/1")).json().payments).toHaveLength(6);
});
