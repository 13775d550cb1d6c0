import { randomBytes } from "node:crypto";
import type Stripe from "stripe";

/** What the shop asked for when it opened a page. */
export interface PageRequest {
  amount: number;
  currency: string;
  name: string;
  expiresAt: number;
  successUrl: string;
  cancelUrl: string;
  email: string | null;
  reference: string | null;
  metadata: Record<string, string>;
}

export type RefundAnswer = Pick<
  Stripe.Refund,
  | ("id" | "object" | "amount" | "charge" | "created" | "currency" | "metadata")
  | ("payment_intent" | "reason" | "status")
>;

type ChargeAnswer = Pick<
  Stripe.Charge,
  | ("id" | "object" | "amount" | "amount_captured" | "amount_refunded" | "captured" | "created" | "currency")
  | ("disputed" | "livemode" | "paid" | "payment_intent" | "refunded" | "status")
>;

type IntentAnswer = Pick<
  Stripe.PaymentIntent,
  "id" | "object" | "amount" | "amount_received" | "created" | "currency" | "livemode" | "metadata" | "status"
> & { latest_charge: string | ChargeAnswer | null };

export type SessionAnswer = Pick<
  Stripe.Checkout.Session,
  | ("id" | "object" | "amount_subtotal" | "amount_total" | "cancel_url" | "client_reference_id" | "created")
  | ("currency" | "customer_email" | "expires_at" | "livemode" | "metadata" | "mode" | "payment_status" | "status")
  | ("success_url" | "url")
> & { payment_intent: string | IntentAnswer | null };

type DisputeAnswer = Pick<
  Stripe.Dispute,
  "id" | "object" | "amount" | "charge" | "created" | "currency" | "payment_intent" | "reason" | "status"
>;

/** Tells that something happened, by Stripe's name of the event. */
type Emit = (
  type: Stripe.Event["type"],
  object: SessionAnswer | IntentAnswer | ChargeAnswer | RefundAnswer | DisputeAnswer,
) => void;

interface Charge {
  id: string;
  created: number;
  disputed: boolean;
  refunds: RefundAnswer[];
}

interface Intent {
  id: string;
  amount: number;
  currency: string;
  status: "requires_payment_method" | "processing" | "succeeded" | "canceled";
  charge: Charge | undefined;
}

interface Page extends PageRequest {
  id: string;
  created: number;
  status: "open" | "complete" | "expired";
  intent: Intent | undefined;
}

/** What was taken for a page and given back, in the minor units of the currency that was taken. */
interface LedgerEntry {
  sessionId: string;
  currency: string;
  taken: number;
  givenBack: number;
}

/** What a request can't have, in Stripe's words and codes. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;
const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** The pages, payments and refunds of an account: what its customers do, and what its owner does in the dashboard. */
export class StripeAccount {
  readonly #pages = new Map<string, Page>();
  /** Of the refunds that the shop asks for; bank debits are given back only after days. */
  refundStatus: "succeeded" | "pending" = "succeeded";
  readonly #emit: Emit;
  readonly #address: () => string;

  /** `address` is where the hosted pages are. */
  constructor(emit: Emit, address: () => string) {
    this.#emit = emit;
    this.#address = address;
  }

