import { writeJson } from "../database/json-column.ts";
import { formatMoney } from "./money.ts";
import type { NewOrder } from "./new-order.ts";
import { mergePayments, readAmount } from "./payments.ts";
import { priceBasket, type TaxAmount, type Taxed } from "./pricing.ts";
import { refuseUnstorable } from "./refuse-unstorable.ts";
import type { Order } from "./schema.ts";
import { settle } from "./settlement.ts";

/** Prices a new order and writes it as the rows to insert, all but their numbers. Throws RangeError as placeOrder does. */
export function toRows(order: NewOrder, at: Date) {
  refuseUnstorable({ ...order, at });
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
