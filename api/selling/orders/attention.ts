import { sql } from "kysely";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { AttentionReason } from "../../platform/database/tables.ts";
import { showMoney } from "./money.ts";
import type { OrderState } from "./place-order.ts";

/**
 * Why a person must look at an order, and what it means in a line of a terminal. The shop's mail has sentences of its own,
 * by the same names, among the words of private pages.
 */
export const ATTENTION_REASONS: Readonly<Record<AttentionReason, string>> = {
  overpaid: "more came than was due: send the rest back (refunded), or release it",
  other_currency: "money came in another currency: agree with the customer, then release or cancel it",
  paid_twice: "it was paid twice by card: the second payment goes back by itself, so there is nothing to do",
  paid_after_cancelling: "money came for an order that is closed: send it back (refunded), or reopen it (hold)",
  paid_on_hold: "money came while it is on hold: release or cancel it",
  part_paid: "a part of the total came, and the rest is still due: it goes on by itself when that comes",
  disputed: "the customer objected to the payment at the bank: answer in Stripe's Dashboard, then release or cancel it",
  refund_failed: "a refund didn't reach the customer: send the money another way (refunded)",
  surplus_kept: "what was paid twice couldn't be sent back by card: send it another way (refunded)",
  refund_unclear: "Stripe gave back more than was left after the refunds recorded by hand: compare both",
  unreadable_answer: "Stripe's answer about a payment couldn't be read: look at the payment in its Dashboard",
  sent_on_hold: "goods were sent while it is on hold: release it, or get them back",
};

/** Something that a person must look at. The same reason about the same thing is one matter. */
export interface Matter {
  reason: AttentionReason;
  /** What it is about, such as the provider's id of a refund; an order has one matter of a reason that leaves it out. */
  about?: string;
  /** How much money it is about, in ten-thousandths of `currency`; none for what isn't about money. */
  money?: { amount: bigint; currency: string };
}

const isClosed = (status: OrderState["status"]) =>
  status === "cancelled" || status === "refunded" || status === "failed";

/** What a person must look at because of money that came, as `payment`, or of goods that were sent. */
export function mattersOfChange(
  was: OrderState,
  is: OrderState,
  given: { currency: string; payment: string; isSent: boolean; waitsForRest: boolean },
): Matter[] {
  const { payment: about, currency } = given;
  const came = is.received - was.received;
  const money = (reason: AttentionReason, amount: bigint): Matter[] => [{ reason, about, money: { amount, currency } }];
  if (given.isSent && is.status === "on_hold") return [{ reason: "sent_on_hold" }];
  if (came <= 0n) return [];
  if (isClosed(is.status)) return money("paid_after_cancelling", came);
  const surplusBefore = was.received > was.total ? was.received - was.total : 0n;
  const surplus = is.received - is.total - surplusBefore;
  if (surplus > 0n) return money("overpaid", surplus);
  return is.status === "on_hold" && was.status === "on_hold" && !given.waitsForRest ? money("paid_on_hold", came) : [];
}

/** Whether an order on hold waits for the rest of its total alone, as orders did that were paid in part before 2026-11-25. */
export async function waitsForRest(transaction: Db, orderId: number): Promise<boolean> {
  const matters = await findMatters(transaction, orderId);
  return matters.length > 0 && matters.every(({ reason }) => reason === "part_paid");
}

/** They end when the order is released, cancelled or refunded; `overpaid` when it's released. */
const OF_HOLD: readonly AttentionReason[] = [
  ...(["other_currency", "paid_on_hold", "part_paid", "disputed", "sent_on_hold"] as const),
  ...(["refund_unclear", "unreadable_answer"] as const),
];
/** They end when the order holds no more money than it should. */
const OF_SURPLUS: readonly AttentionReason[] = ["overpaid", "paid_twice", "paid_after_cancelling"];
/** They end when as much is given back in another way. */
const OF_REFUND: readonly AttentionReason[] = ["refund_failed", "surplus_kept"];

