import { type Selectable, sql } from "kysely";
import { currencyDigits } from "../../contract/currencies.ts";
import { DAY_MS } from "../../contract/duration.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { ago, now, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { ActRefused } from "../orders/act-refused.ts";
import type { Work } from "../orders/acts.ts";
import { changeOrder } from "../orders/change-order.ts";
import { sum } from "../orders/money.ts";
import { sumPaid } from "../orders/payments.ts";
import type { Order } from "../orders/schema.ts";
import { fromMinor, isPayable, toMinor } from "./amounts.ts";
import { listRefunds } from "./ask-provider.ts";
import { type Attempt, findAttempt, isDue } from "./attempts.ts";
import { Refund, readAnswer } from "./provider-answers.ts";
import { onFailure, type Payments, requireRefusal, settle } from "./settle.ts";

/** A payment by card of which money can be given back. */
export interface Refundable {
  /** The provider's id of it. */
  payment: string;
  /** At most, as a decimal string: what was paid by it, as far as the order has it and nobody has asked for it yet. */
  amount: string;
}

/** The payments of an order by card of which something is left to be given back. */
export async function listRefundable(db: Db, order: Order): Promise<Refundable[]> {
  if (!isPayable(order.currency)) return [];
  const decided = await listDecided(db, order);
  const left = sumPaid(order.payments) - parseMoney(order.totals.refunded) - sumUnderWay(decided);
  const digits = currencyDigits(order.currency);
  return (await listPaid(db, order)).flatMap(({ id, payment_intent, amount }) => {
    // What came in another way can't go back by this one.
    const kept: bigint =
      amount - sum(decided.filter(({ attempt_id }) => attempt_id === id).map(({ amount }) => amount));
    const most = left < kept ? left : kept;
    return most > 0n ? [{ payment: payment_intent, amount: formatMoney(most, digits) }] : [];
  });
}

/** Payments by card that came, in the order's currency. */
async function listPaid(db: Db, { id, currency, payments }: Order) {
  const attempts = await db
    .selectFrom("payment_attempts")
    .select(["id", "payment_intent"])
    .where("order_id", "=", id)
    .where("state", "=", "paid")
    .where("currency", "=", currency)
    .orderBy("id")
    .execute();
  return attempts.flatMap(({ id, payment_intent }) => {
    const paid = payments.find(({ status, reference }) => status === "paid" && reference === payment_intent);
    return paid && payment_intent !== null ? [{ id, payment_intent, amount: parseMoney(paid.amount) }] : [];
  });
}

/** After so long, what becomes of a refund is in the order, or never will be. */
const AWAITED_MS = 30 * DAY_MS;

/** Whether settling has recorded what the provider made. */
const isRecorded = sql<number>`exists (select 1 from order_refunds
  where order_refunds.order_id = card_refunds.order_id and order_refunds.reference = card_refunds.refund_id)`;
/** Whether a person was told that what the provider had taken didn't arrive. */
const hasFailed = sql<number>`exists (select 1 from attention
  where attention.order_id = card_refunds.order_id and attention.reason = 'refund_failed'
    and attention.about = card_refunds.refund_id)`;

/** What goes back to cards and isn't in the order yet: settling records it. Null if nothing does. */
export async function findUnderWay(db: Db, order: Order): Promise<string | null> {
  const amount = sumUnderWay(await listDecided(db, order));
  return amount > 0n ? formatMoney(amount, currencyDigits(order.currency)) : null;
}

const sumUnderWay = (decided: readonly { amount: bigint; isRecorded: boolean }[]): bigint =>
  sum(decided.filter(({ isRecorded }) => !isRecorded).map(({ amount }) => amount));

/** What was decided and went back, or still may, in ten-thousandths. */
async function listDecided(db: Db, { id, currency }: Order) {
  const rows = await db
    .selectFrom("card_refunds")
    .select(["attempt_id", "amount_minor", isRecorded.as("is_recorded")])
    .where("order_id", "=", id)
    .where("state", "!=", "refused")
    .where(sql<boolean>`not ${hasFailed} and (${isRecorded} or created_at > ${ago(AWAITED_MS)})`)
    .execute();
  return rows.map(({ attempt_id, amount_minor, is_recorded }) => ({
    attempt_id,
    amount: parseMoney(fromMinor(Number(amount_minor), currency)),
    isRecorded: Number(is_recorded) === 1,
  }));
}

/** What somebody decides; `payment` is the provider's id. */
interface WantedRefund extends Refundable {
  /** For the shop alone. */
  reason: string;
}

/**
 * An act's work: stores that a payment by card is to be given back, in whole or in part. Nothing has gone back then:
 * sendRefund asks the provider, and settling alone records what it says.
 */
export const askForRefund =
  ({ payment, amount, reason }: WantedRefund): Work =>
  async (transaction, order, who) => {
    const paid = (await listPaid(transaction, order)).find(({ payment_intent }) => payment_intent === payment);
    const left = (await listRefundable(transaction, order)).find((each) => each.payment === payment);
    if (!paid || !left) throw new ActRefused("state", "Nothing of this payment is left to refund.", "no_card");
    const wanted = readWanted(amount, order.currency);
    if (wanted > parseMoney(left.amount))
      throw new ActRefused("content", `Only ${left.amount} of this payment is left to refund.`, "refund_left");
    await transaction
      .insertInto("card_refunds")
      .values({
        ...{ order_id: order.id, attempt_id: paid.id, state: "asked" },
        amount_minor: toMinor(formatMoney(wanted, currencyDigits(order.currency)), order.currency),
        reason: readTyped(reason) || null,
        ...{ done_by: who, created_at: now() },
      })
      .execute();
    return wanted;
  };

