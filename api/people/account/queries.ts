import { readJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { emailKey } from "../../platform/mail/email-address.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { type ShopOrder, toShopOrder } from "../../selling/orders/to-order.ts";

/** The orders of a browser's session without their lines, newest first. */
export async function listSessionOrders(db: Db, sessionId: number): Promise<ShopOrder[]> {
  const rows = await db
    .selectFrom("session_orders")
    .innerJoin("orders", "orders.id", "session_orders.order_id")
    .selectAll("orders")
    .where("session_id", "=", sessionId)
    .orderBy("order_id", "desc")
    .limit(MOST_LISTED)
    .execute();
  return rows.map((row) => toShopOrder(row, []));
}

const MOST_LISTED = 50;

/** The id of the order with this number if the session may see it. */
export async function findSessionOrder(db: Db, sessionId: number, number: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("session_orders")
    .innerJoin("orders", "orders.id", "session_orders.order_id")
    .select("orders.id")
    .where("session_id", "=", sessionId)
    .where("orders.number", "=", number)
    .executeTakeFirst();
  return row?.id;
}

/** Lets the session see the order, unless the browser was forgotten or the order erased meanwhile. */
export async function addSessionOrder(db: Db, sessionId: number, orderId: number): Promise<void> {
  await db
    .insertInto("session_orders")
    .columns(["session_id", "order_id"])
    .expression(({ selectFrom }) =>
      selectFrom(["sessions", "orders"])
        .select(["sessions.id", "orders.id"])
        .where("sessions.id", "=", sessionId)
        .where("orders.id", "=", orderId)
        // An erased order has lost it, and no browser sees that any more.
        .where("as_placed_shape", "is not", null),
    )
    .onDuplicateKeyUpdate({ order_id: orderId })
    .execute();
}

/** `a-1042` and `1042` are A-1042. */
export function readOrderNumber(text: string): string {
  const number = readTyped(text).replaceAll(/\s/g, "").toUpperCase();
  return /^\d+$/.test(number) ? `A-${number}` : number;
}

/** The id of the order with this number that was ordered with the e-mail address whose key (emailKey) this is. */
export async function findOrderOf(db: Db, number: string, key: string): Promise<number | undefined> {
  const row = await db.selectFrom("orders").select(["id", "buyer"]).where("number", "=", number).executeTakeFirst();
  // Not from its column, which an earlier release leaves empty.
  const buyer = row?.buyer ? readJson(row.buyer) : undefined;
  return row && buyer && emailKey(buyer.email) === key ? row.id : undefined;
}
