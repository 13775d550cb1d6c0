import { now, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { ActRefused } from "./act-refused.ts";
import type { Order } from "./schema.ts";
import { isErased } from "./who-ordered.ts";

/** What somebody in the shop has noted of an order. */
export interface OrderNote {
  note: string;
  done_by: string;
  done_at: string;
}

/**
 * Adds a note to a locked order, for the shop's own people: it's in no mail, and partners don't get it. Returns false for
 * one without a character that is seen. Throws ActRefused once the person was erased, whom it might name.
 */
export async function addOrderNote(transaction: Db, order: Order, text: string, who: string): Promise<boolean> {
  const note = readTyped(text, { lines: true });
  if (note === "") return false;
  if (isErased(order))
    throw new ActRefused("state", "The person who ordered was erased, so that nothing more is noted.", "erased");
  await transaction
    .insertInto("order_notes")
    .values({ order_id: order.id, note, done_by: who, done_at: now() })
    .execute();
  return true;
}

/** The oldest first. */
export async function listOrderNotes(db: Db, orderId: number): Promise<OrderNote[]> {
  const rows = await db
    .selectFrom("order_notes")
    .select(["note", "done_by", "done_at"])
    .where("order_id", "=", orderId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, done_at: toRfc3339(row.done_at) }));
}
