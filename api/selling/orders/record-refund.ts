import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import type { Db } from "../../platform/database/pool.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { ActRefused } from "./act-refused.ts";
import { sumUnsendable } from "./attention.ts";
import { changeOrder } from "./change-order.ts";
import { totalToPay } from "./close-order.ts";
import { sum } from "./money.ts";
import { readRefunds, sumPaid } from "./payments.ts";
import type { FollowUp } from "./place-order.ts";
import { readReportTime } from "./report-time.ts";
import type { Order } from "./schema.ts";

/** Money that went back, as a person or a partner reports it. */
export interface GivenRefund {
  /** Identifies it within its order. */
  reference: string;
  /** A decimal string in the order's currency; undefined for all that was paid. */
  amount: string | undefined;
  /** For the shop and partners: the customer isn't shown it. */
  reason: string | null;
  /** When it went; undefined for now. */
  refundedAt?: Date | undefined;
}

/**
 * Records that money went back to the customer of a locked order; it moves none. The order becomes `refunded` when nothing
 * of what was paid is left, unless it costs nothing: then only a surplus went back. The same refund again changes nothing.
 * `who` reports it. Throws ActRefused.
 */
export async function recordRefund(
  transaction: Db,
  order: Order,
  { reference, amount, reason, refundedAt }: GivenRefund,
  followUp: FollowUp,
  who: string,
): Promise<void> {
  const digits = currencyDigits(order.currency);
  const recorded = await readRefunds(transaction, order.id, digits);
  const known = recorded.find((refund) => refund.reference === reference);
  const given = amount === undefined ? undefined : readGiven(amount, digits);
  if (known && (given ?? parseMoney(known.amount)) === parseMoney(known.amount)) return;
  if (known)
    throw new ActRefused(
      "content",
      "A refund with this reference is recorded already, with another amount.",
      "refund_known",
    );
  const payments = order.payments.filter(({ status }) => status === "paid");
  const left = sumPaid(payments) - parseMoney(order.totals.refunded);
  if (left === 0n)
    throw new ActRefused("content", `Nothing that was paid on ${order.number} is left to refund.`, "none_left");
  const total = parseMoney(order.totals.total);
  if (given === undefined && left > total)
    throw new ActRefused(
      "content",
      `${order.number} was paid more than its total. Write how much goes back: --amount.`,
      "say_amount",
    );
  if (given === undefined && totalToPay(order) < total)
    throw new ActRefused(
      "content",
      `${order.number} was sent in part, and its rest won't come. Write how much goes back: --amount.`,
      "say_amount",
    );
  const back = given ?? left;
  const byHand = sum(recorded.flatMap((each) => (isStripes(each) ? [] : parseMoney(each.amount))));
  const otherwise =
    sumPaid(payments.filter(({ method }) => method !== "card")) +
    (await sumUnsendable(transaction, order.id, order.currency)) -
    byHand;
  if (back > otherwise && (await isPaidByCard(transaction, order)))
    throw new ActRefused(
      "content",
      `${order.number} was paid by card. Refund it in Stripe's Dashboard: it appears here automatically.`,
      "refund_by_card",
    );
  if (back > left)
    throw new ActRefused(
      "content",
      `Only ${formatMoney(left, digits)} of what was paid on ${order.number} is left.`,
      "refund_left",
    );
  const created_at = readReportTime(refundedAt, order.created_at);
  const refunds = [
    { reference, reason: readTyped(reason ?? "") || null, created_at, amount: formatMoney(back, digits) },
  ];
  const isOpen = order.status === "processing" || order.status === "on_hold" || order.status === "completed";
  const change = {
    refunds,
    who,
    ...(back === left && isOpen && totalToPay(order) > 0n && { status: "refunded" as const }),
  };
  await changeOrder(transaction, order.id, change, new Date(), followUp);
}

/** Throws ActRefused unless it's an amount above 0 in the currency's digits. */
function readGiven(text: string, digits: number): bigint {
  try {
    const amount = parseMoney(text, digits);
    if (amount > 0n) return amount;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ActRefused(
    "content",
    `A refund must be larger than 0, with at most ${digits} digits after the point.`,
    "refund_amount",
  );
}

/** Whether a refund is known by Stripe's id, so that Stripe has made it. */
const isStripes = ({ reference }: { reference: string | null }) => /^(re|pyr)_[A-Za-z0-9]+$/.test(reference ?? "");

/** Whether a payment by card is Stripe's, whose refunds are recorded when Stripe makes them. */
async function isPaidByCard(db: Db, { id }: Order): Promise<boolean> {
  const paid = db.selectFrom("payment_attempts").select("id").where("order_id", "=", id).where("state", "=", "paid");
  return (await paid.executeTakeFirst()) !== undefined;
}
