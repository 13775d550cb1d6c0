import { sql } from "kysely";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { now } from "../../platform/database/columns.ts";
import { indexOrders } from "../../platform/database/order-search.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { AttentionReason } from "../../platform/database/tables.ts";
import { showMoney, sum, surplusOf } from "./money.ts";
import type { OrderState } from "./place-order.ts";

/**
 * Why a person must look at an order, and what it means in a line of a terminal. The shop's mail has sentences of its own,
 * by the same names, among the words of private pages.
 */
export const ATTENTION_REASONS: Readonly<Record<AttentionReason, string>> = {
  overpaid: "more came than was due: send it back (refunded), or agree to keep it (done)",
  other_currency: "money came in another currency: agree with the customer, then release or cancel the order (done)",
  paid_twice: "it was paid twice by card: the second payment goes back by itself, or see it in Stripe's Dashboard",
  paid_after_cancelling: "money came for an order that has ended: send it back (refunded), or agree to keep it (done)",
  owed: "the order has ended and still holds this money: send it back (refunded), or agree to keep it (done)",
  paid_on_hold: "money came while it is on hold: release or cancel it",
  part_paid: "a part of the total came, and this is still due: it goes on by itself when that comes",
  disputed: "the customer objected to the payment at the bank: answer in Stripe's Dashboard, then release or done",
  refund_failed: "a refund didn't reach the customer: send the money another way (refunded)",
  surplus_kept: "what was paid twice couldn't be sent back by card: send it another way (refunded)",
  refund_unclear: "Stripe gave back more than was left after the refunds recorded by hand: compare both (done)",
  unreadable_answer: "Stripe's answer about a payment is an error or can't be read: look at it in its Dashboard (done)",
  too_few_left:
    "it goes on, and there are fewer pieces left than it needs: get more, or agree with the customer (done)",
  closed_unpaid:
    "the rest won't come, and this is still due for what was sent: ask for it, and release it, so that its page says how to pay",
  sent_on_hold: "goods were sent while it is on hold: release it, or get them back (done)",
};

/** Money to give back, in the order in which what goes back settles it. */
const TO_GIVE_BACK: readonly AttentionReason[] = [
  ...(["refund_failed", "surplus_kept", "paid_after_cancelling", "owed", "overpaid", "paid_twice"] as const),
];

/** Those that follow from what the order holds, rather than from what Stripe couldn't send. */
const OF_ORDER: readonly AttentionReason[] = ["paid_after_cancelling", "owed", "overpaid"];

/** Something that a person must look at. The same reason about the same thing is one matter. */
export interface Matter {
  reason: AttentionReason;
  /** What it is about, such as the provider's id of a refund; an order has one matter of a reason that leaves it out. */
  about?: string;
  /** How much money it is about, in ten-thousandths of `currency`; none for what isn't about money. */
  money?: { amount: bigint; currency: string };
  /** Set where other matters may name the same money: it's taken off them. */
  takesOver?: boolean;
}

/** A matter as it's stored; `amount` is what is left of it, as a decimal string. */
export interface OpenMatter {
  id: number;
  reason: AttentionReason;
  about: string;
  amount: string | null;
  currency: string | null;
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
  const surplus = was.paidInFull ? came : surplusOf(is.received - was.refunded - is.total, currency);
  if (surplus > 0n) return money("overpaid", surplus);
  return is.status === "on_hold" && was.status === "on_hold" && !given.waitsForRest ? money("paid_on_hold", came) : [];
}

/**
 * Whether an order on hold waits for the rest of its total alone, as orders did that were paid in part before
 * 2026-11-25.
 */
export async function waitsForRest(transaction: Db, orderId: number): Promise<boolean> {
  const matters = await findMatters(transaction, orderId);
  return matters.length > 0 && matters.every(({ reason }) => reason === "part_paid");
}

interface Step {
  orderId: number;
  currency: string;
  was: OrderState;
  is: OrderState;
  /** What the change brings. */
  matters: readonly Matter[];
  /** What went back with it, in ten-thousandths, and which matter that settles first, by what it is about. */
  returned: bigint;
  settles: string | undefined;
  /** Who saw to what it settles. */
  by: string;
}

