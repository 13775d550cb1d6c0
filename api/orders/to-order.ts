import type { Selectable } from "kysely";
import { toRfc3339 } from "../schema.ts";
import type { Tables } from "../tables.ts";
import { currencyDigits, showMoney } from "./money.ts";
import type { Order, OrderLine } from "./schema.ts";
import { toAddress, toCustomer, toDiscount, toPayment, toRefund, toShippingLine, toTaxLine } from "./to-order-parts.ts";

export type OrderRow = Selectable<Tables["orders"]>;
export type OrderLineRow = Selectable<Tables["order_lines"]>;

/** The one place where stored orders become the API's: money in the currency's digits, times in RFC 3339. */
export function toOrder(row: OrderRow, lines: readonly OrderLineRow[]): Order {
  const digits = currencyDigits(row.currency);
  return {
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
    customer: row.customer && toCustomer(row.customer),
    billing_address: row.billing_address && toAddress(row.billing_address),
    shipping_address: row.shipping_address && toAddress(row.shipping_address),
    lines: lines.map((line) => toLine(line, digits)),
    shipping_lines: row.shipping_lines.map(toShippingLine),
    discounts: row.discounts.map(toDiscount),
    payments: row.payments.map(toPayment),
    refunds: row.refunds.map(toRefund),
    tax_lines: row.tax_lines.map(toTaxLine),
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
  tax_lines: row.tax_lines.map(toTaxLine),
});
