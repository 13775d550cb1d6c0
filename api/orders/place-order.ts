import { type Db, inTransaction } from "../database/database.ts";
import { takeNumbers } from "../database/sequence.ts";
import { asPlacedColumns } from "./as-placed.ts";
import type { NewOrder } from "./new-order.ts";
import { toRows } from "./new-order-rows.ts";
import { writePayments } from "./payments.ts";
import { findLines } from "./queries.ts";

/**
 * Stores an order: prices it, takes its id and sequence from the counter row and holds that row until the commit, so
 * that orders become visible in the order of their ids. `at` is the time of storing. Returns id and sequence.
 * Throws RangeError on amounts, quantities, texts or dates that cannot be; nothing is stored then.
 */
export async function placeOrder(db: Db, order: NewOrder, at = new Date()): Promise<{ id: number; sequence: number }> {
  // Before the counter is taken: whoever holds it makes every other writer wait.
  const { header, lines, payments } = toRows(order, at);
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
    await writePayments(transaction, id, payments);
    await transaction
      .updateTable("orders")
      // The lines are read back, since the database numbers them.
      .set(asPlacedColumns(header, await findLines(transaction, [id])))
      .where("id", "=", id)
      .execute();
    return { id, sequence };
  });
}