/**
 * Opens the matters of a change and closes what it settles, in its transaction. Returns whether there is something new
 * that a person must look at.
 */
export async function recordMatters(transaction: Db, step: Step): Promise<boolean> {
  const { orderId, matters, returned, settles } = step;
  for (const { money, takesOver } of matters)
    if (takesOver && money) await takeOff(transaction, step, money.amount, OF_ORDER);
  const opened = await openMatters(transaction, orderId, matters);
  if (returned > 0n) await takeOff(transaction, step, returned, TO_GIVE_BACK, settles);
  opened.push(...(await followStatus(transaction, step)));
  if (opened.length === 0) return false;
  const left = await findMatters(transaction, orderId);
  return left.some(({ reason, about }) => opened.some((each) => each.reason === reason && each.about === about));
}

/** What an order's going on, ending and coming back means for its matters. Returns what it opened. */
async function followStatus(transaction: Db, step: Step): Promise<MatterKey[]> {
  const { orderId, currency, was, is, by } = step;
  const hasEnded = isClosed(is.status) && !isClosed(was.status);
  // One that a failed refund brings back keeps its matters.
  const isReopened = isClosed(was.status) && !isClosed(is.status) && by !== "automatic";
  const isReleased = was.status === "on_hold" && is.status !== "on_hold";
  const close = (...reasons: AttentionReason[]) => closeMatters(transaction, orderId, by, { reasons });
  if (isReleased || hasEnded) await close("paid_on_hold", "part_paid", "closed_unpaid");
  if (hasEnded) await close("too_few_left");
  if (isReleased && !hasEnded) await close("sent_on_hold", "disputed");
  if (isReopened) await close("owed", "paid_after_cancelling");
  const isMoneyNew = is.received !== was.received || is.refunded !== was.refunded;
  if (isMoneyNew && !isReleased) await followPart(transaction, orderId, is);
  if (!hasEnded && !isReopened) return [];
  const reason = hasEnded ? "owed" : "overpaid";
  // What no other matter names.
  const named = (await findMoney(transaction, step, TO_GIVE_BACK)).filter(
    (each) => !(each.reason === reason && each.about === "") && (hasEnded || each.reason !== "refund_failed"),
  );
  const held = is.received - is.refunded - (hasEnded ? 0n : is.total);
  const amount = held - sum(named.map(({ amount }) => parseMoney(amount ?? "0")));
  return amount > 0n ? openMatters(transaction, orderId, [{ reason, money: { amount, currency } }]) : [];
}

/** What open matters of an order that goes on say to give back in its currency, in ten-thousandths. */
export const sumToGiveBack = async (transaction: Db, orderId: number, currency: string): Promise<bigint> =>
  sum(
    (await findMoney(transaction, { orderId, currency }, TO_GIVE_BACK))
      .filter(({ reason }) => reason !== "refund_failed")
      .map(({ amount }) => parseMoney(amount ?? "0")),
  );

/** Open matters about money in the order's currency. */
const findMoney = async (
  transaction: Db,
  { orderId, currency }: Pick<Step, "orderId" | "currency">,
  reasons: readonly AttentionReason[],
): Promise<OpenMatter[]> =>
  (await findMatters(transaction, orderId)).filter(
    (matter) => reasons.includes(matter.reason) && matter.currency === currency,
  );

/** The rest of the total that an order on hold waits for. */
async function followPart(transaction: Db, orderId: number, { total, received, refunded }: OrderState): Promise<void> {
  const due = total - (received - refunded);
  await transaction
    .updateTable("attention")
    .set(due > 0n ? { amount: formatMoney(due, 4) } : { done_by: "automatic", done_at: now() })
    .where("order_id", "=", orderId)
    .where("reason", "in", ["part_paid", "closed_unpaid"])
    .where("done_at", "is", null)
    .execute();
}

