import { takeNumbers } from "../counter.ts";
import { type Db, inTransaction } from "../database.ts";
import { toRows } from "./new-order-rows.ts";
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
export type NewPayment = Omit<Order["payments"][number], "id">;

/**
 * Stores an order: prices it, takes its id and sequence from the counter row and holds that row until the commit, so
 * that orders become visible in the order of their ids. `at` is the time of storing. Returns id and sequence.
 * Throws RangeError on amounts or quantities that cannot be; nothing is stored then.
 */
export async function placeOrder(db: Db, order: NewOrder, at = new Date()): Promise<{ id: number; sequence: number }> {
  // Before the counter is taken: whoever holds it makes every other writer wait.
  const { header, lines } = toRows(order, at);
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
    return { id, sequence };
  });
}
