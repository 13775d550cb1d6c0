import type { IncomingMessage } from "node:http";
import type Stripe from "stripe";
import type { Db } from "../../platform/database/pool.ts";
import type { FollowUp } from "../orders/place-order.ts";
import { findShopFacts } from "../shop/queries.ts";
import { isPayable } from "./amounts.ts";
import { Done, readAnswer } from "./provider-answers.ts";
import { STRIPE_API, type StripeSettings } from "./settings.ts";
import type { Payments } from "./settle.ts";
import { loadStripe } from "./stripe-library.ts";

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
  new (loadStripe())(secretKey, {
    host: api.hostname,
    port: api.port || 443,
    protocol: api.protocol === "http:" ? "http" : "https",
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: makeHttpClient(),
  });

/** A page of 100 refunds is about 100 kB. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Node's, with what Stripe's lacks: it waits for each further byte as long as for the first, reads as many as come, and
 * an answer such as `5` ends the process, because the client can't add its own property to it.
 */
function makeHttpClient() {
  const client = loadStripe().createNodeHttpClient();
  const ask = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const timedOut = AbortSignal.timeout(TIMEOUT_MS);
    const response = await beforeAbort(ask(...request), timedOut);
    const readBody = response.toJSON.bind(response);
    response.toJSON = async () => {
      const message = response.getRawResponse() as IncomingMessage;
      let [characters, isTooLong] = [0, false];
      message.on("data", (text: string) => {
        characters += text.length;
        isTooLong = characters > MOST_CHARACTERS;
        if (isTooLong) message.destroy();
      });
      timedOut.addEventListener("abort", () => message.destroy());
      const body: unknown = await readBody().catch((error: unknown) => {
        throw isTooLong ? new TypeError("The answer is too long.") : error;
      });
      if (typeof body !== "object" || body === null) throw new TypeError("The answer isn't a JSON object.");
      return body;
    };
    return response;
  };
  return client;
}

const beforeAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(loadStripe().HttpClient.makeTimeoutError()));
    work.then(resolve, reject);
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
    await readAnswer(Done, stripe.checkout.sessions.expire(sessionId));
  } catch (error) {
    if (!(error instanceof loadStripe().errors.StripeInvalidRequestError)) throw error;
  }
}
