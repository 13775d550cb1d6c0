import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { spellEmail } from "../../contract/email-address.ts";
import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import { orderPath } from "../orders/to-order.ts";
import {
  type Attempt,
  abandonAttempt,
  adoptSession,
  claimAttempt,
  claimQuestion,
  findOpenAttempt,
  findOutdated,
  recordPage,
} from "./attempts.ts";
import { CHANGING_MS, closePage, within } from "./pay-by-transfer.ts";
import { isPageAddress, isProvidersFault, OpenedPage, readAnswer, UnreadableAnswer } from "./provider-answers.ts";
import { onUnreadable, type Payments, settle } from "./settle.ts";
import { expirePage } from "./stripe-client.ts";
import { loadStripe } from "./stripe-library.ts";

/** Ends the address that the provider leads to once a page is paid, so that it's asked at once. */
const PAID_QUERY = "payment=made";

/** Ends the address of an order's page whose payment page couldn't be opened, so that it says so. */
const UNAVAILABLE_QUERY = "payment=unavailable";

/** Tells whether the customer comes from a payment page that couldn't be opened. */
export const isPaymentUnavailable = ({ url }: Pick<FastifyRequest, "url">): boolean =>
  url.endsWith(`?${UNAVAILABLE_QUERY}`);

/** How often the provider is otherwise asked about an open page while its order is shown. */
const ASKED_EVERY_MS = 5_000;

/**
 * Asks about the open payment page of an order whose page is about to be shown, since the customer may have come back
 * from paying before any event. Without an answer the page shows what is known. Returns whether a payment page is open,
 * as far as we know.
 */
export async function settleOpenPage(
  payments: Payments,
  orderId: number,
  { url, log }: Pick<FastifyRequest, "url" | "log">,
): Promise<boolean> {
  const attempt = await findOpenAttempt(payments.db, orderId);
  if (!attempt) return false;
  const isReturn = url.endsWith(`?${PAID_QUERY}`);
  const mayAsk = () => claimQuestion(payments.db, attempt.id, { everyMs: ASKED_EVERY_MS, isReturn });
  if (attempt.session_id === null || !(await mayAsk())) return true;
  const settled = settle(payments, attempt).catch((error: unknown) => {
    // Before it's thrown, since after ASKING_MS nobody waits for it any more.
    log.warn({ err: error, order: orderId }, "A payment couldn't be asked about.");
    if (!isProvidersFault(error)) throw error;
  });
  await within(ASKING_MS, settled);
  return (await findOpenAttempt(payments.db, orderId)) !== undefined;
}

/** How long the order's page waits for the provider. */
const ASKING_MS = 3_000;

/** Where the customer goes, and what the provider shows. */
export interface PageOptions {
  number: string;
  /** Undefined: the provider asks for it. */
  email: string | undefined;
  /** The order's page, to which the provider leads back. */
  returnUrl: string;
}

/**
 * Where the customer goes next: to the order's payment page, opened or found, or to the order's own page if nothing is to
 * be paid by card (any more), or if the provider doesn't answer: then it says so and offers the payment again. The
 * provider leads back to the host that `request` was sent to.
 */
export async function findNextAddress(
  payments: Payments | undefined,
  number: string,
  { protocol, host, log }: Pick<FastifyRequest, "protocol" | "host" | "log">,
): Promise<string> {
  const ownPage = orderPath(number);
  if (!payments) return ownPage;
  const order = await payments.db
    .selectFrom("orders")
    .select(["id", "buyer", "payment_method"])
    .where("number", "=", number)
    .executeTakeFirst();
  if (order?.payment_method !== "card" || order.buyer === null) return ownPage;
  const { email } = readJson(order.buyer);
  const returnUrl = `${protocol}://${host}${ownPage}`;
  const unavailable = `${ownPage}?${UNAVAILABLE_QUERY}`;
  const opened = openPaymentPage(payments, order.id, { number, email, returnUrl }).then(
    (page) => page ?? ownPage,
    (error: unknown) => {
      log.warn({ err: error, order: order.id }, "The payment page of an order couldn't be opened.");
      if (!isProvidersFault(error)) throw error;
      return unavailable;
    },
  );
  return (await within(CHANGING_MS, opened)) ?? unavailable;
}

/**
 * Opens the payment page of an order, or the one that is open already, and returns its address; undefined if nothing is
 * to be paid by card (any more). Call it after the order is committed. However often it's called, by however many
 * processes, at most one page can be paid: the idempotency key is written first, so a request whose answer was lost is
 * repeated, and a page is asked about before it's shown again. Throws a StripeError or UnreadableAnswer as settle does.
 */
