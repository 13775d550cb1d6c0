import { spellEmail } from "../../contract/email-address.ts";
import { withoutHidden } from "../../contract/hidden-characters.ts";
import { parseMoney } from "../../contract/money.ts";
import { ago, now, readJson, writeJson } from "../../platform/database/columns.ts";
import { indexOrders } from "../../platform/database/order-search.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import type { StoredAddress, StoredBuyer, StoredCustomer } from "../../platform/database/tables.ts";
import { showEmail } from "../../platform/mail/email-address.ts";
import { sumPaid } from "../../selling/orders/payments.ts";
import type { FollowUp, OrderState } from "../../selling/orders/place-order.ts";
import { type OrderRow, toPayment } from "../../selling/orders/to-order.ts";

/** Locks an order as a change of it does. Call it first in a transaction of READ_COMMITTED. */
export async function lockOrder(transaction: Db, id: number): Promise<OrderRow> {
  await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
  return transaction.selectFrom("orders").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
}

/**
 * Whether a push to the ERP waits or runs, or a mail about the order is being sent. Otherwise none begins before the
 * transaction ends: a push needs the order's row, and a mail its own, which this locks.
 */
export async function isUnderWay(transaction: Db, orderId: number): Promise<boolean> {
  const mails = await transaction
    .selectFrom("mails")
    .select(({ and, eb }) =>
      // The lease of a process that was killed ends here.
      and([eb("state", "=", "pending"), eb("lease_token", "is not", null), eb("next_attempt_at", ">", ago(0))]).as(
        "sent",
      ),
    )
    .where("order_id", "=", orderId)
    .forUpdate()
    .execute();
  const delivery = await transaction
    .selectFrom("deliveries")
    .select("id")
    .where("order_id", "=", orderId)
    // A superseded one has failed, though its last attempt may still run.
    .where(({ or, eb }) => or([eb("state", "=", "pending"), eb("leased_until", ">", ago(0))]))
    .executeTakeFirst();
  return delivery !== undefined || mails.some(({ sent }) => Number(sent) === 1);
}

/**
 * Erases the person from a locked order that nothing is under way of. Its billing facts stay until `billingKeptUntil`;
 * null erases them too. The order gets a new version, so that whoever follows changes learns of it, and whoever gets its
 * later versions pushed.
 */
export async function eraseOrder(
  transaction: Db,
  order: OrderRow,
  billingKeptUntil: Date | null,
  followUp: FollowUp,
): Promise<void> {
  const { id, version } = order;
  const names = namesIn(order);
  const { last_sequence: sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 1 });
  await transaction
    .updateTable("orders")
    .set({
      ...billingFacts(order, billingKeptUntil),
      ...{ shipping_address: null, buyer_reference: null, note: null, cancel_reason: null, email_key: null },
      ...{ partner_note: null, close_reason: null },
      external_id: withoutNames(order.external_id, names),
      payments: writeJson(
        readJson(order.payments).map(({ reference, ...payment }) => ({
          ...payment,
          reference: withoutNames(reference ?? null, names),
        })),
      ),
      refunds: writeJson(readJson(order.refunds).map((refund) => ({ ...refund, reason: null }))),
      fulfillments: withoutTracking(order, names),
      returns:
        order.returns &&
        writeJson(
          readJson(order.returns).map((back) => ({
            ...back,
            reference: withoutNames(back.reference, names) ?? `${back.id}`,
          })),
        ),
      ...{ as_placed: null, as_placed_shape: null },
      ...{ sequence, version: version + 1, updated_at: now() },
      // Whoever hadn't compared it yet still does.
      ...(order.ledgered === order.sequence && { ledgered: sequence }),
      searched: sequence,
    })
    .where("id", "=", id)
    .execute();
  await indexOrders(transaction, [id]);
  if (billingKeptUntil === null) await transaction.deleteFrom("invoices").where("order_id", "=", id).execute();
  await eraseReferences(transaction, id, names);
  await eraseTraces(transaction, id);
  const state = stateOf(order);
  await followUp(transaction, {
    ...{ orderId: id, was: state, is: state, isNewVersion: true },
    ...{ hasBuyer: false, paysByCard: false, toTransfer: false, hasFailedPayment: false },
    ...{ needsPerson: false, isSent: false, isClosed: false, invoices: [] },
  });
}

/** As before and after: erasing a person is no step of the order's. */
const stateOf = ({ status, payment_status, paid_at, payments, refunded, ...totals }: OrderRow): OrderState => ({
  ...{ status, payment_status, paidInFull: paid_at !== null },
  received: sumPaid(readJson(payments).map(toPayment)),
  ...{ refunded: parseMoney(refunded), total: parseMoney(totals.total) - parseMoney(totals.closed_total) },
});

