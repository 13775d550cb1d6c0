import { expect, test } from "vitest";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import type { NewPayment } from "../../../../api/selling/orders/payments.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { startApi } from "../../api.ts";
import { newLine, newOrder } from "./new-order.ts";

const at = new Date("2026-10-18T08:13:02.004Z");
const pay = (amount = "189.00", status: NewPayment["status"] = "paid"): NewPayment => ({
  method: "card",
  reference: "pi_1",
  amount,
  status,
});
const refund = (amount: string) => ({ reference: "re_1", reason: null, amount, created_at: at });

test("paid_at is the time of full payment, even if the same change refunds part of it", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  await changeOrder(db, 1, { payments: [pay()], refunds: [refund("9.00")] }, at);
  expect((await get("/api/orders/1")).json()).toMatchObject({
    payment_status: "partially_refunded",
    paid_at: at.toISOString(),
  });
});

test("an order with a total of 0 is paid once the shop accepts it, but not if it fails or is cancelled", async () => {
  const { db, get } = await startApi();
  const free = (status: Order["status"]) => newOrder({ status, lines: [newLine({ unit_price: "0" })] });
  for (const status of ["pending", "failed", "cancelled"] as const) await placeOrder(db, free(status), at);
  for (const status of ["processing", "on_hold", "completed"] as const) await placeOrder(db, free(status), at);
  await changeOrder(db, 1, { status: "processing" }, at);
  const { orders }: { orders: Order[] } = (await get("/api/orders")).json();
  const unpaid = ["unpaid", null, "0.00"];
  const paid = ["paid", at.toISOString(), "0.00"];
  expect(orders.map(({ payment_status, paid_at, totals }) => [payment_status, paid_at, totals.due])).toEqual([
    ...[paid, unpaid, unpaid],
    ...[paid, paid, paid],
  ]);
});

test("an order that was paid twice stays paid while the surplus is refunded, and not beyond", async () => {
  const { db, get } = await startApi();
  await placeOrder(db, newOrder());
  const seen: unknown[] = [];
  const change = async (given: Parameters<typeof changeOrder>[2]) => {
    await changeOrder(db, 1, given, at);
    const { payment_status, totals } = (await get("/api/orders/1")).json();
    seen.push([payment_status, totals.refunded, totals.due]);
  };
  await change({ payments: [pay(), { ...pay(), reference: "pi_2" }] });
  await change({ refunds: [refund("100.00")] });
  await change({ refunds: [{ ...refund("89.00"), reference: "re_2" }] });
  await change({ refunds: [{ ...refund("0.01"), reference: "re_3" }] });
  await change({ refunds: [{ ...refund("188.99"), reference: "re_4" }] });
  expect(seen).toEqual([
    ["paid", "0.00", "0.00"],
    ["paid", "100.00", "0.00"],
    ["paid", "189.00", "0.00"],
    ["partially_refunded", "189.01", "0.00"],
    ["refunded", "378.00", "0.00"],
  ]);
});

test("negative payments and refunds are refused with a message that says so", async () => {
  const { db, get } = await startApi();
  const negative = /payment, refund or discount can't be negative/;
  await expect(placeOrder(db, newOrder({ payments: [pay("-1.00")] }))).rejects.toThrow(negative);
  await placeOrder(db, newOrder());
  await expect(changeOrder(db, 1, { payments: [pay("-1.00")] })).rejects.toThrow(negative);
  await expect(changeOrder(db, 1, { payments: [pay()], refunds: [refund("-1.00")] })).rejects.toThrow(negative);
  expect((await get("/api/orders/1")).json()).toMatchObject({ version: 1, payments: [], refunds: [] });
});
