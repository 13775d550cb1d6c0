import { sql } from "kysely";
import { currencyDigits } from "../../contract/currencies.ts";
import { DAY_MS } from "../../contract/duration.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { ago, now, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { closeMatters, findAbouts, type Matter } from "../orders/attention.ts";
import { changeOrder, type OrderChange } from "../orders/change-order.ts";
import { sum } from "../orders/money.ts";
import { type NewPayment, readPayments, readRefunds, sumPaid } from "../orders/payments.ts";
import type { FollowUp } from "../orders/place-order.ts";
import type { Order } from "../orders/schema.ts";
import { fromMinor, toMinor } from "./amounts.ts";
import { ask, type Finding, type FoundRefund, type Provider } from "./ask-provider.ts";
import { type Attempt, claimSurplus } from "./attempts.ts";
import { isUnanswered, Refund, readAnswer, UnreadableAnswer } from "./provider-answers.ts";
import { loadStripe } from "./stripe-library.ts";

/** What payments need. */
export interface Payments extends Provider {
  db: Db;
  followUp: FollowUp;
}

/**
 * Asks the provider for the state of an attempt's page, payment, refunds and dispute, and records what it says. Events,
 * the customer's return and the clock are only reasons to call this: it does nothing where nothing differs, whatever
 * the order and number of calls. Throws a StripeError when the provider doesn't answer, and UnreadableAnswer after
 * onUnreadable; neither records anything of the order.
 */
export async function settle(payments: Payments, attempt: Attempt): Promise<void> {
  if (attempt.session_id === null) return;
  try {
    const { settled, finding } = await askAndRecord(payments, attempt, attempt.session_id);
    await sendSurplusBack(payments, settled, finding);
  } catch (error) {
    await onFailure(payments, attempt, error);
    throw error;
  }
}

/** Called after an error in a question about an attempt: the next one waits. */
export async function onFailure(payments: Payments, attempt: Attempt, error: unknown): Promise<void> {
  if (error instanceof UnreadableAnswer) await onUnreadable(payments, attempt);
  else if (error instanceof loadStripe().errors.StripeError && !isUnanswered(error))
    await markFailing(payments, attempt, false);
}

/** Returns the attempt as it is then, and what the provider said. */
async function askAndRecord(payments: Payments, attempt: Attempt, sessionId: string) {
  const finding = await ask(payments, { ...attempt, session_id: sessionId });
  if (isKnown(attempt, finding)) {
    await payments.db.updateTable("payment_attempts").set({ asked_at: now() }).where("id", "=", attempt.id).execute();
    return { settled: attempt, finding };
  }
  const settled = await record(payments, attempt, finding).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    throw new UnreadableAnswer("What Stripe says of a payment can't be recorded.", { cause: error });
  });
  return { settled, finding };
}

/**
 * Called for an answer about an attempt that can't be read or recorded. Nothing of the order changes, and a person is told,
 * once until an answer is recorded.
 */
export const onUnreadable = (payments: Pick<Payments, "db" | "followUp">, attempt: Attempt): Promise<void> =>
  markFailing(payments, attempt, true);

/** An answer that is an error may pass, so a person is told of it after a day; of one that can't be read at once. */
async function markFailing(
  { db, followUp }: Pick<Payments, "db" | "followUp">,
  { id, order_id }: Attempt,
  isTold: boolean,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    await transaction
      .updateTable("payment_attempts")
      .set({ asked_at: now(), unreadable_since: sql<Date>`coalesce(unreadable_since, ${now()})` })
      .where("id", "=", id)
      .execute();
    const { unreadable_since, isLong } = await transaction
      .selectFrom("payment_attempts")
      .select(["unreadable_since", sql<number>`unreadable_since < ${ago(DAY_MS)}`.as("isLong")])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (!isTold && Number(isLong) === 0) return;
    const matters = [{ reason: "unreadable_answer", about: unreadable_since ?? "" }] as const;
    await changeOrder(transaction, order_id, { matters }, new Date(), followUp);
  });
}

/** While nothing is paid, most answers say what is known: then nobody has to wait for the sequence row. */
const isKnown = (attempt: Attempt, { state, sessionId, url, paymentIntent, ...finding }: Finding): boolean =>
  attempt.unreadable_since === null &&
  state === attempt.state &&
  (state === "open" || state === "pending") &&
  sessionId === attempt.session_id &&
  url === attempt.url &&
  paymentIntent === attempt.payment_intent &&
  finding.refunds.length === 0 &&
  !finding.isDisputed;

