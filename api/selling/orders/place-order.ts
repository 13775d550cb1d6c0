import { formatMoney } from "../../contract/money.ts";
import type { WayToPay } from "../../contract/ways-to-pay.ts";
import { columnFault, writeJson } from "../../platform/database/columns.ts";
import { orderEmailKey } from "../../platform/database/email-keys.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import type { StoredVatCheck } from "../../platform/database/tables.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { computeDue } from "./amount-due.ts";
import { asPlacedColumns } from "./as-placed.ts";
import { mergePayments, type NewPayment, readAmount, writePayments } from "./payments.ts";
import { findLines } from "./queries.ts";
import type { Order, OrderLine } from "./schema.ts";
import { type PricedLine, type PricedShipping, priceBasket, type TaxAmount, type Taxed } from "./totals-and-tax.ts";

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

/** What an order from the checkout has besides; null in others. */
type FromCheckout = "buyer" | "buyer_reference" | "tax_treatment";

/** An order to place; amounts are decimal strings in its currency. */
export interface NewOrder extends Pick<Order, Given>, Partial<Pick<Order, FromCheckout>> {
  lines: readonly (PricedLine & Pick<OrderLine, "product_id" | "sku" | "gtin" | "name">)[];
  shipping_lines: readonly (PricedShipping & Pick<Order["shipping_lines"][number], "code" | "title">)[];
  payments: readonly NewPayment[];
  /** Null or undefined where no number of the EU was given. */
  vat_check?: StoredVatCheck | null;
  /** How it is to be paid; undefined for orders that didn't come through the checkout. */
  payment_method?: WayToPay;
  /** When the customer placed it; null for a draft. */
  placed_at: Date | null;
}

/** What a FollowUp may depend on. */
export interface OrderState {
  status: Order["status"];
  payment_status: Order["payment_status"];
  paidInFull: boolean;
  /** The sum of all payments, refunded or not, in ten-thousandths, as is `total`. */
  received: bigint;
  refunded: bigint;
  total: bigint;
}

/** An order that was placed (`was` is undefined) or changed. */
export interface OrderStep {
  orderId: number;
  was: OrderState | undefined;
  is: OrderState;
  /** Whether it came through the checkout. */
  hasBuyer: boolean;
  /** Whether the customer chose to pay by card. */
  paysByCard: boolean;
  /** Whether they chose just now to pay by transfer instead. */
  toTransfer: boolean;
  /** Whether a payment failed just now, such as a bank debit that came back. */
  hasFailedPayment: boolean;
  /** Whether something happened that a person at the shop must look at (attention.ts). */
  needsPerson: boolean;
  /** Whether goods were sent just now. */
  isSent: boolean;
}

/** Writes what follows from a step, such as mails to send, in the same transaction. */
export type FollowUp = (transaction: Db, step: OrderStep) => Promise<void>;

/**
 * Prices and stores an order. Its id and sequence come from the sequence row, which stays locked until the commit, so
 * that orders become visible in order of id. `at` is the time of storing. Throws RangeError, and stores nothing, for
 * invalid amounts, quantities, texts or dates.
 */
export async function placeOrder(
  db: Db,
  order: NewOrder,
  at = new Date(),
  followUp?: FollowUp,
): Promise<{ id: number; sequence: number }> {
  // Before the sequence row is locked, since every other writer waits for it.
  const { header, lines, payments, is } = toOrderRows(order, at);
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
      // Read back, since the database assigns the lines' ids.
      .set(asPlacedColumns(header, await findLines(transaction, [id])))
      .where("id", "=", id)
      .execute();
    await followUp?.(transaction, {
      orderId: id,
      was: undefined,
      is,
      hasBuyer: header.buyer !== null,
      paysByCard: order.payment_method === "card",
      toTransfer: false,
      hasFailedPayment: false,
      isSent: false,
      needsPerson: false,
    });
    return { id, sequence };
  });
}

/** The rows of a new order without their ids, priced. Throws RangeError as placeOrder does. */
function toOrderRows(order: NewOrder, at: Date) {
  validateColumns({ ...order, at });
  if (order.lines.length === 0) throw new RangeError("An order needs at least one line.");
  const { digits, lines, shipping, tax_lines, totals } = priceBasket(order);
  const payments = mergePayments([], order.payments, digits);
  const settled = computeDue({ ...order, payments, total: totals.total, refunds: [] });
  const { paidInFull, payment_status, received, due } = settled;
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
    buyer: jsonOrNull(order.buyer ?? null),
    buyer_reference: order.buyer_reference ?? null,
    tax_treatment: order.tax_treatment ?? null,
    vat_check: jsonOrNull(order.vat_check ?? null),
    payment_method: order.payment_method ?? null,
    email_key: orderEmailKey(order.buyer?.email, order.customer?.email),
  };
  const is = { status: order.status, payment_status, paidInFull, received, refunded: 0n, total: totals.total };
  const rows = lines.map(({ product_id, sku, gtin, name, quantity, unit_price, discount, ...line }) => {
    const { tax_lines, ...amounts } = showTaxed(line, digits);
    const sold = { product_id, sku, gtin, name, quantity, unit_price, discount_total: formatMoney(discount, digits) };
    return { ...sold, ...amounts, tax_lines: writeJson(tax_lines) };
  });
  return { header, lines: rows, payments, is };
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

/** Lengths of the VARCHAR columns, in characters. */
const CHARACTERS = new Map([
  ["sku", 191],
  ["gtin", 14],
  ["external_id", 191],
  ["buyer_reference", 191],
  ["method", 64],
  ["reference", 255],
]);

/**
 * Throws RangeError for values that an order's columns would reject or alter: lone surrogates, texts that are too long,
 * invalid dates, numbers that aren't whole. `place` names the value: `order.lines.0.sku`.
 */
export function validateColumns(value: unknown, place = "order"): void {
  const fault = describeFault(value, place.slice(place.lastIndexOf(".") + 1));
  if (fault !== undefined) throw new RangeError(`${place} ${fault}.`);
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) validateColumns(part, `${place}.${name}`);
}

function describeFault(value: unknown, name: string): string | undefined {
  if (typeof value === "string") return columnFault(value, CHARACTERS.get(name));
  // Every number of an order is an id or a count; money and rates are strings.
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? undefined : "isn't a whole number from 0";
  if (!(value instanceof Date)) return undefined;
  const year = value.getUTCFullYear(); // NaN for an invalid date
  return year >= 1000 && year <= 9999 ? undefined : "isn't a date from the year 1000 to 9999";
}
