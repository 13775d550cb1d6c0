import { isDeepStrictEqual } from "node:util";
import { oneLine } from "../../contract/patterns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { ActRefused } from "./act-refused.ts";
import { changeOrder } from "./change-order.ts";
import { byLine, checkPieces, fulfillmentStatusOf, type LinePieces, linesLeft } from "./pieces.ts";
import type { FollowUp } from "./place-order.ts";
import { findOrder } from "./queries.ts";
import { readReportTime } from "./report-time.ts";
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
  lines?: readonly LinePieces[] | undefined;
}

/** What a parcel is labelled with, as a regular expression with the flag `u`. */
export const LABEL = oneLine(100);
/** An https address, without a user name or password before the host (RFC 3986, §7.6), such as https://dhl.example@evil.example/. */
export const HTTPS_URL = "^https://[\\w-]+(\\.[\\w-]+)*(:[0-9]{1,5})?([/?#][!-~]*)?$";
export const MOST_URL_CHARACTERS = 2_000;

const REFUSED_STATES: ReadonlySet<Order["status"]> = new Set(["pending", "failed", "cancelled", "refunded"] as const);

/**
 * Records that goods were sent. Once everything is, and is paid, an order that is processing becomes completed. The
 * same fulfilment again changes nothing. `who` reports it. Returns whether something changed; undefined for an unknown
 * order. Throws ActRefused.
 */
export const recordFulfillment = (
  db: Db,
  orderId: number,
  report: NewFulfillment,
  followUp: FollowUp,
  who?: string,
): Promise<boolean | undefined> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const order = await findOrder(transaction, orderId);
    if (!order) return undefined;
    const given = { ...report, ...readLabels(report) };
    const known = order.fulfillments.find(({ reference }) => reference === given.reference);
    if (known && isSame(known, given, order)) return false;
    if (known)
      throw new ActRefused(
        "content",
        "A different fulfilment is recorded with this reference already.",
        "parcel_known",
      );
    if (REFUSED_STATES.has(order.status)) throw new ActRefused("state", describeState(order.status), "not_sendable");
    const fulfillments = [...order.fulfillments, toFulfillment(order, given)];
    const fulfillment_status = fulfillmentStatusOf({ ...order, fulfillments });
    await changeOrder(transaction, orderId, { fulfillments, fulfillment_status, who }, new Date(), followUp);
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

/** Throws ActRefused. */
function toFulfillment(order: Order, { shippedAt, lines, ...given }: NewFulfillment): Fulfillment {
  const at = readReportTime(shippedAt, order.created_at);
  const left = linesLeft(order);
  const isClosed = order.lines.some(({ closed_quantity }) => closed_quantity > 0);
  if (left.length === 0)
    throw new ActRefused(
      "content",
      isClosed
        ? "This order is closed: what wasn't sent by then isn't sent any more."
        : "Everything of this order was sent already.",
      "all_sent",
    );
  const { reference, carrier, tracking_number, tracking_url } = given;
  return {
    id: order.fulfillments.length + 1,
    ...{ reference, carrier, tracking_number, tracking_url },
    shipped_at: at.toISOString(),
    lines: lines
      ? checkPieces(lines, left, "A line isn't of this order, or fewer pieces of it are left to be sent.")
      : left,
  };
}

/** A report without a time fits any; one without lines, only if nothing is left that it could mean now. */
function isSame(known: Fulfillment, { shippedAt, lines, ...given }: NewFulfillment, order: Order): boolean {
  const { tracking_url, reference } = known;
  return (
    isDeepStrictEqual({ ...readLabels(known), tracking_url, reference }, given) &&
    (shippedAt === undefined || shippedAt.toISOString() === known.shipped_at) &&
    (lines === undefined ? linesLeft(order).length === 0 : isDeepStrictEqual(byLine(lines), byLine(known.lines)))
  );
}