/** Throws ActRefused unless it's an amount above 0 in the currency's digits. */
function readWanted(text: string, currency: string): bigint {
  try {
    const amount = parseMoney(text, currencyDigits(currency));
    if (amount > 0n) return amount;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ActRefused("content", "The amount must be larger than 0, in the currency's digits.", "refund_amount");
}

/** A refund by card as the order's page shows it. */
export interface CardRefund {
  id: number;
  amount: string;
  /** `sent` until settling has recorded that it was made, or that it failed. */
  state: "asked" | "sent" | "made" | "failed" | "refused";
  reason: string | null;
  done_by: string;
  created_at: string;
}

/** The refunds by card that somebody in the shop has decided, the oldest first. */
export async function listCardRefunds(db: Db, { id, currency }: Order): Promise<CardRefund[]> {
  const rows = await db
    .selectFrom("card_refunds")
    .select(["id", "amount_minor", "state", "reason", "done_by", "created_at"])
    .select([isRecorded.as("is_recorded"), hasFailed.as("has_failed")])
    .where("order_id", "=", id)
    .orderBy("id")
    .execute();
  return rows.map(({ amount_minor, created_at, is_recorded, has_failed, ...row }) => ({
    ...row,
    state: Number(has_failed) === 1 ? "failed" : Number(is_recorded) === 1 ? "made" : row.state,
    amount: fromMinor(Number(amount_minor), currency),
    created_at: toRfc3339(created_at),
  }));
}

/** Longer than the provider takes for an answer: whoever has asked before is done, or never will be. */
const CLAIM_MS = 60_000;
/** How long the provider is asked; then a person is. */
const ASKED_FOR_MS = 3 * DAY_MS;

type AskedRefund = Selectable<Tables["card_refunds"]>;

/**
 * Asks the provider for a refund that was decided, once at a time, and lets settling record what came of it. Whether an
 * earlier try has made it, its answer lost, is in the provider's list, where ours are marked; each try has its own key,
 * since an error 500 would be repeated under the same one for a day. What the provider refuses needs a person. Throws a
 * StripeError when the provider doesn't answer: the sweep tries again.
 */
export async function sendRefund(payments: Payments, id: number): Promise<void> {
  const claimed = await claimRefund(payments.db, id);
  if (!claimed) return;
  const { refund, attempt } = claimed;
  try {
    await makeRefund(payments, refund, attempt);
  } catch (error) {
    await onFailure(payments, attempt, error);
    throw error;
  }
  await settle(payments, attempt);
}

async function makeRefund(payments: Payments, refund: AskedRefund, attempt: Attempt): Promise<void> {
  const { db, stripe } = payments;
  const { payment_intent } = attempt;
  if (payment_intent === null) return;
  const act = `${attempt.idempotency_key}/${refund.id}`;
  const markSent = (refund_id: string) =>
    db.updateTable("card_refunds").set({ state: "sent", refund_id }).where("id", "=", refund.id).execute();
  const made = (await listRefunds(stripe, payment_intent)).find(({ metadata }) => metadata?.["act"] === act);
  if (made) return void (await markSent(made.id));
  if (Date.now() - Date.parse(toRfc3339(refund.created_at)) > ASKED_FOR_MS)
    return refuse(payments, refund, attempt.currency);
  const wanted = { payment_intent, amount: Number(refund.amount_minor), metadata: { act } };
  const answer = await readAnswer(
    Refund,
    stripe.refunds.create(wanted, { idempotencyKey: `${act}/${refund.tries}` }),
  ).catch(requireRefusal);
  if (answer === undefined) return; // it can't be read: the list says next time whether it was made
  if (answer instanceof Error) return refuse(payments, refund, attempt.currency);
  await markSent(answer.id);
}

/** Counts the try before it's made. Undefined if another process is at it, or it's done. */
async function claimRefund(db: Db, id: number): Promise<{ refund: AskedRefund; attempt: Attempt } | undefined> {
  const { numUpdatedRows } = await db
    .updateTable("card_refunds")
    .set({ tries: sql<number>`tries + 1`, asked_at: now() })
    .where("id", "=", id)
    .where("state", "=", "asked")
    .where(({ or, eb }) => or([eb("asked_at", "is", null), eb("asked_at", "<=", ago(CLAIM_MS))]))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  const refund = await db.selectFrom("card_refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const attempt = await findAttempt(db, { id: refund.attempt_id });
  return attempt && { refund, attempt };
}

/** Leaves it to a person, who is told. */
const refuse = (
  { db, followUp }: Payments,
  { id, order_id, amount_minor }: AskedRefund,
  currency: string,
): Promise<void> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    await transaction.updateTable("card_refunds").set({ state: "refused" }).where("id", "=", id).execute();
    const money = { amount: parseMoney(fromMinor(Number(amount_minor), currency)), currency };
    const matters = [{ reason: "refund_failed", about: `card-refund-${id}`, money, takesOver: true }] as const;
    await changeOrder(transaction, order_id, { matters }, new Date(), followUp);
  });

/** Refunds to ask the provider for again: two minutes after they were decided, then ever more seldom. */
export const findAskedRefunds = (db: Db, after = 0): Promise<{ id: number }[]> =>
  db
    .selectFrom("card_refunds")
    .select("id")
    .where("state", "=", "asked")
    .where("id", ">", after)
    .where(isDue(sql.ref("created_at"), sql`coalesce(asked_at, created_at)`))
    .orderBy("id")
    .limit(MOST_AT_ONCE)
    .execute();

const MOST_AT_ONCE = 50;

/** Refunds of an order that were decided and not asked for yet. */
export async function findNewRefunds(db: Db, orderId: number): Promise<number[]> {
  const rows = await db
    .selectFrom("card_refunds")
    .select("id")
    .where("order_id", "=", orderId)
    .where("state", "=", "asked")
    .where("asked_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