/** Takes an amount off open matters of some reasons, in their order, which end when nothing is left of them. */
async function takeOff(
  transaction: Db,
  step: Step,
  amount: bigint,
  reasons: readonly AttentionReason[],
  first?: string,
): Promise<void> {
  const rank = ({ reason, about }: OpenMatter) => (about === first ? -1 : reasons.indexOf(reason));
  const matters = await findMoney(transaction, step, reasons);
  let left = amount;
  for (const { id, amount } of matters.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)) {
    const owed = parseMoney(amount ?? "0");
    const isSettled = owed <= left;
    const taken = isSettled ? owed : left;
    if (taken === 0n) continue;
    left -= taken;
    await transaction
      .updateTable("attention")
      .set(({ eb }) => ({
        returned: eb("returned", "+", formatMoney(taken, 4)),
        ...(isSettled && { done_by: step.by, done_at: now() }),
      }))
      .where("id", "=", id)
      .execute();
  }
}

type MatterKey = Pick<OpenMatter, "reason" | "about">;

/**
 * Opens matters and returns those that are news. One about a certain thing is opened once ever; another one again once it
 * was closed, and with another amount meanwhile.
 */
async function openMatters(transaction: Db, orderId: number, matters: readonly Matter[]): Promise<MatterKey[]> {
  const opened: MatterKey[] = [];
  for (const { reason, about = "", money } of matters) {
    // What was to go back by itself doesn't.
    if (reason === "surplus_kept") await closeMatters(transaction, orderId, "automatic", { reasons: ["paid_twice"] });
    const known = await transaction
      .selectFrom("attention")
      .select(["id", "done_at"])
      .where("order_id", "=", orderId)
      .where("reason", "=", reason)
      .where("about", "=", about)
      .executeTakeFirst();
    if (known && (about !== "" || (known.done_at === null && !money))) continue;
    const amount = money ? formatMoney(money.amount, 4) : null;
    const times = { since: now(), done_by: null, done_at: null };
    const open = { amount, currency: money?.currency ?? null, returned: "0", ...times };
    if (known) await transaction.updateTable("attention").set(open).where("id", "=", known.id).execute();
    else
      await transaction
        .insertInto("attention")
        .values({ order_id: orderId, reason, about, ...open })
        .execute();
    opened.push({ reason, about });
  }
  return opened;
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

/**
 * Closes open matters: all, or those of some reasons, about something, or with an id. `by` is who saw to them. Returns how
 * many there were.
 */
export async function closeMatters(
  transaction: Db,
  orderId: number,
  by: string,
  { reasons, about, id }: { reasons?: readonly AttentionReason[]; about?: string; id?: number | undefined } = {},
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("attention")
    .set({ done_by: by, done_at: now() })
    .where("order_id", "=", orderId)
    .where("done_at", "is", null)
    .$if(reasons !== undefined, (query) => query.where("reason", "in", reasons ?? []))
    .$if(about !== undefined, (query) => query.where("about", "=", about ?? ""))
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? 0))
    .executeTakeFirstOrThrow();
  // What changes the order does so too (change-order.ts); a person may close them and change nothing.
  if (numUpdatedRows > 0n) await indexOrders(transaction, [orderId]);
  return Number(numUpdatedRows);
}

/** What is left of a matter's amount; of a closed one, all of it. */
export const leftOf = sql<string | null>`if(done_at is null, amount - returned, amount)`;

/** An order's open matters, the oldest first; also those closed since `closedSince`, in RFC 3339, with the whole amount. */
export const findMatters = (db: Db, orderId: number, closedSince?: string): Promise<OpenMatter[]> =>
  db
    .selectFrom("attention")
    .select(["id", "reason", "about", "currency"])
    .select(leftOf.as("amount"))
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

/** What Stripe couldn't give back of an order in its currency, ever, in ten-thousandths: it goes another way. */
export async function sumUnsendable(db: Db, orderId: number, currency: string): Promise<bigint> {
  const rows = await db
    .selectFrom("attention")
    .select("amount")
    .where("order_id", "=", orderId)
    .where("reason", "in", ["refund_failed", "surplus_kept"])
    .where("currency", "=", currency)
    .execute();
  return sum(rows.map(({ amount }) => parseMoney(amount ?? "0")));
}

/** Open matters as a command shows them, one in a line. */
export const describeMatter = ({ reason, amount, currency }: Omit<OpenMatter, "id" | "about">): string =>
  amount === null || currency === null
    ? ATTENTION_REASONS[reason]
    : `${showMoney(amount, currencyDigits(currency))} ${currency}: ${ATTENTION_REASONS[reason]}`;
