import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { makePayments } from "../../../../api/selling/payments/stripe-client.ts";
import { makePaymentSweep } from "../../../../api/selling/payments/sweep.ts";
import { secretKey, startStripe, webhookSecret } from "../../../stripe-stand-in/stand-in.ts";
import { startCheckout } from "../../people/checkout/start-checkout.ts";

/** A checkout that offers the card first, and the stand-in for Stripe, whose events reach it. */
export async function startCardCheckout(facts: Partial<ShopFacts> = {}) {
  const stripe = await startStripe();
  const settings = { secretKey, webhookSecrets: [webhookSecret], api: new URL(stripe.url) };
  const checkout = await startCheckout({ stripe: settings, facts: { card: true, ...facts } });
  const { app, db } = checkout;
  stripe.target = async (payload, signature) => {
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    return (await app.inject({ method: "POST", url: "/api/payments/stripe", headers, payload })).statusCode;
  };
  const payments = makePayments(db, settings, makeFollowUp({ pushWhen: "manual" }));
  /** What the sweep warned of. */
  const warnings: string[] = [];
  const runSweep = makePaymentSweep(payments, { warn: (_fields, message) => warnings.push(message) });
  return { stripe, ...checkout, payments, warnings, sweep: () => runSweep(new AbortController().signal) };
}
