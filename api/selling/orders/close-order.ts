import { payableDigits } from "../../contract/currencies.ts";
import { divideTo, parseMoney } from "../../contract/money.ts";
import type { Db } from "../../platform/database/pool.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { ActRefused } from "./act-refused.ts";
import { type Matter, sumToGiveBack } from "./attention.ts";
import { changeOrder } from "./change-order.ts";
import { sum } from "./money.ts";
import { sumPaid } from "./payments.ts";
import { fulfillmentStatusOf, type LinePieces, linesLeft } from "./pieces.ts";
import type { FollowUp } from "./place-order.ts";
import type { Order } from "./schema.ts";

/**
 * Closes a locked order that was sent in part: the rest won't come, isn't to be paid, and its pieces are free to sell. If
 * what was sent is paid, the order becomes completed, and a person is told what it holds for the rest; else it goes on
 * hold, and a person is told so; one that is on hold or refunded stays so. One that is closed stays as it is. `who`
 * decides. Throws ActRefused.
 */
export async function closeOrder(
  transaction: Db,
  order: Order,
  reason: string | null,
  followUp: FollowUp,
  who: string,
): Promise<void> {
  const left = linesLeft(order);
  const { number, status, fulfillments } = order;
  if (left.length === 0 && order.lines.some(({ closed_quantity }) => closed_quantity > 0)) return;
  if (status !== "processing" && status !== "on_hold" && status !== "refunded")
    throw new ActRefused(
      "state",
      `${number} is ${status}. Only an order that is processing, on_hold or refunded can be closed.`,
      "status",
    );
  if (fulfillments.length === 0)
    throw new ActRefused("state", `Nothing of ${number} was sent yet. Cancel it, if nothing will be.`, "nothing_sent");
  if (left.length === 0) throw new ActRefused("state", `Everything of ${number} was sent already.`, "all_sent");
  const lines = order.lines.map((line) => ({ ...line, closed_quantity: line.closed_quantity + piecesOf(left, line) }));
  const total = valueOfClosed({ ...order, lines });
  const isPaid = parseMoney(order.totals.due) <= total;
  const change = {
    ...{
      closed: { lines: left, total },
      close_reason: readTyped(reason ?? "") || null,
      fulfillment_status: fulfillmentStatusOf({ ...order, lines }),
    },
    ...(isPaid
      ? { matters: await owedFor(transaction, order, total) }
      : { status: "on_hold" as const, matters: unpaidMatters(order, total) }),
  };
  await changeOrder(transaction, order.id, { ...change, who }, new Date(), followUp);
}

const piecesOf = (pieces: readonly LinePieces[], { id }: { id: number }) =>
  pieces.find(({ line_id }) => line_id === id)?.quantity ?? 0;

/** The price of the pieces that won't come, of each line what can be paid in the currency. */
export function valueOfClosed({ currency, lines }: Pick<Order, "currency" | "lines">): bigint {
  const digits = payableDigits(currency);
  return sum(
    lines.map(({ total, closed_quantity, quantity }) =>
      closed_quantity === quantity // an earlier release didn't round totals so
        ? parseMoney(total)
        : divideTo(parseMoney(total) * BigInt(closed_quantity), BigInt(quantity), digits),
    ),
  );
}

/** What is due for what was sent. Of an order that was on hold already, whoever held it knows. */
function unpaidMatters({ status, currency, totals }: Order, closed: bigint): Matter[] {
  const money = { amount: parseMoney(totals.due) - closed, currency };
  return status === "on_hold" ? [] : [{ reason: "closed_unpaid", money }];
}

/** What an order costs without the pieces that won't come. */
export const totalToPay = (order: Pick<Order, "currency" | "lines" | "totals">): bigint =>
  parseMoney(order.totals.total) - valueOfClosed(order);

/** What was paid of the price of pieces that won't come, without what went back already, or has a matter of its own. */
async function owedFor(transaction: Db, { id, currency, payments, totals }: Order, closed: bigint): Promise<Matter[]> {
  const held = sumPaid(payments) - parseMoney(totals.refunded) - (parseMoney(totals.total) - closed);
  const unnamed = held - (await sumToGiveBack(transaction, id, currency));
  const amount = unnamed < closed ? unnamed : closed; // somebody may have agreed to keep a surplus
  return amount > 0n ? [{ reason: "owed", about: "closed", money: { amount, currency } }] : [];
}
