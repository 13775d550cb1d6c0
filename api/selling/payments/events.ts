import { Check } from "typebox/schema";
import { now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { type Attempt, adoptSession, findAttempt } from "./attempts.ts";
import {
  AnyPage,
  AnyPages,
  isId,
  isProvidersFault,
  isUnanswered,
  readAnswer,
  StripeEvent,
  UnreadableAnswer,
} from "./provider-answers.ts";
import { type Payments, settle } from "./settle.ts";
import { loadStripe } from "./stripe-library.ts";

/** Which payment an event is about, by the provider's ids. */
interface Subject {
  session_id: string | null;
  payment_intent: string | null;
}

/**
 * Stores an event whose signature was verified: only which payment it is about, since the provider is asked for the
 * truth. Does nothing for an event that is stored already. Returns its id; undefined for a kind of event that changes no
 * payment. Throws UnreadableAnswer for what isn't an event.
 */
export async function storeEvent(db: Db, event: unknown): Promise<string | undefined> {
  if (!Check(StripeEvent, event)) throw new UnreadableAnswer("Stripe's event isn't as documented.");
  const subject = findSubject(event);
  if (subject === undefined) return undefined;
  await db
    .insertInto("payment_events")
    .ignore()
    .values({ id: event.id, type: event.type, ...subject, received_at: now() })
    .execute();
  return event.id;
}

function findSubject({ type, data: { object } }: StripeEvent): Subject | undefined {
  const { id, payment_intent }: { id?: unknown; payment_intent?: unknown } = object;
  const given: unknown = Object(payment_intent) === payment_intent ? Object(payment_intent).id : payment_intent;
  const intent = isId(given) ? given : null;
  if (type.startsWith("checkout.session.") && isId(id)) return { session_id: id, payment_intent: intent };
  const isAboutCharge = /^(charge\.(refunded|dispute\.created)|refund\.(created|updated|failed))$/.test(type);
  return isAboutCharge && intent !== null ? { session_id: null, payment_intent: intent } : undefined;
}

/**
 * Settles the payment that a stored event is about. An event about no attempt of ours, such as of another shop with the
 * same account, is done. Throws a StripeError or UnreadableAnswer, and leaves the event for the next time, as settle does.
 */
export async function settleEvent(payments: Payments, id: string): Promise<void> {
  const { db } = payments;
  const event = await db.selectFrom("payment_events").selectAll().where("id", "=", id).executeTakeFirst();
  if (!event || event.settled_at !== null) return;
  try {
    await settleAttemptOf(payments, event);
  } catch (error) {
    if (isProvidersFault(error) && !isUnanswered(error))
      await db.updateTable("payment_events").set({ unreadable_at: now() }).where("id", "=", id).execute();
    throw error;
  }
  await db.updateTable("payment_events").set({ settled_at: now() }).where("id", "=", id).execute();
}

async function settleAttemptOf(payments: Payments, event: Subject & { type: string }): Promise<void> {
  const attempt = await findAttemptOf(payments, event);
  if (attempt) await settle(payments, attempt);
  // While a payment is news, refunds that failed aren't asked for (ask-provider.ts).
  if (attempt && attempt.state !== "paid" && event.type.startsWith("refund."))
    await settle(payments, (await findAttempt(payments.db, { id: attempt.id })) ?? attempt);
}

async function findAttemptOf({ db, stripe }: Payments, subject: Subject): Promise<Attempt | undefined> {
  const { session_id, payment_intent } = subject;
  const known =
    (session_id && (await findAttempt(db, { session_id }))) ||
    (payment_intent && (await findAttempt(db, { payment_intent })));
  if (known) return known;
  // The answer that would have told us the page may be lost, or still under way.
  const session = session_id
    ? await readAnswer(AnyPage, stripe.checkout.sessions.retrieve(session_id)).catch(undefinedIfMissing)
    : (await readAnswer(AnyPages, stripe.checkout.sessions.list({ payment_intent: payment_intent ?? "", limit: 1 })))
        .data[0];
  if (session && session_id && session.id !== session_id)
    throw new UnreadableAnswer("Stripe's answer is about another page.");
  const key = session?.metadata?.["attempt"];
  const attempt = key ? await findAttempt(db, { idempotency_key: key }) : undefined;
  return session && attempt && adoptSession(db, attempt, session.id);
}

/** Such as a page of the live mode while the key is of the test mode. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof loadStripe().errors.StripeError) || error.code !== "resource_missing") throw error;
}
