import { isDeepStrictEqual } from "node:util";
import { DAY_MS } from "../../contract/duration.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { changeOrder } from "./change-order.ts";
import type { FollowUp } from "./place-order.ts";
import { findOrder } from "./queries.ts";
import type { Order } from "./schema.ts";

type Fulfillment = Order["fulfillments"][number];

/** Goods that were sent, as a person or a partner reports it. */
export interface NewFulfillment {
  /** Identifies it within its order. */
  reference: string;
  carrier: string | null;
  tracking_number: string | null;
  /** https. */
  tracking_url: string | null;
  /** When they were sent; undefined for now. */
  shippedAt?: Date | undefined;
  /** Pieces of each line, by the line's id; undefined for all that wasn't sent yet. */
  lines?: readonly Fulfillment["lines"][number][] | undefined;
}

/** The fulfilment can't be recorded, and nothing was. The message says why without quoting it. */
export class FulfillmentRefused extends Error {
  override readonly name = "FulfillmentRefused";
  /** `state`: the order can't be sent as it stands; `content`: what was reported doesn't fit it. */
  readonly reason: "state" | "content";

  constructor(reason: "state" | "content", message: string) {
    super(message);
    this.reason = reason;
  }
}

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff";
/**
 * As regular expressions with the flag `u`: one line of up to 100 visible characters; and an https address, without a user
 * name or password before the host (RFC 3986, §7.6), such as https://dhl.example@evil.example/.
 */
export const LABEL = `^[^\\s${CONTROLS}]([^${CONTROLS}]{0,98}[^\\s${CONTROLS}])?$`;
export const HTTPS_URL = "^https://[\\w-]+(\\.[\\w-]+)*(:[0-9]{1,5})?([/?#][!-~]*)?$";
export const MOST_URL_CHARACTERS = 2_000;

/** Of the reporter's clock. */
const CLOCK_SKEW_MS = 5 * 60_000;

const REFUSED_STATES: ReadonlySet<Order["status"]> = new Set(["pending", "failed", "cancelled", "refunded"] as const);

/**
 * Records that goods were sent. Once everything is, and is paid, an order that is processing becomes completed. The
 * same fulfilment again changes nothing. Returns whether something changed; undefined for an unknown order. Throws
 * FulfillmentRefused.
 */
export const recordFulfillment = (
  db: Db,
  orderId: number,
  report: NewFulfillment,
  followUp: FollowUp,
): Promise<boolean | undefined> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const order = await findOrder(transaction, orderId);
    if (!order) return undefined;
    const given = { ...report, ...readLabels(report) };
    const known = order.fulfillments.find(({ reference }) => reference === given.reference);
    if (known && isSame(known, given, order)) return false;
    if (known)
      throw new FulfillmentRefused("content", "A different fulfilment is recorded with this reference already.");
    if (REFUSED_STATES.has(order.status)) throw new FulfillmentRefused("state", describeState(order.status));
    const fulfillment = toFulfillment(order, given);
    const fulfillments = [...order.fulfillments, fulfillment];
    const left = linesLeft(order, fulfillments);
    const fulfillment_status = left.length === 0 ? "fulfilled" : "partial";
    await changeOrder(transaction, orderId, { fulfillments, fulfillment_status }, new Date(), followUp);
    return true;
  });

/** What the customer reads in the mail, and people paste into an ERP. */
const readLabels = ({ carrier, tracking_number }: Pick<NewFulfillment, "carrier" | "tracking_number">) => ({
  carrier: readTyped(carrier ?? "") || null,
  tracking_number: readTyped(tracking_number ?? "") || null,
});

const describeState = (status: Order["status"]) =>
  status === "pending"
    ? "The order is pending: record its payment, or accept it, before it's sent."
    : `The order is ${status}, so nothing of it can be sent.`;

/** Throws FulfillmentRefused. */
function toFulfillment(order: Order, { shippedAt, lines, ...given }: NewFulfillment): Fulfillment {
  const now = Date.now();
  const earliest = Date.parse(order.created_at) - DAY_MS;
  if (shippedAt && !(shippedAt.getTime() >= earliest && shippedAt.getTime() <= now + CLOCK_SKEW_MS))
    throw new FulfillmentRefused("content", "The time is in the future, or more than a day before the order.");
  const left = linesLeft(order, order.fulfillments);
  if (left.length === 0) throw new FulfillmentRefused("content", "Everything of this order was sent already.");
  const { reference, carrier, tracking_number, tracking_url } = given;
  return {
    id: order.fulfillments.length + 1,
    ...{ reference, carrier, tracking_number, tracking_url },
    shipped_at: (shippedAt ?? new Date(now)).toISOString(),
    lines: lines ? checkLines(lines, left) : left,
  };
}

/** The lines of an order, and how many pieces of each weren't sent yet. */
function linesLeft(order: Order, fulfillments: readonly Fulfillment[]): Fulfillment["lines"] {
  const sent = new Map<number, number>();
  for (const { line_id, quantity } of fulfillments.flatMap(({ lines }) => lines))
    sent.set(line_id, (sent.get(line_id) ?? 0) + quantity);
  return order.lines
    .map(({ id, quantity }) => ({ line_id: id, quantity: quantity - (sent.get(id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

function checkLines(lines: NonNullable<NewFulfillment["lines"]>, left: Fulfillment["lines"]): Fulfillment["lines"] {
  if (new Set(lines.map(({ line_id }) => line_id)).size < lines.length)
    throw new FulfillmentRefused("content", "A line is named twice.");
  const fits = lines.every(({ line_id, quantity }) =>
    left.some((line) => line.line_id === line_id && quantity <= line.quantity),
  );
  if (!fits)
    throw new FulfillmentRefused("content", "A line isn't of this order, or fewer pieces of it are left to be sent.");
  return lines.map(({ line_id, quantity }) => ({ line_id, quantity }));
}

/** A report without a time fits any; one without lines, only if nothing is left that it could mean now. */
function isSame(known: Fulfillment, { shippedAt, lines, ...given }: NewFulfillment, order: Order): boolean {
  const { tracking_url, reference } = known;
  return (
    isDeepStrictEqual({ ...readLabels(known), tracking_url, reference }, given) &&
    (shippedAt === undefined || shippedAt.toISOString() === known.shipped_at) &&
    (lines === undefined
      ? linesLeft(order, order.fulfillments).length === 0
      : isDeepStrictEqual(byId(lines), byId(known.lines)))
  );
}

const byId = (lines: readonly Fulfillment["lines"][number][]) =>
  lines.toSorted((a, b) => a.line_id - b.line_id).map(({ line_id, quantity }) => [line_id, quantity]);
