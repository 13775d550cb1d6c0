import type Stripe from "stripe";
import type { NewPayment, NewRefund } from "../orders/payments.ts";
import { fromMinor } from "./amounts.ts";
import type { Attempt } from "./attempts.ts";
import {
  type Intent,
  isPageAddress,
  Page,
  type Refund,
  Refunds,
  readAnswer,
  UnreadableAnswer,
} from "./provider-answers.ts";

/** Whom to ask. */
export interface Provider {
  stripe: Stripe;
  /** The origin of the provider's pages. */
  pageOrigin: string;
}

/** What the provider says of a page. */
export interface Finding {
  state: Exclude<Attempt["state"], "opening">;
  sessionId: string;
  url: string | null;
  paymentIntent: string | null;
  /** Nothing while the page is open. */
  payment: NewPayment | undefined;
  /** Of the payment and the refunds. */
  currency: string;
  refunds: FoundRefund[];
  isDisputed: boolean;
}

/** A refund at the provider; `isOfSurplus` if it sends back what was paid twice. */
export type FoundRefund = NewRefund & {
  state: "under_way" | "succeeded" | "failed" | "cancelled";
  isOfSurplus: boolean;
};

/**
 * Asks for the state of an attempt's page, payment, refunds and dispute. Throws a StripeError when the provider doesn't
 * answer, and UnreadableAnswer for what isn't as documented, contradicts itself, or is about another page.
 */
export async function ask(
  { stripe, pageOrigin }: Provider,
  attempt: Pick<Attempt, "idempotency_key" | "state" | "surplus_minor"> & { session_id: string },
): Promise<Finding> {
  const { session_id, idempotency_key } = attempt;
  const session = await readAnswer(
    Page,
    stripe.checkout.sessions.retrieve(session_id, { expand: ["payment_intent.latest_charge"] }),
  );
  if (session.id !== session_id || session.metadata.attempt !== idempotency_key)
    throw new UnreadableAnswer("Stripe's answer is about another page.");
  const intent = session.payment_intent;
  const charge = intent?.latest_charge;
  const state = readState(session);
  if (state === "open" && (session.url === null || !isPageAddress(session.url, pageOrigin)))
    throw new UnreadableAnswer("Stripe's page has an address that isn't of its pages.");
  // The page knows what was asked for, the payment what was received.
  const received = state === "paid" ? intent : null;
  const currency = (received?.currency ?? session.currency).toUpperCase();
  return {
    state,
    sessionId: session.id,
    url: state === "open" ? session.url : null,
    paymentIntent: intent?.id ?? null,
    payment:
      state === "open"
        ? undefined
        : {
            method: "card",
            // An expired page has no payment that could be referred to.
            reference: intent?.id ?? session.id,
            amount: fromMinor(received?.amount_received ?? session.amount_total, currency),
            status: PAYMENT_STATUS[state],
          },
    currency,
    // One that failed isn't counted in the charge any more.
    refunds:
      intent && charge && (charge.amount_refunded > 0 || attempt.state === "paid")
        ? await findRefunds(stripe, attempt, intent, currency)
        : [],
    isDisputed: charge?.disputed ?? false,
  };
}

const PAYMENT_STATUS = { pending: "pending", paid: "paid", failed: "failed", expired: "voided" } as const;

function readState({ status, payment_status, payment_intent: intent }: Page): Finding["state"] {
  const isPaid = payment_status === "paid";
  if (status === "complete" && isPaid && intent?.status === "succeeded" && intent.amount_received > 0) return "paid";
  if (isPaid || (status === "complete" && intent === null))
    throw new UnreadableAnswer("Stripe's answer contradicts itself about whether the page is paid.");
  if (status !== "complete") return status;
  // Complete and unpaid: a bank debit, which takes days and may come back.
  return intent?.status === "requires_payment_method" || intent?.status === "canceled" ? "failed" : "pending";
}

/** Nobody gives back one payment in more parts than these hold. */
const MOST_REFUND_PAGES = 10;

/** The refunds of a payment at the provider, the newest first, as it lists them. */
export async function listRefunds(stripe: Stripe, payment_intent: string): Promise<Refund[]> {
  const found = new Map<string, Refund>();
  for (let pages = 1; ; pages += 1) {
    const last = [...found.keys()].at(-1);
    const after = last === undefined ? {} : { starting_after: last };
    const { data, has_more } = await readAnswer(Refunds, stripe.refunds.list({ payment_intent, limit: 100, ...after }));
    const before = found.size;
    for (const refund of data) found.set(refund.id, refund);
    if (found.size < before + data.length || (has_more && (data.length === 0 || pages === MOST_REFUND_PAGES)))
      throw new UnreadableAnswer("Stripe's list of refunds repeats itself or doesn't end.");
    if (!has_more) return [...found.values()];
  }
}

/** The oldest first. */
async function findRefunds(
  stripe: Stripe,
  { surplus_minor }: Pick<Attempt, "surplus_minor">,
  { id }: Intent,
  currency: string,
): Promise<FoundRefund[]> {
  return (await listRefunds(stripe, id))
    .map(({ id, amount, status, reason, created }): FoundRefund => {
      const isOfSurplus = surplus_minor !== null && reason === "duplicate";
      return {
        reference: id,
        amount: fromMinor(amount, currency),
        reason,
        created_at: new Date(created * 1_000),
        // The shop itself has cancelled it. What was paid twice stays all the same.
        state: status === "canceled" && !isOfSurplus ? "cancelled" : REFUND_STATE[status ?? "pending"],
        isOfSurplus,
      };
    })
    .reverse();
}

const REFUND_STATE: Readonly<Record<NonNullable<Refund["status"]>, FoundRefund["state"]>> = {
  pending: "under_way",
  requires_action: "under_way",
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
};
