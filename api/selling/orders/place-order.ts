import { formatMoney, parseMoney } from "../../contract/money.ts";
import type { WayToPay } from "../../contract/ways-to-pay.ts";
import { columnFault, toStored, writeJson } from "../../platform/database/columns.ts";
import { orderEmailKey } from "../../platform/database/email-keys.ts";
import { indexPlaced } from "../../platform/database/order-search.ts";
import type { Db } from "../../platform/database/pool.ts";
import { lastSequence, lastSequenceToKnow, takeNextId } from "../../platform/database/sequence.ts";
import type { StoredVatCheck } from "../../platform/database/tables.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { isLive, sumPieces, takePieces, writeHolds } from "../stock/ledger.ts";
import { computeDue } from "./amount-due.ts";
import { asPlacedColumns } from "./as-placed.ts";
import { mergePayments, type NewPayment, readAmount, writePayments } from "./payments.ts";
import type { Order, OrderLine } from "./schema.ts";
import { type OrderRow, toOrder } from "./to-order.ts";
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
  lines: readonly (PricedLine &
    Pick<OrderLine, "product_id" | "sku" | "gtin" | "name"> & {
      /** Its buyer was told to wait for it, so that it's placed whatever is left. */
      may_go_short?: boolean;
    })[];
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
  /** Whether it was changed in what the API shows. */
  isNewVersion: boolean;
  /** The order that was placed, as the API shows it, without reading it. */
  placed?: () => Order;
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
  /** Whether it was closed just now: the rest won't come. */
  isClosed: boolean;
  /** The ids of documents that came just now. */
  invoices: readonly number[];
}

/** Writes what follows from a step, such as mails to send, in the same transaction. */
export type FollowUp = (transaction: Db, step: OrderStep) => Promise<void>;

/**
 * Prices and stores an order. Its id and sequence come from the sequence row, which stays locked until the commit, so
 * that orders become visible in order of id. `at` is the time of storing. Throws RangeError, and stores nothing, for
 * invalid amounts, quantities, texts or dates, and for more lines than MAX_LINES; TooFewLeft where something that is counted
 * has fewer pieces left.
 */
export async function placeOrder(
  db: Db,
  order: NewOrder,
  at = new Date(),
  followUp?: FollowUp,
): Promise<{ id: number; sequence: number }> {
  // Before the sequence row is locked, since every other writer waits for it.
  const { header, lines, payments, is } = toOrderRows(order, at);
  const isHolding = order.buyer && isLive({ ...header, fulfillments: null });
  const pieces = isHolding ? sumPieces(lines) : [];
  const mayGoShort = new Set(order.lines.flatMap(({ sku, may_go_short }) => (may_go_short && sku) || []));
  return inTransaction(db, async (transaction) => {
    const id = await takeNextId(transaction, "orders");
    await takePieces(transaction, pieces, mayGoShort);
    const number = `A-${1000 + id}`;
    const lineRows = lines.map((line, index) => ({
      ...line,
      id: id * LINE_IDS + index + 1,
      ...{ order_id: id, position: index + 1 },
    }));
    const inserted = await transaction
      .insertInto("orders")
      .values({
        ...{ ...header, ...asPlacedColumns(header, lineRows), id, number },
        sequence: lastSequenceToKnow("orders"),
        ledgered: order.buyer ? lastSequence("orders") : null,
        searched: lastSequence("orders"),
      })
      .executeTakeFirstOrThrow();
    const sequence = Number(inserted.insertId);
    await writeHolds(transaction, { orderId: id, sequence, order: { ...header, fulfillments: null } }, pieces);
    await transaction.insertInto("order_lines").values(lineRows).execute();
    await indexPlaced(
      transaction,
      { ...header, id, number, billing_kept_until: null },
      lineRows,
      order.placed_at ?? at,
    );
    await writePayments(transaction, id, payments);
    await followUp?.(transaction, {
      orderId: id,
      was: undefined,
      is,
      isNewVersion: false,
      placed: () => toOrder(toRow(header, { id, number, sequence }), lineRows),
      hasBuyer: header.buyer !== null,
      paysByCard: order.payment_method === "card",
      toTransfer: false,
      hasFailedPayment: false,
      isSent: false,
      isClosed: false,
      invoices: [],
      needsPerson: false,
    });
    return { id, sequence };
  });
}

