import type { Selectable } from "kysely";
import { readJson } from "../database/json-column.ts";
import type { Tables } from "../database/tables.ts";
import { toRfc3339 } from "../http/schema-types.ts";
import { currencyDigits, showMoney } from "./money.ts";
import type { Order, OrderHead, OrderLine, OrderTail, PlacedOrder } from "./schema.ts";
import { toAddress, toCustomer, toDiscount, toPayment, toRefund, toShippingLine, toTaxLine } from "./to-order-parts.ts";

export type OrderRow = Selectable<Tables["orders"]>;
export type OrderLineRow = Selectable<Tables["order_lines"]>;
/** What the part that never changes is made from, beside the lines. */
export type PlacedRow = Pick<OrderRow, "currency" | Exclude<keyof PlacedOrder, "lines">>;

/** The one place where stored orders become the API's: money in the currency's digits, times in RFC 3339. */
export const toOrder = (row: OrderRow, lines: readonly OrderLineRow[]): Order => ({
  ...toHead(row),
  ...toPlaced(row, lines),
  ...toTail(row),
});

export const toHead = (row: OrderRow): OrderHead => ({
  id: row.id,
  number: row.number,
  version: row.version,
  sequence: row.sequence,
  status: row.status,
  payment_status: row.payment_status,
  fulfillment_status: row.fulfillment_status,
  currency: row.currency,
  prices_include_tax: row.prices_include_tax === 1,
  created_at: toRfc3339(row.created_at),
  updated_at: toRfc3339(row.updated_at),
  placed_at: row.placed_at && toRfc3339(row.placed_at),
  paid_at: row.paid_at && toRfc3339(row.paid_at),
  cancelled_at: row.cancelled_at && toRfc3339(row.cancelled_at),
  cancel_reason: row.cancel_reason,
});

export function toPlaced(row: PlacedRow, lines: readonly OrderLineRow[]): PlacedOrder {
  const digits = currencyDigits(row.currency);
  return {
    customer: row.customer && toCustomer(readJson(row.customer)),
    billing_address: row.billing_address && toAddress(readJson(row.billing_address)),
    shipping_address: row.shipping_address && toAddress(readJson(row.shipping_address)),
    lines: lines.map((line) => toLine(line, digits)),
    shipping_lines: readJson(row.shipping_lines).map(toShippingLine),
    discounts: readJson(row.discounts).map(toDiscount),
  };
}

export function toTail(row: OrderRow): OrderTail {
  const digits = currencyDigits(row.currency);
  return {
    payments: readJson(row.payments).map(toPayment),
    refunds: readJson(row.refunds).map(toRefund),
    tax_lines: readJson(row.tax_lines).map(toTaxLine),
    totals: {
      items_net: showMoney(row.items_net, digits),
      items_tax: showMoney(row.items_tax, digits),
      shipping_net: showMoney(row.shipping_net, digits),
      shipping_tax: showMoney(row.shipping_tax, digits),
      discount: showMoney(row.discount, digits),
      tax: showMoney(row.tax, digits),
      total: showMoney(row.total, digits),
      refunded: showMoney(row.refunded, digits),
      due: showMoney(row.due, digits),
    },
    note: row.note,
    external_id: row.external_id,
  };
}

const toLine = (row: OrderLineRow, digits: number): OrderLine => ({
  id: row.id,
  product_id: row.product_id,
  sku: row.sku,
  gtin: row.gtin,
  name: row.name,
  quantity: row.quantity,
  unit_price: showMoney(row.unit_price, digits),
  discount_total: showMoney(row.discount_total, digits),
  net_total: showMoney(row.net_total, digits),
  tax_total: showMoney(row.tax_total, digits),
  total: showMoney(row.total, digits),
  tax_lines: readJson(row.tax_lines).map(toTaxLine),
});
