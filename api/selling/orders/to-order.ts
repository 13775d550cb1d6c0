import type { Selectable } from "kysely";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import type {
  StoredAddress,
  StoredBuyer,
  StoredCustomer,
  StoredDiscount,
  StoredFulfillment,
  StoredInvoice,
  StoredPayment,
  StoredRefund,
  StoredReturn,
  StoredShippingLine,
  StoredTaxLine,
  StoredVatCheck,
  Tables,
} from "../../platform/database/tables.ts";
import { showMoney } from "./money.ts";
import type { Order, OrderHead, OrderLine, OrderTail, PlacedOrder } from "./schema.ts";

export type OrderRow = Selectable<Tables["orders"]>;
export type OrderLineRow = Selectable<Tables["order_lines"]>;
/** What the immutable part is made from, besides the lines. */
export type PlacedRow = Pick<OrderRow, "currency" | Exclude<keyof PlacedOrder, "lines">>;

/** Turns a stored order into the API's: money in the currency's digits, times in RFC 3339. */
export const toOrder = (row: OrderRow, lines: readonly OrderLineRow[]): Order => ({
  ...toHead(row),
  ...toPlaced(row, lines),
  ...toTail(row),
});

/** The address of an order's page. */
export const orderPath = (number: string): string => `/account/orders/${number}`;

/** An order with what the shop alone knows of it. */
export type ShopOrder = Order &
  Pick<OrderRow, "payment_method"> & {
    transfer_since: string | null;
    /** Why the rest won't come. */
    close_reason: string | null;
    /** Whether others wait for pieces that it holds; false where nobody asked. */
    holds_counted: boolean;
  };

export const toShopOrder = (row: OrderRow, lines: readonly OrderLineRow[], holds_counted = false): ShopOrder => ({
  ...toOrder(row, lines),
  payment_method: row.payment_method,
  transfer_since: row.transfer_since && toRfc3339(row.transfer_since),
  close_reason: row.close_reason,
  holds_counted,
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
    tax_lines: readJson(row.tax_lines).map((tax, _at, { length }) =>
      // All that an order of before had was taxed alike.
      toTaxLine(tax, length === 1 ? showMoney(subtract(row.total, row.tax), digits) : null),
    ),
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
    buyer: row.buyer && toBuyer(readJson(row.buyer)),
    buyer_reference: row.buyer_reference,
    tax_treatment: row.tax_treatment,
    vat_check: row.vat_check && toVatCheck(readJson(row.vat_check)),
    fulfillments: row.fulfillments ? readJson(row.fulfillments).map(toFulfillment) : [],
    partner_note: row.partner_note,
    returns: row.returns ? readJson(row.returns).map(toReturn) : [],
    invoices: row.invoices ? readJson(row.invoices).map(toInvoice) : [],
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
  tax_lines: readJson(row.tax_lines).map((tax) => toTaxLine(tax, showMoney(row.net_total, digits))),
  closed_quantity: row.closed_quantity,
});

// Stored JSON keeps the shape it had when it was written, and the serializer rejects a missing field: so each is named
// here, with null for those added later.

type Customer = NonNullable<Order["customer"]>;
type Address = NonNullable<Order["billing_address"]>;

const toCustomer = (stored: StoredCustomer): Customer => ({
  id: stored.id,
  email: stored.email,
  first_name: stored.first_name ?? null,
  last_name: stored.last_name ?? null,
  company: stored.company ?? null,
  phone: stored.phone ?? null,
  vat_id: stored.vat_id ?? null,
});

const toAddress = (stored: StoredAddress): Address => ({
  first_name: stored.first_name ?? null,
  last_name: stored.last_name ?? null,
  company: stored.company ?? null,
  address1: stored.address1,
  address2: stored.address2 ?? null,
  city: stored.city,
  postal_code: stored.postal_code ?? null,
  region: stored.region ?? null,
  country_code: stored.country_code,
  phone: stored.phone ?? null,
});

const toBuyer = ({ email, first_name, last_name, company, phone, vat_id }: StoredBuyer) => ({
  email,
  first_name,
  last_name,
  company,
  phone,
  vat_id,
});

const toVatCheck = ({
  vat_id,
  result,
  checked_at,
  consultation_number,
  trader_name = null,
  trader_address = null,
}: StoredVatCheck) => ({ vat_id, result, checked_at, consultation_number, trader_name, trader_address });

/** `net` is what the tax is computed on, as far as the amounts beside it say so; orders of before don't have it stored. */
const toTaxLine = ({ code, title, rate, amount, taxable }: StoredTaxLine, net: string | null) => ({
  ...{ code, title, rate, amount },
  taxable: taxable ?? net,
});

const subtract = (amount: string, part: string) => formatMoney(parseMoney(amount) - parseMoney(part), 4);

const toShippingLine = (stored: StoredShippingLine): Order["shipping_lines"][number] => ({
  code: stored.code,
  title: stored.title,
  net_total: stored.net_total,
  tax_total: stored.tax_total,
  total: stored.total,
  tax_lines: stored.tax_lines.map((tax) => toTaxLine(tax, stored.net_total)),
});

const toDiscount = ({ code, title, amount }: StoredDiscount) => ({
  code: code ?? null,
  title,
  amount,
});

export const toPayment = ({ id, method, reference, amount, status }: StoredPayment) => ({
  id,
  method,
  reference: reference ?? null,
  amount,
  status,
});

const toFulfillment = ({
  id,
  reference,
  shipped_at,
  carrier,
  tracking_number,
  tracking_url,
  lines,
}: StoredFulfillment) => ({
  ...{ id, reference, shipped_at, carrier, tracking_number, tracking_url },
  lines: lines.map(({ line_id, quantity }) => ({ line_id, quantity })),
});

const toReturn = ({ id, reference, received_at, lines }: StoredReturn) => ({
  ...{ id, reference, received_at },
  lines: lines.map(({ line_id, quantity }) => ({ line_id, quantity })),
});

const toInvoice = ({ id, number, kind, issued_on, total, currency, has_xml }: StoredInvoice) => ({
  ...{ id, number, kind, issued_on, total, currency, has_xml },
});

const toRefund = ({ id, created_at, reason, amount }: StoredRefund) => ({
  id,
  created_at,
  reason: reason ?? null,
  amount,
});