/**
 * A line's id is its order's times this, and its position: so it's known before the line is stored, and `as_placed` is
 * written with the order. An earlier release, which may run beside this one, lets the database assign it: the next beyond
 * the highest, so that only orders of a thousand lines between them could reach the ids of an order to come.
 */
const LINE_IDS = 1_000;
const MAX_LINES = LINE_IDS - 1;

/** A new order as the database returns it, which writes booleans and times otherwise than it takes them. */
function toRow(
  header: ReturnType<typeof toOrderRows>["header"],
  numbers: Pick<OrderRow, "id" | "number" | "sequence">,
) {
  const { prices_include_tax, created_at, updated_at, placed_at, paid_at, cancelled_at, ...row } = header;
  return {
    ...row,
    ...numbers,
    prices_include_tax: Number(prices_include_tax),
    created_at: toStored(created_at),
    updated_at: toStored(updated_at),
    placed_at: placed_at && toStored(placed_at),
    paid_at: paid_at && toStored(paid_at),
    cancelled_at: cancelled_at && toStored(cancelled_at),
    ...{ as_placed: null, as_placed_shape: null, fulfillments: null },
    ...{ erp_pushed_at: null, billing_kept_until: null, transfer_since: null, ledgered: null },
    ...{
      partner_note: null,
      close_reason: null,
      closed_total: decimal(0n),
      returns: null,
      invoices: null,
      held_by_partner: 0,
      searched: null,
    },
  } satisfies OrderRow;
}

/** The rows of a new order without their ids, priced. Throws RangeError as placeOrder does. */
function toOrderRows(order: NewOrder, at: Date) {
  validateColumns({ ...order, at });
  if (order.lines.length === 0) throw new RangeError("An order needs at least one line.");
  if (order.lines.length > MAX_LINES) throw new RangeError(`An order has at most ${MAX_LINES} lines.`);
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
    ...totalsColumns({ ...totals, refunded: 0n, due }),
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
  const rows = lines.map(({ product_id, sku, gtin, name, quantity, unit_price, ...line }) => ({
    ...{ product_id, sku, gtin, name, quantity },
    unit_price: decimal(parseMoney(unit_price)),
    discount_total: decimal(line.discount),
    net_total: decimal(line.net),
    tax_total: decimal(line.tax),
    total: decimal(line.total),
    tax_lines: writeJson(showTaxes(line.tax_lines, digits)),
    closed_quantity: 0,
  }));
  return { header, lines: rows, payments, is };
}

type Totals = Record<keyof Order["totals"], bigint>;

/** As DECIMAL(19,4) returns it. */
const decimal = (amount: bigint) => formatMoney(amount, 4);

const totalsColumns = (totals: Totals) => ({
  items_net: decimal(totals.items_net),
  items_tax: decimal(totals.items_tax),
  shipping_net: decimal(totals.shipping_net),
  shipping_tax: decimal(totals.shipping_tax),
  discount: decimal(totals.discount),
  tax: decimal(totals.tax),
  total: decimal(totals.total),
  refunded: decimal(totals.refunded),
  due: decimal(totals.due),
});

const jsonOrNull = <T>(value: T | null) => (value === null ? null : writeJson(value));

const showTaxes = (taxes: readonly TaxAmount[], digits: number) =>
  taxes.map(({ code, title, rate, amount, taxable }) => ({
    ...{ code, title, rate },
    amount: formatMoney(amount, digits),
    taxable: formatMoney(taxable, digits),
  }));

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
