import Stripe from "stripe";
import type { Db } from "../../platform/database/pool.ts";
import type { FollowUp } from "../orders/place-order.ts";
import { findShopFacts } from "../shop/queries.ts";
import { isPayable } from "./amounts.ts";
import { STRIPE_API, type StripeSettings } from "./settings.ts";
import type { Payments } from "./settle.ts";

/** The origin of the pages on which customers pay; a stand-in has them beside its API. */
const pageOrigin = ({ api }: Pick<StripeSettings, "api">): string =>
  api.origin === STRIPE_API ? "https://checkout.stripe.com" : api.origin;

/** Shorter than a request may take (app.ts). */
const TIMEOUT_MS = 8_000;

/**
 * Stripe's client. It never retries: whoever calls it repeats the same question, or the same command
 * under the same idempotency key.
 */
const makeStripe = ({ secretKey, api }: Pick<StripeSettings, "secretKey" | "api">): Stripe =>
  new Stripe(secretKey, {
    host: api.hostname,
    port: api.port || 443,
    protocol: api.protocol === "http:" ? "http" : "https",
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  });

/**
 * Says what is wrong if the shop's currency is one whose amounts Stripe can't take. A shop that isn't imported yet, or
 * can't be asked now, offers no card in such a currency either (checkout/routes.ts).
 */
export async function findCurrencyProblem(db: Db): Promise<string | undefined> {
  const currency = (await findShopFacts(db).catch(() => undefined))?.currency;
  if (currency === undefined || isPayable(currency)) return undefined;
  return `STRIPE_SECRET_KEY is set, but Stripe can't take every amount in ${currency}. Leave it out: customers then pay by bank transfer.`;
}

/** What payments need, from the settings. */
export const makePayments = (db: Db, settings: StripeSettings, followUp: FollowUp): Payments => ({
  db,
  stripe: makeStripe(settings),
  followUp,
  pageOrigin: pageOrigin(settings),
});

/** Closes a page, so that nobody can pay it any more. Does nothing if it's complete or has expired. */
export async function expirePage(stripe: Stripe, sessionId: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(sessionId);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}
