import type Stripe from "stripe";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { changeOrder, type OrderChange } from "../orders/change-order.ts";
import { sum } from "../orders/money.ts";
import { type NewPayment, type NewRefund, readPayments, readRefunds } from "../orders/payments.ts";
import type { FollowUp } from "../orders/place-order.ts";
import type { Order } from "../orders/schema.ts";
import { fromMinor, toMinor } from "./amounts.ts";
import type { Attempt } from "./attempts.ts";

/** What payments need. */
export interface Payments {
  db: Db;
  stripe: Stripe;
  followUp: FollowUp;
  /** The origin of the provider's pages. */
  pageOrigin: string;
}

/**
 * Asks the provider for the state of an attempt's page, payment, refunds and dispute, and records what it says. Events,
 * the customer's return and the clock are only reasons to call this: it does nothing where nothing differs, whatever
 * the order and number of calls. Throws a StripeError, and records nothing, when the provider doesn't answer.
 */
export async function settle(payments: Payments, attempt: Attempt): Promise<void> {
  if (attempt.session_id === null) return;
  const settled = await record(payments, attempt, await ask(payments.stripe, attempt.session_id));
  if (settled.surplus_minor === null || settled.surplus_refunded_at !== null) return;
  await refundSurplus(payments.stripe, settled);
  await record(payments, settled, await ask(payments.stripe, attempt.session_id));
}

/** What the provider says of a page. */
interface Finding {
  state: Exclude<Attempt["state"], "opening">;
  sessionId: string;
  url: string | null;
  paymentIntent: string | null;
  /** Nothing while the page is open. */
  payment: NewPayment | undefined;
  /** Of the payment and the refunds. */
  currency: string;
  refunds: NewRefund[];
  isDisputed: boolean;
}

async function ask(stripe: Stripe, sessionId: string): Promise<Finding> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["payment_intent.latest_charge"] });
  const intent = expanded(session.payment_intent);
  const charge = expanded(intent?.latest_charge ?? null);
  const state = readState(session, intent);
  // The page knows what was asked for, the payment what was received.
  const received = state === "paid" ? intent : null;
  const currency = (received?.currency ?? session.currency ?? "").toUpperCase();
  return {
    state,
    sessionId,
    url: state === "open" ? session.url : null,
    paymentIntent: intent?.id ?? null,
    payment:
      state === "open"
        ? undefined
        : {
            method: "card",
            // An expired page has no payment that could be referred to.
            reference: intent?.id ?? sessionId,
            amount: fromMinor(received?.amount_received ?? session.amount_total ?? 0, currency),
            status: PAYMENT_STATUS[state],
          },
    currency,
    refunds: charge && charge.amount_refunded > 0 ? await listRefunds(stripe, intent, currency) : [],
    isDisputed: charge?.disputed ?? false,
  };
}

/** An object that was asked for with `expand`. */
const expanded = <T extends object>(value: string | T | null): T | null => (typeof value === "object" ? value : null);

const PAYMENT_STATUS = { pending: "pending", paid: "paid", failed: "failed", expired: "voided" } as const;

function readState(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): Finding["state"] {
  if (session.status === "open") return "open";
  if (session.status === "expired") return "expired";
  if (session.payment_status !== "unpaid") return "paid";
  // Complete and unpaid: a bank debit, which takes days and may come back.
  return intent?.status === "requires_payment_method" || intent?.status === "canceled" ? "failed" : "pending";
}

async function listRefunds(
  stripe: Stripe,
  intent: Stripe.PaymentIntent | null,
  currency: string,
): Promise<NewRefund[]> {
  const refunds: NewRefund[] = [];
  // One that is pending or has failed gave nothing back.
  for await (const { id, amount, status, reason, created } of stripe.refunds.list({
    payment_intent: intent?.id ?? "",
    limit: 100,
  }))
    if (status === "succeeded")
      refunds.push({
        reference: id,
        amount: fromMinor(amount, currency),
        reason: reason ?? null,
        created_at: new Date(created * 1_000),
      });
  return refunds.reverse(); // the newest comes first
}

/** A page goes on from one state to the next: what was asked before another call recorded the next one is old. */
const STEP = { opening: 0, open: 1, pending: 2, failed: 3, expired: 3, paid: 4 } as const;