export async function openPaymentPage(
  payments: Payments,
  orderId: number,
  given: PageOptions,
): Promise<string | undefined> {
  let options = given;
  const before = await findOpenAttempt(payments.db, orderId);
  const outdated = await findOutdated(payments.db).where("open_order_id", "=", orderId).executeTakeFirst();
  if (outdated) await closePage(payments, outdated);
  else if (before?.session_id) await settle(payments, before);
  for (let tries = 1; ; tries += 1) {
    try {
      return await openClaimed(payments, orderId, options);
    } catch (error) {
      if (tries === TRIES || !(isConflict(error) || isOutdated(error) || isEmailRefused(error))) throw error;
      if (isEmailRefused(error)) options = { ...options, email: undefined };
      await sleep(RETRY_MS);
    }
  }
}

const TRIES = 5;
const RETRY_MS = 700;
/** The same request is under way, by a double click: its page is the one. */
const isConflict = (error: unknown) => error instanceof loadStripe().errors.StripeError && error.statusCode === 409;
/** The provider may refuse an address that mail servers take; without one its page asks for it. */
const isEmailRefused = (error: unknown) =>
  error instanceof loadStripe().errors.StripeError && error.code === "email_invalid";
/** The attempt, which is given up by now, was begun with another address of the shop. */
const isOutdated = (error: unknown) => error instanceof loadStripe().errors.StripeIdempotencyError;

async function openClaimed(payments: Payments, orderId: number, options: PageOptions): Promise<string | undefined> {
  const { db } = payments;
  const attempt = await claimAttempt(db, orderId);
  if (attempt?.session_id !== null) return attempt?.url ?? undefined;
  const session = await createSession(payments, attempt, options);
  const recorded = await recordPage(db, attempt.id, { sessionId: session.id, url: session.url });
  if (recorded?.session_id === session.id) return recorded.url ?? undefined;
  // Another process gave the attempt up meanwhile, so this page would stand beside the next one.
  await expirePage(payments.stripe, session.id);
  const adopted = await adoptSession(db, attempt, session.id);
  if (adopted) await settle(payments, adopted);
  return openClaimed(payments, orderId, options);
}

/** Every parameter is the same at each call for an attempt, since the idempotency key demands that. */
async function createSession(
  payments: Payments,
  attempt: Attempt,
  { number, email, returnUrl }: PageOptions,
): Promise<OpenedPage> {
  const { db, stripe, pageOrigin } = payments;
  // An earlier release stored it as it was typed.
  const customer_email = email === undefined ? undefined : spellEmail(email);
  const price = { currency: attempt.currency.toLowerCase(), unit_amount: attempt.amount_minor };
  try {
    const created = stripe.checkout.sessions.create(
      {
        mode: "payment",
        // One sum: the lines' own rounding is ours.
        line_items: [{ quantity: 1, price_data: { ...price, product_data: { name: number } } }],
        // On by default for new accounts: the customer would pay in another currency than the order's.
        adaptive_pricing: { enabled: false },
        client_reference_id: number,
        ...(customer_email !== undefined && { customer_email }),
        metadata: { attempt: attempt.idempotency_key },
        payment_intent_data: { description: number, metadata: { attempt: attempt.idempotency_key } },
        success_url: `${returnUrl}?${PAID_QUERY}`,
        cancel_url: returnUrl,
        expires_at: Math.floor(Date.parse(toRfc3339(attempt.expires_at)) / 1_000),
      },
      { idempotencyKey: attempt.idempotency_key },
    );
    const page = await readAnswer(OpenedPage, created);
    if (page.metadata.attempt === attempt.idempotency_key && isPageAddress(page.url, pageOrigin)) return page;
    throw new UnreadableAnswer("Stripe's answer is about another page, or its address isn't of its pages.");
  } catch (error) {
    if (error instanceof UnreadableAnswer) await onUnreadable(payments, attempt);
    if (isFinal(error)) await abandonAttempt(db, attempt.id);
    throw error;
  }
}

/** The provider would answer the same key in the same way again: it repeats a 500 too. */
const isFinal = (error: unknown) =>
  error instanceof loadStripe().errors.StripeInvalidRequestError ||
  error instanceof loadStripe().errors.StripeIdempotencyError ||
  (error instanceof loadStripe().errors.StripeAPIError && (error.statusCode ?? 0) >= 500);
