import type { Db } from "../../../../api/platform/database/pool.ts";
import { findOrder } from "../../../../api/selling/orders/queries.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";

// What is free to sell, said again without the shop's ledger: from what is on the shelf and the orders as they are.

/** What is sold in these tests. */
export const SKUS = ["A-1", "B-2", "C-3"] as const;

/** What the shop has of each SKU: pieces that ever were on the shelf, as whoever counted them last knew. */
export type Shelf = Map<string, number>;

/** Pieces of a SKU in orders, without those that won't be sent. */
const piecesIn = (orders: readonly Order[], sku: string) =>
  orders
    .flatMap(({ lines }) => lines)
    .filter((line) => line.sku === sku)
    .reduce((sum, { quantity, closed_quantity }) => sum + quantity - closed_quantity, 0);

type Held = Pick<Order, "status" | "fulfillments">;

const isBooked = ({ status, fulfillments }: Held) =>
  status === "processing" ||
  status === "on_hold" ||
  status === "completed" ||
  (status === "refunded" && fulfillments.length > 0);

/** Whether an order holds its pieces. */
export const isLive = (order: Held) => order.status === "pending" || isBooked(order);

/** What is free by the model: whatever was on the shelf, less all that orders hold that haven't ended. */
export const freeOf = (orders: readonly Order[], shelf: Shelf, sku: string) =>
  (shelf.get(sku) ?? 0) - piecesIn(orders.filter(isLive), sku);

export const allOrders = async (db: Db): Promise<Order[]> => {
  const rows = await db.selectFrom("orders").select("id").orderBy("id").execute();
  const orders = await Promise.all(rows.map(({ id }) => findOrder(db, id)));
  return orders.flatMap((order) => order ?? []);
};

/** A partner's program: it knows what the API has answered, and nothing else. */
export class Partner {
  readonly #get: (url: string) => Promise<{ json(): unknown }>;
  readonly #orders = new Map<number, Order>();
  changedAfter = 0;
  isThrough = false;

  constructor(get: (url: string) => Promise<{ json(): unknown }>) {
    this.#get = get;
  }

  async readPage(limit: number): Promise<void> {
    const answer = await this.#get(`/api/orders?changed_after=${this.changedAfter}&limit=${limit}`);
    const page = (await answer.json()) as { orders: Order[]; next_changed_after: number; has_more: boolean };
    for (const order of page.orders) this.#orders.set(order.id, order);
    this.changedAfter = page.next_changed_after;
    this.isThrough = !page.has_more;
  }

  beginAgain(): void {
    this.changedAfter = 0;
    this.isThrough = false;
  }

  booked(sku: string, booksPlaced: boolean): number {
    const orders = [...this.#orders.values()];
    return piecesIn(
      orders.filter((order) => isBooked(order) || (booksPlaced && order.status === "pending")),
      sku,
    );
  }
}