/** Writes a finding in one transaction, and returns the attempt as it is then. */
const record = ({ db, followUp }: Payments, { id, order_id }: Attempt, finding: Finding): Promise<Attempt> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const order = await lockOrder(transaction, order_id);
    const attempt = await transaction
      .selectFrom("payment_attempts")
      .selectAll()
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { state, isDisputed, refunds } = finding;
    const isOld = STEP[state] < STEP[attempt.state];
    if (!isOld)
      for (const change of findChanges(order, attempt, finding))
        await changeOrder(transaction, order_id, change, new Date(), followUp);
    await transaction
      .updateTable("payment_attempts")
      .set({
        asked_at: now(),
        ...(!isOld && {
          state,
          session_id: finding.sessionId,
          payment_intent: finding.paymentIntent,
          url: finding.url,
          open_order_id: state === "open" ? order_id : null,
          ...(isDisputed && { is_disputed: 1 }),
          surplus_minor: attempt.surplus_minor ?? findSurplus(order, attempt, finding),
          // A refund that is under way isn't one of these yet.
          ...(attempt.surplus_minor !== null && refunds.length > 0 && { surplus_refunded_at: now() }),
        }),
      })
      .where("id", "=", id)
      .execute();
    return transaction.selectFrom("payment_attempts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  });

/** An order before the change. */
interface LockedOrder {
  status: Order["status"];
  currency: string;
  total: bigint;
  payments: Order["payments"];
  refunds: { reference: string | null; amount: string }[];
}

async function lockOrder(transaction: Db, id: number): Promise<LockedOrder> {
  const order = await transaction
    .selectFrom("orders")
    .select(["status", "currency", "total"])
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

/**
 * The changes of an order that follow from a finding, one after another, since an order that is paid and refunded by
 * the time that we ask doesn't become `refunded` at once.
 */
function findChanges(order: LockedOrder, attempt: Attempt, finding: Finding): OrderChange[] {
  const { payment, currency, isDisputed } = finding;
  if (payment === undefined) return [];
  const isNewlyPaid = payment.status === "paid" && attempt.state !== "paid";
  // Another currency's amount can't be added to the order's.
  if (currency !== order.currency)
    return isNewlyPaid ? [{ needs_person: true, ...(order.status === "pending" && { status: "on_hold" }) }] : [];

  const paid = sumPaid([...withoutPayment(order, payment), payment]);
  const isExact = paid === order.total && toMinor(payment.amount, currency) === attempt.amount_minor;
  const taken = order.status === "pending" && isNewlyPaid ? (isExact ? "processing" : "on_hold") : undefined;
  const changes: OrderChange[] = [
    // A paid payment never changes, whatever the provider says of it later.
    { ...(taken && { status: taken }), payments: attempt.state === "paid" ? [] : [payment] },
  ];
  const status = taken ?? order.status;
  if (isDisputed && attempt.is_disputed === 0)
    changes.push({ needs_person: true, ...(isGoingOn(status) && { status: "on_hold" }) });
  const refunds = finding.refunds.filter((given) =>
    order.refunds.every(({ reference }) => reference !== given.reference),
  );
  const before = sum(order.refunds.map(({ amount }) => parseMoney(amount)));
  const capped = capRefunds(refunds, paid - before, currencyDigits(currency));
  const givenBack = before + sum(capped.map(({ amount }) => parseMoney(amount)));
  const isShort = refunds.some(({ amount }, at) => amount !== capped[at]?.amount);
  if (refunds.length > 0)
    changes.push({
      refunds: capped,
      ...(isShort && { needs_person: true }),
      ...(givenBack === paid && isGoingOn(status) && { status: "refunded" }),
    });
  return changes;
}

/**
 * Refunds cut down to what is left of the payments: somebody has recorded them by hand already, under another reference.
 * They are recorded all the same, with 0 in the end, so that they are known.
 */
function capRefunds(refunds: readonly NewRefund[], left: bigint, digits: number): NewRefund[] {
  let rest = left;
  return refunds.map((refund) => {
    const before = rest;
    rest = before > parseMoney(refund.amount) ? before - parseMoney(refund.amount) : 0n;
    return { ...refund, amount: formatMoney(before - rest, digits) };
  });
}

const withoutPayment = ({ payments }: LockedOrder, { method, reference }: NewPayment) =>
  payments.filter((each) => each.method !== method || each.reference !== reference);

const sumPaid = (payments: readonly Pick<NewPayment, "status" | "amount">[]): bigint =>
  sum(payments.flatMap(({ status, amount }) => (status === "paid" ? parseMoney(amount) : [])));

const isGoingOn = (status: Order["status"]) =>
  status === "processing" || status === "on_hold" || status === "completed";

/** All of this payment, in minor units, if the order had been paid in full before. */
function findSurplus(order: LockedOrder, attempt: Attempt, { state, payment, currency }: Finding): number | null {
  if (state !== "paid" || attempt.state === "paid" || payment === undefined || currency !== order.currency) return null;
  if (order.status === "cancelled") return null; // a person decides
  return sumPaid(withoutPayment(order, payment)) >= order.total ? toMinor(payment.amount, currency) : null;
}

/**
 * Sends back what was paid twice, once: not if it was asked for before or by a person, and the provider never gives back
 * more than was paid. That's why it has no idempotency key, under which an error 500 would be repeated for a day.
 */
async function refundSurplus(stripe: Stripe, attempt: Attempt): Promise<void> {
  const { payment_intent, surplus_minor } = attempt;
  if (payment_intent === null || surplus_minor === null) return;
  const known = await stripe.refunds.list({ payment_intent, limit: 1 });
  if (known.data.length > 0) return;
  await stripe.refunds.create({ payment_intent, amount: surplus_minor, reason: "duplicate" });
}
