import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type Stripe from "stripe";
import { ApiError } from "../../platform/http/problem.ts";
import { type Clock, countPerMinute } from "../../platform/http/rate-limits.ts";
import { settleEvent, storeEvent } from "./events.ts";
import { UnreadableAnswer } from "./provider-answers.ts";
import type { Payments } from "./settle.ts";
import { loadStripe } from "./stripe-library.ts";

/** As nginx has it; events about our pages, with one line each, are a few KiB. */
const BODY_LIMIT = 65_536;

interface RouteOptions {
  payments: Payments;
  /** The webhook's signing secret, or two while it is rolled. */
  webhookSecrets: readonly string[];
  now: Clock;
}

const REFUSED =
  "An event was refused: its signature fits no secret in STRIPE_WEBHOOK_SECRET, or its time is more than five minutes off this machine's. If Stripe sent it, compare the setting with the webhook's signing secret in Stripe's Dashboard. Others of this minute aren't logged.";

/**
 * POST /api/payments/stripe: Stripe's webhook. The signature is verified over the bytes as they came, the event is
 * stored, and 200 is the answer; then the payment is settled, now or by the next sweep.
 */
export const stripeRoutes: FastifyPluginAsyncTypebox<RouteOptions> = async (
  scope,
  { payments, webhookSecrets, now },
) => {
  const warnings = countPerMinute(1, now); // anybody can send such events, as many as they like
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  scope.post("/stripe", { schema: { hide: true }, bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const signature = request.headers["stripe-signature"];
    const event = verifyEvent(payments.stripe, request.body, signature, webhookSecrets);
    if (event === undefined) {
      if (signature !== undefined && !warnings.take(REFUSED).exceeded) request.log.warn(REFUSED);
      throw new ApiError("bad-request", "The signature isn't Stripe's, or the event is too old.");
    }
    const stored = await storeEvent(payments.db, event).catch((error: unknown) => {
      if (!(error instanceof UnreadableAnswer)) throw error;
      request.log.warn({ err: error }, "An event of Stripe's can't be read.");
      return undefined;
    });
    reply.send({ received: true });
    if (stored !== undefined)
      await settleEvent(payments, stored).catch((error: unknown) => {
        request.log.warn(
          { err: error, event: stored },
          "A payment couldn't be settled yet; the next sweep tries again.",
        );
      });
    return reply;
  });
};

function verifyEvent(stripe: Stripe, body: unknown, signature: unknown, secrets: readonly string[]): unknown {
  if (!Buffer.isBuffer(body) || typeof signature !== "string") return undefined;
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret);
    } catch (error) {
      if (!(error instanceof loadStripe().errors.StripeSignatureVerificationError)) return undefined; // not JSON
    }
  }
  return undefined;
}