/** Closes the matters that a change has settled. `by` as in closeMatters. */
export async function closeSettled(
  transaction: Db,
  orderId: number,
  was: OrderState,
  is: OrderState,
  by: string,
): Promise<void> {
  const isReleased = was.status === "on_hold" && is.status !== "on_hold";
  const hasEnded = isClosed(is.status) && !isClosed(was.status);
  const isReopened = isClosed(was.status) && !isClosed(is.status);
  const givenBack = is.refunded - was.refunded;
  const isEven = givenBack > 0n && is.received - is.refunded <= (isClosed(is.status) ? 0n : is.total);
  const reasons = [
    ...(isReleased || hasEnded ? OF_HOLD : []),
    ...(isReleased && !hasEnded ? (["overpaid"] as const) : []),
    ...(isReopened ? (["paid_after_cancelling"] as const) : []),
    ...(isEven ? OF_SURPLUS : []),
  ];
  if (reasons.length > 0) await closeMatters(transaction, orderId, by, { reasons });
  if (givenBack <= 0n) return;
  let left = givenBack;
  const ids: number[] = [];
  for (const { id, reason, amount } of await findMatters(transaction, orderId)) {
    const owed = parseMoney(amount ?? "0");
    if (!OF_REFUND.includes(reason) || owed > left) continue;
    left -= owed;
    ids.push(id);
  }
  if (ids.length > 0) await closeMatters(transaction, orderId, by, { ids });
}

/** A matter as it's stored, with its amount as a decimal string. */
export interface OpenMatter {
  id: number;
  reason: AttentionReason;
  amount: string | null;
  currency: string | null;
}

/**
 * Opens matters in the transaction that changes the order. One about a certain thing is opened once ever; another one, again
 * once it was closed.
 */
export async function openMatters(transaction: Db, orderId: number, matters: readonly Matter[]): Promise<void> {
  for (const { reason, about = "", money } of matters) {
    // What was to go back by itself doesn't.
    if (reason === "surplus_kept") await closeMatters(transaction, orderId, "provider", { reasons: ["paid_twice"] });
    const amount = money ? formatMoney(money.amount, 4) : null;
    const open = { amount, currency: money?.currency ?? null, since: now(), done_by: null, done_at: null };
    await transaction
      .insertInto("attention")
      .values({ order_id: orderId, reason, about, ...open })
      .onDuplicateKeyUpdate(about === "" ? open : { about })
      .execute();
  }
}

/** What matters of a reason were ever about. */
export async function findAbouts(db: Db, orderId: number, reason: AttentionReason): Promise<string[]> {
  const rows = await db
    .selectFrom("attention")
    .select("about")
    .where("order_id", "=", orderId)
    .where("reason", "=", reason)
    .execute();
  return rows.map(({ about }) => about);
}

/** Closes open matters: all, or only these. `by` is who saw to them. Returns how many there were. */
export async function closeMatters(
  transaction: Db,
  orderId: number,
  by: string,
  { reasons, ids }: { reasons?: readonly AttentionReason[] | undefined; ids?: readonly number[] } = {},
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("attention")
    .set({ done_by: by, done_at: now() })
    .where("order_id", "=", orderId)
    .where("done_at", "is", null)
    .$if(reasons !== undefined, (query) => query.where("reason", "in", reasons ?? []))
    .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** An order's open matters, the oldest first; also those closed since `closedSince`, in RFC 3339. */
export const findMatters = (db: Db, orderId: number, closedSince?: string): Promise<OpenMatter[]> =>
  db
    .selectFrom("attention")
    .select(["id", "reason", "amount", "currency"])
    .where("order_id", "=", orderId)
    .where(({ or, eb }) =>
      or([
        eb("done_at", "is", null),
        ...(closedSince === undefined ? [] : [eb("done_at", ">=", sql<string>`${new Date(closedSince)}`)]),
      ]),
    )
    .orderBy("since")
    .orderBy("id")
    .execute();

/** Open matters as a command shows them, one in a line. */
export const describeMatter = ({ reason, amount, currency }: OpenMatter): string =>
  amount === null || currency === null
    ? ATTENTION_REASONS[reason]
    : `${showMoney(amount, currencyDigits(currency))} ${currency}: ${ATTENTION_REASONS[reason]}`;
