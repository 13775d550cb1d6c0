import { randomBytes } from "node:crypto";
import Stripe from "stripe";

/** An event as Stripe sends it; its object is whatever the account told. */
export interface StripeEvent extends Pick<Stripe.Event, "id" | "object" | "type" | "created" | "livemode"> {
  data: { object: object };
}

/** Where events go: a request to the shop, which returns the status of its answer. */
export type WebhookTarget = (body: string, signature: string) => Promise<number>;

/** What is wrong with a delivery. */
export interface Flaw {
  /** Signed with another secret than the webhook's. */
  secret?: string;
  /** Signed so many seconds ago. */
  ageSeconds?: number;
  /** The body was parsed and written again on the way, with the same meaning. */
  isReencoded?: boolean;
}

const signer = new Stripe("sk_test_signs_only").webhooks;

export function makeEvent(type: Stripe.Event["type"], object: object): StripeEvent {
  const id = `evt_${randomBytes(12).toString("hex")}`;
  const data = { object: structuredClone(object) };
  return { id, object: "event", type, created: Math.floor(Date.now() / 1_000), livemode: false, data };
}

/** Delivers an event once; returns the status of the answer. */
export function deliver(
  target: WebhookTarget,
  event: StripeEvent,
  { secret, ageSeconds = 0, isReencoded = false }: Flaw & { secret: string },
): Promise<number> {
  const payload = JSON.stringify(event, null, 2);
  const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds;
  const signature = signer.generateTestHeaderString({ payload, secret, timestamp });
  return target(isReencoded ? JSON.stringify(event) : payload, signature);
}
