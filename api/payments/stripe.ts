import Stripe from "stripe";
import type { StripeSettings } from "./settings.ts";

/** Shorter than a request may take (app.ts). */
const TIMEOUT_MS = 8_000;

/**
 * Stripe's client. It doesn't try again by itself: whoever calls it repeats the same question, or the same command
 * under the same idempotency key.
 */
export const makeStripe = ({ secretKey, api }: Pick<StripeSettings, "secretKey" | "api">): Stripe =>
  new Stripe(secretKey, {
    host: api.hostname,
    port: api.port || 443,
    protocol: api.protocol === "http:" ? "http" : "https",
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  });
