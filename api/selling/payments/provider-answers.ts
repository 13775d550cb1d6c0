import type Stripe from "stripe";
import Type, { type Static, type TSchema } from "typebox";
import { Check, Errors } from "typebox/schema";
import { loadStripe } from "./stripe-library.ts";

// What we read of the provider's answers, and nothing else of them. A status that we don't know is no reason to guess:
// what doesn't fit is unreadable, and changes nothing.

/** As long as our columns hold. */
const Id = Type.String({ pattern: "^[!-~]{1,191}$" });

/** In minor units; none that Stripe can take is larger (amounts.ts). */
const Amount = Type.Integer({ minimum: 0, maximum: 99_999_999_999_999 });

const Currency = Type.String({ pattern: "^[a-z]{3}$" });

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The metadata that our pages have from the start. */
const Ours = Type.Object({ attempt: Type.String() });

const Intent = Type.Object({
  id: Id,
  amount_received: Amount,
  currency: Currency,
  status: Type.Enum([
    "canceled",
    "processing",
    "requires_action",
    "requires_capture",
    "requires_confirmation",
    "requires_payment_method",
    "succeeded",
  ]),
  latest_charge: orNull(Type.Object({ amount_refunded: Amount, disputed: Type.Boolean() })),
});
export type Intent = Static<typeof Intent>;

/** A payment page with its payment and charge, asked for by `expand`. */
export const Page = Type.Object({
  id: Id,
  amount_total: Amount,
  currency: Currency,
  metadata: Ours,
  payment_intent: orNull(Intent),
  /** Not `no_payment_required`: our pages ask for more than 0. */
  payment_status: Type.Enum(["paid", "unpaid"]),
  status: Type.Enum(["open", "complete", "expired"]),
  url: orNull(Type.String()),
});
export type Page = Static<typeof Page>;

/** A payment page that was opened just now. */
export const OpenedPage = Type.Object({ id: Id, metadata: Ours, url: Type.String() });
export type OpenedPage = Static<typeof OpenedPage>;

/** A page that may be another shop's with the same account. */
export const AnyPage = Type.Object({ id: Id, metadata: orNull(Type.Record(Type.String(), Type.String())) });

export const AnyPages = Type.Object({ data: Type.Array(AnyPage) });

export const Refund = Type.Object({
  id: Id,
  amount: Amount,
  /** Seconds, until the year 2100. */
  created: Type.Integer({ minimum: 0, maximum: 4_102_444_800 }),
  reason: orNull(Id),
  status: orNull(Type.Enum(["pending", "requires_action", "succeeded", "failed", "canceled"])),
  /** Ours, of a refund that somebody in the shop has decided; else whatever others wrote. */
  metadata: Type.Optional(orNull(Type.Record(Type.String(), Type.String()))),
});
export type Refund = Static<typeof Refund>;

export const Refunds = Type.Object({ data: Type.Array(Refund), has_more: Type.Boolean() });

/** An answer of which only matters that it came. */
export const Done = Type.Object({});

/** What an event is about; its object is of any kind. */
export const StripeEvent = Type.Object({
  id: Id,
  type: Type.String({ pattern: "^[!-~]{1,191}$" }),
  data: Type.Object({ object: Type.Object({}) }),
});
export type StripeEvent = Static<typeof StripeEvent>;

/** The provider's id of an event's object or payment. */
export const isId = (value: unknown): value is string => Check(Id, value);

/** An answer that isn't what the provider documents. The message says where, and quotes nothing of it. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/** The provider didn't answer, or won't answer the next question either. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof loadStripe().errors.StripeConnectionError ||
  error instanceof loadStripe().errors.StripeAuthenticationError ||
  error instanceof loadStripe().errors.StripeRateLimitError;

/** The provider didn't answer, refused, or can't be understood: pages show what is known. */
export const isProvidersFault = (error: unknown): boolean =>
  error instanceof loadStripe().errors.StripeError || error instanceof UnreadableAnswer;

/** An error that comes with a status of success, or without one because the client can't read the body at all. */
const contradictsStatus = ({ statusCode, type }: Stripe.errors.StripeError) =>
  statusCode === undefined ? type === "StripeAPIError" : statusCode < 400;

/** Waits for an answer. Throws UnreadableAnswer unless it fits, and a StripeError when there is none or a refusal. */
export async function readAnswer<T extends TSchema>(schema: T, asked: Promise<unknown>): Promise<Static<T>> {
  let answer: unknown;
  try {
    answer = await asked;
  } catch (error) {
    // Stripe's client stumbles over errors of an odd shape.
    if (error instanceof loadStripe().errors.StripeError && !contradictsStatus(error)) throw error;
    throw new UnreadableAnswer("Stripe's answer isn't a JSON object that its client can read.");
  }
  if (Check(schema, answer)) return answer as Static<T>;
  const [, [{ instancePath } = { instancePath: "" }]] = Errors(schema, answer);
  throw new UnreadableAnswer(`Stripe's answer isn't as documented, at ${instancePath || "its top"}.`);
}

/** Whether customers may be led to an address: one of the provider's pages, which browsers read as we do. */
export function isPageAddress(url: string, pageOrigin: string): boolean {
  if (!/^[!-~]{1,2048}$/.test(url) || !URL.canParse(url)) return false;
  const { origin, username, password } = new URL(url);
  return origin === pageOrigin && username === "" && password === "";
}
