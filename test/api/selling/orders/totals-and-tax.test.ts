import fc from "fast-check";
import { expect, test } from "vitest";
import { currencyDigits } from "../../../../api/contract/currencies.ts";
import { formatMoney } from "../../../../api/contract/money.ts";
import { computeDue } from "../../../../api/selling/orders/amount-due.ts";
import { sum } from "../../../../api/selling/orders/money.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { type PricedLine, priceBasket } from "../../../../api/selling/orders/totals-and-tax.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { startApi } from "../../api.ts";
import { newLine, newOrder } from "./new-order.ts";

const taxes = fc.uniqueArray(
  fc.constantFrom(
    { code: "A", title: "VAT 21 %", rate: "0.21" },
    { code: "B", title: "Local", rate: "0.01375" },
    { code: "C", title: "State", rate: "0.0725" },
    { code: "D", title: "Zero", rate: "0" },
  ),
  { maxLength: 3 },
);
const decimal = (digits: number) =>
  fc.bigInt({ min: 0n, max: 10n ** 9n }).map((amount) => formatMoney(amount * 10n ** BigInt(4 - digits), digits));
const line = fc.record({ quantity: fc.integer({ min: 1, max: 999 }), unit_price: decimal(4), taxes });

const basket = fc.constantFrom("EUR", "JPY", "KWD").chain((currency) =>
  fc.record({
    currency: fc.constant(currency),
    prices_include_tax: fc.boolean(),
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    shipping_lines: fc.array(
      fc.record({
        parts: fc.array(fc.record({ price: decimal(currencyDigits(currency)), taxes }), { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
    discount: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

test("the sums of any order are exact in currencies with 0, 2 and 3 digits", () => {
  fc.assert(
    fc.property(basket, ({ discount, ...random }) => {
      const digits = currencyDigits(random.currency);
      const gross = sum(
        priceBasket({ ...random, discounts: [] }).lines.map((line) => grossOf(line, random.prices_include_tax)),
      );
      const step = 10n ** BigInt(4 - digits);
      const off = ((gross * BigInt(Math.floor(discount * 1000))) / 1000n / step) * step;
      const priced = priceBasket({ ...random, discounts: [{ amount: formatMoney(off, digits) }] });
      const { lines, shipping, totals } = priced;
      expect(totals.total).toBe(sum([...lines, ...shipping].map(({ total }) => total)));
      expect(totals.tax).toBe(sum(priced.tax_lines.map(({ amount }) => amount)));
      expect(totals.tax).toBe(totals.items_tax + totals.shipping_tax);
      expect(totals.total).toBe(totals.items_net + totals.shipping_net + totals.tax);
      expect(totals.discount).toBe(off);
      expect(sum(lines.map(({ discount }) => discount))).toBe(off);
      for (const { net, tax, total, tax_lines } of [...lines, ...shipping]) {
        expect(net + tax).toBe(total);
        expect(sum(tax_lines.map(({ amount }) => amount))).toBe(tax);
        for (const amount of [net, tax, total, ...tax_lines.map(({ amount }) => amount)]) {
          expect(amount >= 0n && amount % step === 0n).toBe(true);
        }
      }
    }),
    { numRuns: byDepth({ usual: 500, deep: 5_000 }), seed: seedFor("api/selling/orders") },
  );
});

const grossOf = ({ net, total }: PricedLine & { net: bigint; total: bigint }, included: boolean) =>
  included ? total : net;

test("stored amounts keep every digit, beyond the precision of a float", async () => {
  const { db, get } = await startApi();
  const lines = [newLine({ unit_price: "99999999999.9999", quantity: 1000, taxes: [] })];
  await placeOrder(db, newOrder({ currency: "KWD", lines }));
  await placeOrder(db, newOrder({ currency: "JPY", lines: [newLine({ unit_price: "1200", quantity: 3 })] }));
  await placeOrder(db, newOrder({ currency: "EUR", lines: [newLine({ unit_price: "0.0125", quantity: 3 })] }));
  const { orders } = (await get("/api/orders")).json();
  expect(orders[0]).toMatchObject({ totals: { total: "99999999999999.900", due: "99999999999999.900" } });
  expect(orders[0].lines[0].unit_price).toBe("99999999999.9999");
  expect(orders[1]).toMatchObject({ totals: { total: "3600", tax: "625", items_net: "2975", discount: "0" } });
  expect(orders[2].lines[0]).toMatchObject({
    unit_price: "0.0125",
    total: "0.04",
    net_total: "0.03",
    tax_total: "0.01",
  });
});

test("an order that can't be priced is refused, and nothing is stored", async () => {
  const { db, get } = await startApi();
  const bad = [
    newOrder({ lines: [] }),
    newOrder({ lines: [newLine({ quantity: 0 })] }),
    newOrder({ lines: [newLine({ quantity: 1.5 })] }),
    newOrder({ lines: [newLine({ unit_price: "-1" })] }),
    newOrder({ lines: [newLine({ unit_price: "999999999999999.99", quantity: 2 })] }),
    newOrder({ discounts: [{ code: null, title: "Too much", amount: "189.01" }] }),
    newOrder({ currency: "JPY", payments: [{ method: "card", reference: "pi_1", amount: "0.5", status: "paid" }] }),
  ];
  for (const order of bad) await expect(placeOrder(db, order)).rejects.toThrow(RangeError);
  expect((await get("/api/orders")).json().orders).toEqual([]);
});

test("the payment status follows from payments and refunds", () => {
  const pay = (status: "pending" | "authorized" | "paid" | "failed" | "voided", amount = "10.00") => ({
    status,
    amount,
  });
  const cases = [
    [[], [], "unpaid", 100_000n],
    [[pay("failed")], [], "unpaid", 100_000n],
    [[pay("voided")], [], "voided", 100_000n],
    [[pay("authorized")], [], "authorized", 100_000n],
    [[pay("paid", "4.00")], [], "partially_paid", 60_000n],
    [[pay("failed"), pay("paid")], [], "paid", 0n],
    [[pay("paid")], [{ amount: "4.00" }], "partially_refunded", 0n],
    [[pay("paid")], [{ amount: "10.00" }], "refunded", 0n],
  ] as const;
  for (const [payments, refunds, payment_status, due] of cases) {
    const settled = computeDue({ status: "processing", total: 100_000n, payments, refunds });
    expect(settled).toMatchObject({ payment_status, due });
  }
  expect(computeDue({ status: "cancelled", total: 100_000n, payments: [], refunds: [] }).due).toBe(0n);
  expect(() => computeDue({ status: "completed", total: 1n, payments: [], refunds: [{ amount: "1" }] })).toThrow(
    RangeError,
  );
});