  /** The ids of all pages, the oldest first. */
  get sessionIds(): string[] {
    return [...this.#pages.keys()];
  }

  open(request: PageRequest): SessionAnswer {
    const page: Page = { ...request, id: newId("cs_test"), created: nowSeconds(), status: "open", intent: undefined };
    this.#pages.set(page.id, page);
    return this.#show(page);
  }

  session(id: string, expand: readonly string[] = []): SessionAnswer {
    const page = this.#find(id);
    const isExpanded = (path: string) => expand.some((each) => each === path || each.startsWith(`${path}.`));
    const intent = page.intent && isExpanded("payment_intent") ? this.#showIntent(page.intent) : undefined;
    const charge = page.intent?.charge;
    if (intent && charge && isExpanded("payment_intent.latest_charge"))
      intent.latest_charge = this.#showCharge(page.intent as Intent, charge);
    return { ...this.#show(page), ...(intent && { payment_intent: intent }) };
  }

  sessionsOf(paymentIntent: string): SessionAnswer[] {
    const page = this.#findByIntent(paymentIntent);
    return page ? [this.#show(page)] : [];
  }

  /** The newest first. */
  refundsOf(paymentIntent: string): RefundAnswer[] {
    return [...(this.#findByIntent(paymentIntent)?.intent?.charge?.refunds ?? [])].reverse();
  }

  /** The customer pays; `amount` and `currency` if it isn't what was asked. */
  pay(id: string, { amount, currency }: { amount?: number; currency?: string } = {}): void {
    const page = this.#findOpen(id);
    page.status = "complete";
    const intent = this.#intentOf(page);
    Object.assign(intent, { amount: amount ?? page.amount, currency: currency ?? page.currency });
    charge(intent);
    this.#emit("checkout.session.completed", this.#show(page));
  }

  /** The card is declined, after which the customer may try again. */
  decline(id: string): void {
    const intent = this.#intentOf(this.#findOpen(id));
    this.#emit("payment_intent.payment_failed", this.#showIntent(intent));
  }

  /** The customer pays by a bank debit, which takes days. */
  startDebit(id: string): void {
    const page = this.#findOpen(id);
    page.status = "complete";
    this.#intentOf(page).status = "processing";
    this.#emit("checkout.session.completed", this.#show(page));
  }

  /** The bank debit arrives or is refused. */
  finishDebit(id: string, arrives: boolean): void {
    const page = this.#find(id);
    const intent = this.#intentOf(page);
    if (intent.status !== "processing") throw new Error("No bank debit is under way.");
    if (arrives) charge(intent);
    else intent.status = "requires_payment_method";
    this.#emit(`checkout.session.async_payment_${arrives ? "succeeded" : "failed"}`, this.#show(page));
  }

  /** Closes an open page, by the shop or when its time is up. */
  expire(id: string): SessionAnswer {
    const page = this.#find(id);
    if (page.status !== "open")
      throw new StripeRefusal(400, "", `Only Checkout Sessions with a status of open can be expired: ${page.status}.`);
    page.status = "expired";
    if (page.intent) page.intent.status = "canceled";
    this.#emit("checkout.session.expired", this.#show(page));
    return this.#show(page);
  }

  /** Gives back all that is left, or `amount`: in the dashboard, or by the shop's request. */
  refund(
    paymentIntent: string,
    {
      amount,
      reason = null,
      status = "succeeded",
      metadata = {},
    }: { amount?: number } & Partial<Pick<RefundAnswer, "metadata" | "reason" | "status">> = {},
  ): RefundAnswer {
    const intent = this.#findByIntent(paymentIntent)?.intent;
    if (!intent?.charge) throw new StripeRefusal(400, "", "This PaymentIntent has no successful charge to refund.");
    const left = intent.amount - refunded(intent.charge);
    if (left === 0) throw new StripeRefusal(400, "charge_already_refunded", "The charge has already been refunded.");
    if ((amount ?? left) > left || amount === 0)
      throw new StripeRefusal(400, "amount_too_large", "Refund amount is greater than unrefunded amount on charge.");
    const refund = {
      ...{ id: newId("re"), object: "refund", amount: amount ?? left, charge: intent.charge.id },
      ...{ created: nowSeconds(), currency: intent.currency, payment_intent: intent.id, reason, status },
      metadata,
    } satisfies RefundAnswer;
    intent.charge.refunds.push(refund);
    this.#emit("refund.created", refund);
    this.#emit("charge.refunded", this.#showCharge(intent, intent.charge));
    return refund;
  }

  /** A refund that was pending arrives, or comes back. */
  finishRefund(id: string, arrives: boolean): void {
    const refund = [...this.#pages.values()]
      .flatMap(({ intent }) => intent?.charge?.refunds ?? [])
      .find((each) => each.id === id);
    if (!refund) throw new Error("No refund has this id.");
    refund.status = arrives ? "succeeded" : "failed";
    this.#emit(arrives ? "refund.updated" : "refund.failed", refund);
  }

  /** The customer's bank takes the money back for now. */
  dispute(paymentIntent: string): void {
    const intent = this.#findByIntent(paymentIntent)?.intent;
    if (!intent?.charge) throw new Error("Nothing was paid.");
    intent.charge.disputed = true;
    this.#emit("charge.dispute.created", {
      ...{ id: newId("du"), object: "dispute", amount: intent.amount, charge: intent.charge.id, created: nowSeconds() },
      ...{ currency: intent.currency, payment_intent: intent.id, reason: "fraudulent", status: "needs_response" },
    });
  }

  /** The pages that were paid. */
  get ledger(): LedgerEntry[] {
    return [...this.#pages.values()].flatMap(({ id, intent }) => {
      const { charge } = intent ?? {};
      if (!intent || !charge) return [];
      const givenBack = refunded(charge, (status) => status === "succeeded");
      return [{ sessionId: id, currency: intent.currency, taken: intent.amount, givenBack }];
    });
  }

  #find(id: string): Page {
    const page = this.#pages.get(id);
    if (!page) throw new StripeRefusal(404, "resource_missing", `No such checkout.session: ${id}`);
    return page;
  }

  #findOpen(id: string): Page {
    const page = this.#find(id);
    if (page.status !== "open") throw new Error(`The page is ${page.status}.`);
    return page;
  }

  #findByIntent(id: string): Page | undefined {
    return [...this.#pages.values()].find(({ intent }) => intent?.id === id);
  }

  /** Stripe makes one when the customer first tries to pay. */
  #intentOf(page: Page): Intent {
    page.intent ??= {
      ...{ id: newId("pi"), amount: page.amount, currency: page.currency },
      ...{ status: "requires_payment_method", charge: undefined },
    };
    return page.intent;
  }

