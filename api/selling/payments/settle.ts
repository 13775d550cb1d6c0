import Stripe from "stripe";
import { currencyDigits } from "../../contract/currencies.ts";
import { DAY_MS } from "../../contract/duration.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { now, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { closeMatters, findAbouts } from "../orders/attention.ts";
import { changeOrder, type OrderChange } from "../orders/change-order.ts";
import { sum } from "../orders/money.ts";
import { type NewPayment, type NewRefund, readPayments, readRefunds, sumPaid } from "../orders/payments.ts";
import type { FollowUp } from "../orders/place-order.ts";
import type { Order } from "../orders/schema.ts";
import { fromMinor, toMinor } from "./amounts.ts";
import { ask, type Finding, type FoundRefund, type Provider } from "./ask-provider.ts";
import { type Attempt, claimSurplus } from "./attempts.ts";
import { Refund, readAnswer, UnreadableAnswer } from "./provider-answers.ts";

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
    if (error instanceof UnreadableAnswer) await onUnreadable(payments, attempt);
    throw error;
  }
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
export async function onUnreadable(
  { db, followUp }: Pick<Payments, "db" | "followUp">,
  { id, order_id }: Attempt,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    await transaction.updateTable("payment_attempts").set({ asked_at: now() }).where("id", "=", id).execute();
    const { numUpdatedRows } = await transaction
      .updateTable("payment_attempts")
      .set({ unreadable_since: now() })
      .where("id", "=", id)
      .where("unreadable_since", "is", null)
      .executeTakeFirstOrThrow();
    const matters = [{ reason: "unreadable_answer" }] as const;
    if (numUpdatedRows === 1n) await changeOrder(transaction, order_id, { matters }, new Date(), followUp);
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
      await closeMatters(transaction, order_id, "provider", { reasons: ["unreadable_answer"] });
    return transaction.selectFrom("payment_attempts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  });

/** An order before the change. */
interface LockedOrder {
  id: number;
  status: Order["status"];
  currency: string;
  total: bigint;
  payments: Order["payments"];
  refunds: { reference: string | null; amount: string }[];
}

async function lockOrder(transaction: Db, id: number): Promise<LockedOrder> {
  const order = await transaction
    .selectFrom("orders")
    .select(["id", "status", "currency", "total"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const digits = currencyDigits(order.currency);
  return {
    ...order,
    total: parseMoney(order.total),
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
  const about = payment.reference;
  const money = { amount: parseMoney(payment.amount), currency };
  if (currency !== order.currency) {
    // Its amount can't be added to the order's.
    const held = order.status === "pending" ? ({ status: "on_hold" } as const) : {};
    if (isNewlyPaid) await change({ ...held, matters: [{ reason: "other_currency", about, money }] });
    return;
  }
  // A paid payment never changes, whatever the provider says of it later.
  let { status } = await change({
    payments: attempt.state === "paid" ? [] : [payment],
    ...(surplus !== null && { matters: [{ reason: "paid_twice", about, money }] }),
  });
  const hold = () => (isGoingOn(status) || status === "refunded" ? ({ status: "on_hold" } as const) : {});
  if (isDisputed && attempt.is_disputed === 0)
    ({ status } = await change({
      ...(isGoingOn(status) && { status: "on_hold" }),
      matters: [{ reason: "disputed", about, money }],
    }));

  const known = new Map(order.refunds.map(({ reference, amount }) => [reference, parseMoney(amount)]));
  const given = refunds.filter(({ reference, state }) => state === "succeeded" && !known.has(reference));
  if (given.length > 0) {
    const paid = sumPaid([...withoutPayment(order, payment), payment]);
    const before = sum([...known.values()]);
    const capped = capRefunds(given, paid - before, currencyDigits(currency));
    const isShort = given.some(({ amount }, at) => amount !== capped[at]?.amount);
    const isAll = before + sum(capped.map(({ amount }) => parseMoney(amount))) === paid;
    ({ status } = await change({
      refunds: capped,
      ...(isShort && { matters: [{ reason: "refund_unclear", about }] }),
      ...(isAll && isGoingOn(status) && { status: "refunded" }),
    }));
  }

  const told = new Set([
    ...(await findAbouts(transaction, order.id, "refund_failed")),
    ...(await findAbouts(transaction, order.id, "surplus_kept")),
  ]);
  for (const { reference, amount, isOfSurplus } of refunds.filter(({ state }) => state === "failed")) {
    if (told.has(reference)) continue;
    const wasRecorded = (known.get(reference) ?? 0n) > 0n;
    const reason = isOfSurplus ? "surplus_kept" : "refund_failed";
    ({ status } = await change({
      // What was paid twice is no reason to stop the order.
      ...(wasRecorded && !isOfSurplus && hold()),
      failed_refunds: [reference],
      matters: [{ reason, about: reference, money: { amount: parseMoney(amount), currency } }],
    }));
  }
}

/**
 * Refunds cut down to what is left of the payments: somebody has recorded them by hand already, under another reference.
 * They are recorded all the same, with 0 in the end, so that they are known.
 */
function capRefunds(refunds: readonly NewRefund[], left: bigint, digits: number): NewRefund[] {
  let rest = left;
  return refunds.map(({ reference, reason, created_at, amount }) => {
    const before = rest;
    rest = before > parseMoney(amount) ? before - parseMoney(amount) : 0n;
    return { reference, reason, created_at, amount: formatMoney(before - rest, digits) };
  });
}

const withoutPayment = ({ payments }: LockedOrder, { method, reference }: NewPayment) =>
  payments.filter((each) => each.method !== method || each.reference !== reference);

const isGoingOn = (status: Order["status"]) =>
  status === "processing" || status === "on_hold" || status === "completed";

/** All of this payment, in minor units, if the order had been paid in full before. */
function findSurplus(order: LockedOrder, attempt: Attempt, { state, payment, currency }: Finding): number | null {
  if (state !== "paid" || attempt.state === "paid" || payment === undefined || currency !== order.currency) return null;
  if (order.status === "cancelled") return null; // a person decides
  return sumPaid(withoutPayment(order, payment)) >= order.total ? toMinor(payment.amount, currency) : null;
}

/** How the sending back of a surplus ended; nothing while it's under way. */
function surplusColumns({ surplus_minor }: Attempt, { refunds }: Finding) {
  if (surplus_minor === null) return {};
  // Whoever refunds the payment in the Dashboard has sent it back.
  if (refunds.some(({ state }) => state === "succeeded")) return { surplus_refunded_at: now() };
  return refunds.some(({ state, isOfSurplus }) => isOfSurplus && state === "failed")
    ? { surplus_failed_at: now() }
    : {};
}

/** How long the provider is asked about a surplus, ever more seldom; then a person is. */
const SURPLUS_ASKED_FOR_MS = 30 * DAY_MS;

/**
 * Asks the provider to send back what was paid twice, once ever: not if a refund of that payment is known there, which is
 * ours, whose answer was lost, or a person's. What it refuses is left to a person.
 */
async function sendSurplusBack(payments: Payments, attempt: Attempt, { refunds }: Finding): Promise<void> {
  const { db, stripe } = payments;
  const { id, session_id, payment_intent, surplus_minor } = attempt;
  if (session_id === null || payment_intent === null || surplus_minor === null) return;
  if (attempt.surplus_refunded_at !== null || attempt.surplus_failed_at !== null) return;
  if (!(await claimSurplus(db, id))) return;
  if (Date.now() - Date.parse(toRfc3339(attempt.created_at)) > SURPLUS_ASKED_FOR_MS)
    return keepSurplus(payments, attempt);
  if (refunds.some(isUnderWay)) return;
  const refusal = await readAnswer(
    Refund,
    // No idempotency key: under it an error 500 would be repeated for a day. It never gives back more than was paid.
    stripe.refunds.create({ payment_intent, amount: surplus_minor, reason: "duplicate" }),
  ).then(() => undefined, requireRefusal);
  const { settled, finding } = await askAndRecord(payments, attempt, session_id);
  const isOpen = settled.surplus_refunded_at === null && settled.surplus_failed_at === null;
  if (refusal && isOpen && !finding.refunds.some(isUnderWay)) await keepSurplus(payments, settled);
}

const isUnderWay = ({ state }: FoundRefund) => state === "under_way";

/** An answer that would be the same the next time. Throws any other error. */
function requireRefusal(error: unknown): unknown {
  const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors;
  if (error instanceof StripeInvalidRequestError || error instanceof StripePermissionError) return error;
  throw error;
}

/** Leaves a surplus that can't be sent back to a person, who is told once. */
const keepSurplus = (
  { db, followUp }: Payments,
  { id, order_id, payment_intent, ...attempt }: Attempt,
): Promise<void> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const amount = parseMoney(fromMinor(attempt.surplus_minor ?? 0, attempt.currency));
    const matter = { about: payment_intent ?? "", money: { amount, currency: attempt.currency } };
    await changeOrder(
      transaction,
      order_id,
      { matters: [{ reason: "surplus_kept", ...matter }] },
      new Date(),
      followUp,
    );
    await transaction.updateTable("payment_attempts").set({ surplus_failed_at: now() }).where("id", "=", id).execute();
  });