/** A page goes on from one state to the next: what was asked before another call recorded the next one is old. */
const STEP = { opening: 0, open: 1, pending: 2, failed: 3, expired: 3, paid: 4 } as const;

/** Writes a finding in one transaction, and returns the attempt as it is then. */
const record = (payments: Payments, { id, order_id }: Attempt, finding: Finding): Promise<Attempt> =>
  inTransaction(payments.db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const order = await lockOrder(transaction, order_id);
    const attempt = await transaction
      .selectFrom("payment_attempts")
      .selectAll()
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { state, isDisputed } = finding;
    const isOld = STEP[state] < STEP[attempt.state];
    const surplus = isOld ? null : findSurplus(order, attempt, finding);
    if (!isOld && finding.payment) {
      const change = (change: OrderChange) =>
        changeOrder(transaction, order_id, { by: "settling", ...change }, new Date(), payments.followUp);
      await recordMoney({ transaction, order, attempt, change, surplus }, { ...finding, payment: finding.payment });
    }
    await transaction
      .updateTable("payment_attempts")
      .set({
        asked_at: now(),
        unreadable_since: null,
        ...(!isOld && {
          state,
          session_id: finding.sessionId,
          payment_intent: finding.paymentIntent,
          url: finding.url,
          open_order_id: state === "open" ? order_id : null,
          ...(isDisputed && { is_disputed: 1 }),
          surplus_minor: attempt.surplus_minor ?? surplus,
          ...surplusColumns(attempt, finding),
        }),
      })
      .where("id", "=", id)
      .execute();
    if (attempt.unreadable_since !== null)
      await closeMatters(transaction, order_id, "automatic", { about: attempt.unreadable_since });
    return transaction.selectFrom("payment_attempts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  });

/** An order before the change. */
interface LockedOrder {
  id: number;
  status: Order["status"];
  currency: string;
  /** Without what won't be sent. */
  total: bigint;
  /** Whether it was ever paid in full. */
  wasPaid: boolean;
  payments: Order["payments"];
  refunds: { reference: string | null; amount: string }[];
}

async function lockOrder(transaction: Db, id: number): Promise<LockedOrder> {
  const { paid_at, closed_total, ...order } = await transaction
    .selectFrom("orders")
    .select(["id", "status", "currency", "total", "closed_total", "paid_at"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const digits = currencyDigits(order.currency);
  return {
    ...order,
    total: parseMoney(order.total) - parseMoney(closed_total),
    wasPaid: paid_at !== null,
    payments: await readPayments(transaction, id, digits),
    refunds: await readRefunds(transaction, id, digits),
  };
}

interface Recording {
  transaction: Db;
  order: LockedOrder;
  attempt: Attempt;
  change: (change: OrderChange) => ReturnType<typeof changeOrder>;
  /** What of the payment is to be sent back, in minor units. */
  surplus: number | null;
}

/**
 * Records what follows from a finding, one change after another, since an order that is paid and refunded by the time
 * that we ask doesn't become `refunded` at once.
 */
async function recordMoney(
  { transaction, order, attempt, change, surplus }: Recording,
  { payment, currency, refunds, isDisputed }: Finding & { payment: NewPayment },
): Promise<void> {
  const isNewlyPaid = payment.status === "paid" && attempt.state !== "paid";
  const isOwnCurrency = currency === order.currency;
  const about = payment.reference;
  const money = { amount: parseMoney(payment.amount), currency };
  let { status } = order;
  if (isOwnCurrency)
    // A paid payment never changes, whatever the provider says of it later.
    ({ status } = await change({
      payments: attempt.state === "paid" ? [] : [payment],
      ...(surplus !== null && { matters: [{ reason: "paid_twice", about, money }] }),
    }));
  else if (isNewlyPaid)
    // Its amount can't be added to the order's.
    ({ status } = await change({
      ...(status === "pending" && { status: "on_hold" }),
      matters: [{ reason: "other_currency", about, money }],
    }));
  if (isDisputed && attempt.is_disputed === 0)
    ({ status } = await change({
      ...((isGoingOn(status) || status === "pending") && { status: "on_hold" }),
      matters: [{ reason: "disputed", about, money }],
    }));

  const told = [
    ...(await findAbouts(transaction, order.id, "refund_failed")),
    ...(await findAbouts(transaction, order.id, "surplus_kept")),
  ];
  const counted = new Set(order.refunds.map(({ reference }) => reference));
  const failed = refunds.flatMap(({ reference, state, amount, isOfSurplus }): Matter[] => {
    const matter = isOfSurplus
      ? ({ reason: "surplus_kept", about } as const)
      : ({ reason: "refund_failed", about: reference } as const);
    return state !== "failed" || told.includes(matter.about)
      ? []
      : // One that was never counted may be of money that is named already.
        [{ ...matter, money: { amount: parseMoney(amount), currency }, takesOver: !counted.has(reference) }];
  });
  if (isOwnCurrency) await change(findRefundChange({ order, status, payment, refunds, failed }));
  else if (failed.length > 0) await change({ matters: failed });
}

interface Refunding extends Pick<Finding, "refunds"> {
  order: LockedOrder;
  status: Order["status"];
  payment: NewPayment;
  /** What a person must be told of refunds that failed. */
  failed: Matter[];
}

/**
 * What the provider's refunds of a payment change. They are cut down to what is left of the payments, where somebody has
 * recorded them by hand already, under another reference; they are recorded all the same, with 0 in the end, so that they
 * are known. Of one that failed nothing is left, which makes room for what was cut.
 */
function findRefundChange({ order, status, payment, refunds, failed }: Refunding): OrderChange {
  const digits = currencyDigits(order.currency);
  const known = new Map(order.refunds.map(({ reference, amount }) => [reference, parseMoney(amount)]));
  const others = order.refunds.filter((each) => refunds.every(({ reference }) => reference !== each.reference));
  const paid = sumPaid([...withoutPayment(order, payment), payment]);
  const byOthers = sum(others.map(({ amount }) => parseMoney(amount)));
  let left = paid > byOthers ? paid - byOthers : 0n;
  const counted = refunds.map((refund) => {
    const wanted = refund.state === "succeeded" ? parseMoney(refund.amount) : 0n;
    const amount = wanted < left ? wanted : left;
    left -= amount;
    return { ...refund, wanted, amount };
  });
  const added = counted.filter(({ reference, state }) => state === "succeeded" && !known.has(reference));
  const corrected = counted.filter(({ reference, amount }) => known.has(reference) && known.get(reference) !== amount);
  const isCut = added.some(({ wanted, amount }) => amount < wanted);
  // What was paid twice is no reason to stop the order.
  const hasShrunk = corrected.some(
    ({ reference, amount, isOfSurplus }) => !isOfSurplus && amount < (known.get(reference) ?? 0n),
  );
  const isAll = paid > 0n && byOthers + sum(counted.map(({ amount }) => amount)) === paid;
  const matters: Matter[] = [
    ...failed,
    ...(isCut ? [{ reason: "refund_unclear", about: payment.reference } as const] : []),
  ];
  const show = (amount: bigint) => formatMoney(amount, digits);
  const next =
    isAll && order.total > 0n && added.length + corrected.length > 0 && isGoingOn(status)
      ? "refunded"
      : hasShrunk && !isAll && (isGoingOn(status) || status === "refunded")
        ? "on_hold"
        : undefined;
  return {
    refunds: added.map(({ reference, reason, created_at, amount }) => ({
      reference,
      reason,
      created_at,
      amount: show(amount),
    })),
    corrected_refunds: corrected.map(({ reference, amount }) => ({ reference, amount: show(amount) })),
    settles: payment.reference,
    ...(matters.length > 0 && { matters }),
    ...(next && { status: next }),
  };
}

const withoutPayment = ({ payments }: LockedOrder, { method, reference }: NewPayment) =>
  payments.filter((each) => each.method !== method || each.reference !== reference);

const isGoingOn = (status: Order["status"]) =>
  status === "processing" || status === "on_hold" || status === "completed";

/** All of this payment, in minor units, if the order had been paid in full before. */
function findSurplus(order: LockedOrder, attempt: Attempt, { state, payment, currency }: Finding): number | null {
  if (state !== "paid" || attempt.state === "paid" || payment === undefined || currency !== order.currency) return null;
  if (order.status === "cancelled") return null; // a person decides
  const held = sumPaid(withoutPayment(order, payment)) - sum(order.refunds.map(({ amount }) => parseMoney(amount)));
  return order.wasPaid || held >= order.total ? toMinor(payment.amount, currency) : null;
}

/** How the sending back of a surplus ended; nothing while it's under way. */
function surplusColumns({ surplus_minor, currency }: Attempt, { refunds }: Finding) {
  if (surplus_minor === null) return {};
  // Whoever refunds the payment in the Dashboard sends it back too.
  if (minorOf(refunds, currency, "succeeded") >= surplus_minor) return { surplus_refunded_at: now() };
  return refunds.some(({ state, isOfSurplus }) => isOfSurplus && state === "failed")
    ? { surplus_failed_at: now() }
    : {};
}

/** What refunds in some states come to, in minor units. */
const minorOf = (refunds: readonly FoundRefund[], currency: string, ...states: FoundRefund["state"][]): number =>
  refunds.reduce((sum, { state, amount }) => sum + (states.includes(state) ? toMinor(amount, currency) : 0), 0);

/** How long the provider is asked about a surplus, ever more seldom; then a person is. A refund under way takes longer. */
const SURPLUS_ASKED_FOR_MS = 3 * DAY_MS;
const REFUND_AWAITED_FOR_MS = 30 * DAY_MS;

/**
 * Asks the provider to send back what was paid twice, once ever: what a refund of that payment hasn't sent back, ours, whose
 * answer was lost, or a person's. What it refuses is left to a person.
 */
async function sendSurplusBack(payments: Payments, attempt: Attempt, { refunds }: Finding): Promise<void> {
  const { db, stripe } = payments;
  const { id, session_id, payment_intent, surplus_minor, currency } = attempt;
  if (session_id === null || payment_intent === null || surplus_minor === null) return;
  if (attempt.surplus_refunded_at !== null || attempt.surplus_failed_at !== null) return;
  if (!(await claimSurplus(db, id))) return;
  const longestMs = refunds.some(({ state }) => state === "under_way") ? REFUND_AWAITED_FOR_MS : SURPLUS_ASKED_FOR_MS;
  if (Date.now() - Date.parse(toRfc3339(attempt.created_at)) > longestMs)
    return keepSurplus(payments, attempt, refunds);
  const amount = surplus_minor - minorOf(refunds, currency, "succeeded", "under_way");
  if (amount <= 0) return;
  const refusal = await readAnswer(
    Refund,
    // No idempotency key: under it an error 500 would be repeated for a day. It never gives back more than was paid.
    stripe.refunds.create({ payment_intent, amount, reason: "duplicate" }),
  ).then(() => undefined, requireRefusal);
  const { settled, finding } = await askAndRecord(payments, attempt, session_id);
  const isOpen = settled.surplus_refunded_at === null && settled.surplus_failed_at === null;
  const given = minorOf(finding.refunds, currency, "succeeded", "under_way");
  if (refusal && isOpen && given < surplus_minor) await keepSurplus(payments, settled, finding.refunds);
}

/** An answer that would be the same the next time. Throws an error after which the next question waits. */
export function requireRefusal(error: unknown): Error | undefined {
  if (error instanceof UnreadableAnswer) return undefined; // the list of refunds says whether it was done
  const { StripeInvalidRequestError, StripePermissionError } = loadStripe().errors;
  if (error instanceof StripeInvalidRequestError || error instanceof StripePermissionError) return error;
  throw error;
}

/** Leaves what of a surplus can't be sent back to a person, who is told once. */
const keepSurplus = (
  { db, followUp }: Payments,
  { id, order_id, payment_intent, currency, ...attempt }: Attempt,
  refunds: readonly FoundRefund[],
): Promise<void> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const left = (attempt.surplus_minor ?? 0) - minorOf(refunds, currency, "succeeded");
    const money = { amount: parseMoney(fromMinor(left, currency)), currency };
    const matters = [{ reason: "surplus_kept", about: payment_intent ?? "", money }] as const;
    await changeOrder(transaction, order_id, { matters }, new Date(), followUp);
    await transaction.updateTable("payment_attempts").set({ surplus_failed_at: now() }).where("id", "=", id).execute();
  });
