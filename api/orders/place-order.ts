import { columnFault, writeJson } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { takeNumbers } from "../database/sequence.ts";
import { inTransaction } from "../database/transaction.ts";
import { asPlacedColumns } from "./as-placed.ts";
import { formatMoney } from "./money.ts";
import { mergePayments, type NewPayment, readAmount, writePayments } from "./payments.ts";
import { type PricedLine, type PricedShipping, priceBasket, type TaxAmount, type Taxed } from "./pricing.ts";
import { findLines } from "./queries.ts";
import type { Order, OrderLine } from "./schema.ts";
import { settle } from "./settlement.ts";

type Given =
  | "status"
  | "currency"
  | "prices_include_tax"
  | "customer"
  | "billing_address"
  | "shipping_address"
  | "discounts"
  | "note"
  | "external_id";

/** What the shop knows when an order is placed; amounts are decimal strings in the order's currency. */
export interface NewOrder extends Pick<Order, Given> {
  lines: readonly (PricedLine & Pick<OrderLine, "product_id" | "sku" | "gtin" | "name">)[];
  shipping_lines: readonly (PricedShipping & Pick<Order["shipping_lines"][number], "code" | "title">)[];
  payments: readonly NewPayment[];
  /** When the customer placed it; null for a draft that nobody has placed. */
  placed_at: Date | null;
}

/**
 * Stores an order: prices it, takes its id and sequence from the counter row and holds that row until the commit, so
 * that orders become visible in the order of their ids. `at` is the time of storing. Returns id and sequence.
 * Throws RangeError on amounts, quantities, texts or dates that cannot be; nothing is stored then.
 */
export async function placeOrder(db: Db, order: NewOrder, at = new Date()): Promise<{ id: number; sequence: number }> {
  // Before the counter is taken: whoever holds it makes every other writer wait.
  const { header, lines, payments } = toOrderRows(order, at);
  return inTransaction(db, async (transaction) => {
    const numbers = await takeNumbers(transaction, "orders", { ids: 1, sequences: 1 });
    const { last_id: id, last_sequence: sequence } = numbers;
    const number = `A-${1000 + id}`;
    await transaction
      .insertInto("orders")
      .values({ ...header, id, sequence, number })
      .execute();
    await transaction
      .insertInto("order_lines")
      .values(lines.map((line, index) => ({ ...line, order_id: id, position: index + 1 })))
      .execute();
    await writePayments(transaction, id, payments);
    await transaction
      .updateTable("orders")
      // The lines are read back, since the database numbers them.
      .set(asPlacedColumns(header, await findLines(transaction, [id])))
      .where("id", "=", id)
      .execute();
    return { id, sequence };
  });
}

/** Prices a new order and writes it as the rows to insert, all but their numbers. Throws RangeError as placeOrder does. */
export function toOrderRows(order: NewOrder, at: Date) {
  validateColumns({ ...order, at });
  if (order.lines.length === 0) throw new RangeError("An order has at least one line.");
  const { digits, lines, shipping, tax_lines, totals } = priceBasket(order);
  const payments = mergePayments([], order.payments, digits);
  const { paidInFull, payment_status, due } = settle({ ...order, payments, total: totals.total, refunds: [] });
  const header = {
    version: 1,
    status: order.status,
    payment_status,
    fulfillment_status: "unfulfilled" as const,
    currency: order.currency,
    prices_include_tax: order.prices_include_tax,
    created_at: at,
    updated_at: at,
    placed_at: order.placed_at,
    paid_at: paidInFull ? at : null,
    cancelled_at: order.status === "cancelled" ? at : null,
    cancel_reason: null,
    customer: jsonOrNull(order.customer),
    billing_address: jsonOrNull(order.billing_address),
    shipping_address: jsonOrNull(order.shipping_address),
    shipping_lines: writeJson(
      shipping.map(({ code, title, ...line }) => ({ code, title, ...showTaxed(line, digits) })),
    ),
    discounts: writeJson(
      order.discounts.map((discount) => ({ ...discount, amount: readAmount(discount.amount, digits) })),
    ),
    payments: writeJson(payments),
    refunds: writeJson([]),
    tax_lines: writeJson(showTaxes(tax_lines, digits)),
    ...totalsColumns({ ...totals, refunded: 0n, due }, digits),
    note: order.note,
    external_id: order.external_id,
  };
  const rows = lines.map(({ product_id, sku, gtin, name, quantity, unit_price, discount, ...line }) => {
    const { tax_lines, ...amounts } = showTaxed(line, digits);
    const sold = { product_id, sku, gtin, name, quantity, unit_price, discount_total: formatMoney(discount, digits) };
    return { ...sold, ...amounts, tax_lines: writeJson(tax_lines) };
  });
  return { header, lines: rows, payments };
}

type Totals = Record<keyof Order["totals"], bigint>;

const totalsColumns = (totals: Totals, digits: number) => {
  const show = (amount: bigint) => formatMoney(amount, digits);
  return {
    items_net: show(totals.items_net),
    items_tax: show(totals.items_tax),
    shipping_net: show(totals.shipping_net),
    shipping_tax: show(totals.shipping_tax),
    discount: show(totals.discount),
    tax: show(totals.tax),
    total: show(totals.total),
    refunded: show(totals.refunded),
    due: show(totals.due),
  };
};

const jsonOrNull = <T>(value: T | null) => (value === null ? null : writeJson(value));

const showTaxes = (taxes: readonly TaxAmount[], digits: number) =>
  taxes.map((tax) => ({ ...tax, amount: formatMoney(tax.amount, digits) }));

const showTaxed = ({ net, tax, total, tax_lines }: Taxed, digits: number) => ({
  net_total: formatMoney(net, digits),
  tax_total: formatMoney(tax, digits),
  total: formatMoney(total, digits),
  tax_lines: showTaxes(tax_lines, digits),
});

/** Characters of the columns that are shorter than TEXT. */
const CHARACTERS = new Map([
  ["sku", 191],
  ["gtin", 14],
  ["external_id", 191],
  ["method", 64],
  ["reference", 255],
]);

/**
 * Throws RangeError on what an order's columns would refuse or change, before the counter is taken: half characters,
 * texts that are too long, dates that are none, numbers that are not whole. `place`: `order.lines.0.sku`.
 */
export function validateColumns(value: unknown, place = "order"): void {
  const fault = describeFault(value, place.slice(place.lastIndexOf(".") + 1));
  if (fault !== undefined) throw new RangeError(`${place} ${fault}.`);
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) validateColumns(part, `${place}.${name}`);
}

function describeFault(value: unknown, name: string): string | undefined {
  if (typeof value === "string") return columnFault(value, CHARACTERS.get(name));
  // Of an order every number is an id or a count: money and rates are strings.
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? undefined : "is no whole number from 0";
  if (!(value instanceof Date)) return undefined;
  const year = value.getUTCFullYear(); // NaN when it is no date
  return year >= 1000 && year <= 9999 ? undefined : "is no date from the year 1000 to 9999";
}
