import { ActRefused } from "./act-refused.ts";
import type { Order } from "./schema.ts";

/** Pieces of an order's line. */
export interface LinePieces {
  line_id: number;
  quantity: number;
}

type Parts = readonly { lines: readonly LinePieces[] }[];

function countByLine(parts: Parts): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const { line_id, quantity } of parts.flatMap(({ lines }) => lines))
    pieces.set(line_id, (pieces.get(line_id) ?? 0) + quantity);
  return pieces;
}

/** How many pieces parcels or returns have. */
export const sumQuantity = (parts: Parts): number =>
  parts.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0);

/** The lines of which something is still to be sent. */
export function linesLeft({ lines, fulfillments }: Pick<Order, "lines" | "fulfillments">): LinePieces[] {
  const sent = countByLine(fulfillments);
  return lines
    .map(({ id, quantity, closed_quantity }) => ({
      line_id: id,
      quantity: quantity - closed_quantity - (sent.get(id) ?? 0),
    }))
    .filter(({ quantity }) => quantity > 0);
}

/** The lines of which the customer has something that didn't come back. */
export function linesOut({ fulfillments, returns }: Pick<Order, "fulfillments" | "returns">): LinePieces[] {
  const back = countByLine(returns);
  return [...countByLine(fulfillments)]
    .map(([line_id, quantity]) => ({ line_id, quantity: quantity - (back.get(line_id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

/** What was sent, as one word: `returned` once all of it is back and nothing is left to be sent. */
export function fulfillmentStatusOf(
  order: Pick<Order, "lines" | "fulfillments" | "returns">,
): Order["fulfillment_status"] {
  if (order.fulfillments.length === 0) return "unfulfilled";
  if (linesLeft(order).length > 0) return "partial";
  return linesOut(order).length > 0 ? "fulfilled" : "returned";
}

/** The pieces that were reported. Throws ActRefused with `message` unless they are among `left`, each line once. */
export function checkPieces(reported: readonly LinePieces[], left: readonly LinePieces[], message: string) {
  if (new Set(reported.map(({ line_id }) => line_id)).size < reported.length)
    throw new ActRefused("content", "A line is named twice.", "pieces");
  const fits = reported.every(({ line_id, quantity }) =>
    left.some((line) => line.line_id === line_id && quantity <= line.quantity),
  );
  if (!fits) throw new ActRefused("content", message, "pieces");
  return reported.map(({ line_id, quantity }) => ({ line_id, quantity }));
}

/** Pieces in a form in which two reports of the same are equal. */
export const byLine = (lines: readonly LinePieces[]) =>
  lines.toSorted((a, b) => a.line_id - b.line_id).map(({ line_id, quantity }) => [line_id, quantity]);
