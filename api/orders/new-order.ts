import type { NewPayment } from "./payments.ts";
import type { PricedLine, PricedShipping } from "./pricing.ts";
import type { Order, OrderLine } from "./schema.ts";

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
