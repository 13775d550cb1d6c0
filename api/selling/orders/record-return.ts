import { isDeepStrictEqual } from "node:util";
import type { Db } from "../../platform/database/pool.ts";
import { ActRefused } from "./act-refused.ts";
import { changeOrder } from "./change-order.ts";
import { byLine, checkPieces, fulfillmentStatusOf, type LinePieces, linesOut } from "./pieces.ts";
import type { FollowUp } from "./place-order.ts";
import { readReportTime } from "./report-time.ts";
import type { Order } from "./schema.ts";

/** Goods that came back, as a person or a partner reports it. */
export interface NewReturn {
  /** Identifies it within its order. */
  reference: string;
  /** When they came; undefined for now. */
  receivedAt?: Date | undefined;
  /** Pieces of each line; undefined for all that the customer has. */
  lines?: readonly LinePieces[] | undefined;
}

/**
 * Records that goods came back to a locked order. Money and stock don't move by it: a refund and a count say those. The
 * same return again changes nothing. `who` reports it. Throws ActRefused.
 */
export async function recordReturn(
  transaction: Db,
  order: Order,
  { reference, receivedAt, lines }: NewReturn,
  followUp: FollowUp,
  who: string,
): Promise<void> {
  const left = linesOut(order);
  const known = order.returns.find((each) => each.reference === reference);
  if (known) {
    const isSameTime = !receivedAt || receivedAt.toISOString() === known.received_at;
    const isSame = isSameTime && (lines ? isDeepStrictEqual(byLine(lines), byLine(known.lines)) : left.length === 0);
    if (isSame) return;
    throw new ActRefused("content", "A different return is recorded with this reference already.", "return_known");
  }
  if (order.fulfillments.length === 0)
    throw new ActRefused(
      "state",
      `Nothing of ${order.number} was sent, so nothing of it can come back.`,
      "nothing_sent",
    );
  const received_at = readReportTime(receivedAt, order.created_at).toISOString();
  if (left.length === 0)
    throw new ActRefused("content", `All that was sent of ${order.number} is back already.`, "all_back");
  const back = lines
    ? checkPieces(lines, left, "A line isn't of this order, or the customer has fewer pieces of it.")
    : left;
  const returns = [...order.returns, { id: order.returns.length + 1, reference, received_at, lines: back }];
  const fulfillment_status = fulfillmentStatusOf({ ...order, returns });
  await changeOrder(transaction, order.id, { returns, fulfillment_status, who }, new Date(), followUp);
}