  #show({ intent, ...page }: Page): SessionAnswer {
    return {
      id: page.id,
      object: "checkout.session",
      amount_subtotal: page.amount,
      amount_total: page.amount,
      cancel_url: page.cancelUrl,
      client_reference_id: page.reference,
      created: page.created,
      currency: page.currency,
      customer_email: page.email,
      expires_at: page.expiresAt,
      livemode: false,
      metadata: page.metadata,
      mode: "payment",
      payment_intent: intent?.id ?? null,
      payment_status: intent?.charge ? "paid" : "unpaid",
      status: page.status,
      success_url: page.successUrl,
      url: page.status === "open" ? `${this.#address()}/pay/${page.id}` : null,
    };
  }

  #showIntent({ id, amount, currency, status, charge }: Intent): IntentAnswer {
    return {
      ...{
        id,
        object: "payment_intent",
        amount,
        amount_received: charge ? amount : 0,
        created: nowSeconds(),
        currency,
      },
      ...{ livemode: false, metadata: {}, status, latest_charge: charge?.id ?? null },
    };
  }

  #showCharge(
    { id: payment_intent, amount, currency }: Intent,
    { id, created, disputed, ...charge }: Charge,
  ): ChargeAnswer {
    const amount_refunded = refunded(charge);
    return {
      ...{ id, object: "charge", amount, amount_captured: amount, amount_refunded, captured: true, created, currency },
      ...{ disputed, livemode: false, paid: true, payment_intent, refunded: amount_refunded === amount },
      status: "succeeded",
    };
  }
}

function charge(intent: Intent): void {
  intent.status = "succeeded";
  intent.charge = { id: newId("ch"), created: nowSeconds(), disputed: false, refunds: [] };
}

/** By default with what is under way, as Stripe counts it. */
const refunded = (
  { refunds }: Pick<Charge, "refunds">,
  counts = (status: string | null) => status === "succeeded" || status === "pending",
): number => refunds.reduce((sum, { amount, status }) => sum + (counts(status) ? amount : 0), 0);