/** What an invoice needs, which is in the billing address, or in the delivery address where there is no other. */
function billingFacts({ buyer, customer, ...order }: OrderRow, keptUntil: Date | null) {
  if (keptUntil === null)
    return {
      ...{ buyer: null, customer: null, billing_address: null, vat_check: null, invoices: null },
      billing_kept_until: null,
    };
  const address = order.billing_address ?? order.shipping_address;
  const nobody = { email: "", first_name: null, last_name: null, company: null, phone: null };
  return {
    buyer: buyer && writeJson({ ...readJson(buyer), ...nobody }),
    customer: customer && writeJson({ ...readJson(customer), ...nobody }),
    billing_address: address && writeJson({ ...readJson(address), phone: null }),
    billing_kept_until: keptUntil,
  };
}

/** A carrier says by its number whose the parcel is. The reference is ours, unless it repeats that number. */
const withoutTracking = ({ fulfillments }: OrderRow, names: readonly string[]) =>
  fulfillments &&
  writeJson(
    readJson(fulfillments).map(({ tracking_number, ...fulfillment }) => {
      const { id, carrier, reference } = fulfillment;
      const isOurs = tracking_number === null || !reference.includes(tracking_number);
      return {
        ...fulfillment,
        reference: (isOurs && withoutNames(reference, names)) || `${id}`,
        carrier: withoutNames(carrier, names),
        ...{ tracking_number: null, tracking_url: null },
      };
    }),
  );

/** E-mail address, with its domain in ASCII and in letters, names and telephone numbers in an order. */
function namesIn({ buyer, customer, billing_address, shipping_address }: OrderRow): string[] {
  const people: (Partial<StoredBuyer & StoredCustomer & StoredAddress> | null)[] = [
    buyer && readJson(buyer),
    customer && readJson(customer),
    billing_address && readJson(billing_address),
    shipping_address && readJson(shipping_address),
  ];
  return people.flatMap((person) => {
    const { email, first_name, last_name, phone } = person ?? {};
    const address = email && spellEmail(email);
    return [email, address, address && showEmail(address), first_name, last_name, phone].flatMap((text) => text || []);
  });
}

/** As banks write names, whose systems have ASCII alone. */
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe", æ: "ae" };

const spellOut = (text: string) => text.toLowerCase().replaceAll(/[äöüåøæ]/g, (letter) => SPELLED_OUT[letter] ?? "");

/** Its words and numbers with blanks around, without accents, nor the hidden characters that an earlier release stored. */
const wordsOf = (text: string) =>
  ` ${
    withoutHidden(text)
      .toLowerCase()
      .replaceAll("ß", "ss")
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .match(/\p{L}+|\p{N}+/gu)
      ?.join(" ") ?? ""
  } `;

/** Stripe's ids of payments, refunds and pages, in which a name such as Pi stands by chance, and which settling needs. */
const STRIPE_ID = /^(pi|re|pyr|cs_test|cs_live)_[A-Za-z0-9]+$/;

/** The text, or null if it has one of the names as whole words: parts of words would also fit a provider's random ids. */
function withoutNames(text: string | null, names: readonly string[]): string | null {
  if (STRIPE_ID.test(text ?? "")) return text;
  const words = wordsOf(text ?? "");
  return names.some((name) => words.includes(wordsOf(name)) || words.includes(wordsOf(spellOut(name)))) ? null : text;
}

async function eraseReferences(transaction: Db, orderId: number, names: readonly string[]): Promise<void> {
  await transaction.updateTable("order_refunds").set({ reason: null }).where("order_id", "=", orderId).execute();
  for (const table of ["order_payments", "order_refunds"] as const) {
    const rows = await transaction
      .selectFrom(table)
      .select(["position", "reference"])
      .where("order_id", "=", orderId)
      .execute();
    for (const { position, reference } of rows)
      if (reference !== withoutNames(reference, names))
        await transaction
          .updateTable(table)
          .set({ reference: null })
          .where("order_id", "=", orderId)
          .where("position", "=", position)
          .execute();
  }
}

/** Everything else that holds the order or leads to it. */
async function eraseTraces(transaction: Db, orderId: number): Promise<void> {
  const tables = [
    ...(["mails", "order_keys", "session_orders", "idempotency_keys", "cases", "verifications"] as const),
    "order_notes",
  ] as const;
  for (const table of tables) await transaction.deleteFrom(table).where("order_id", "=", orderId).execute();
  await transaction.updateTable("card_refunds").set({ reason: null }).where("order_id", "=", orderId).execute();
  await transaction
    .updateTable("delivery_attempts")
    .set({ response_excerpt: null })
    .where("delivery_id", "in", ({ selectFrom }) =>
      selectFrom("deliveries").select("id").where("order_id", "=", orderId),
    )
    .execute();
  await transaction
    .updateTable("deliveries")
    .set({ body: Buffer.of(), body_kept: 0 })
    .where("order_id", "=", orderId)
    .execute();
}
