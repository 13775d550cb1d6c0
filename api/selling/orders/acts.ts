import { createHash } from "node:crypto";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { oneLine } from "../../contract/patterns.ts";
import { now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import type { AttentionReason } from "../../platform/database/tables.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { ActRefused } from "./act-refused.ts";
import { closeMatters, findMatters, type OpenMatter } from "./attention.ts";
import { changeOrder, type OrderChange } from "./change-order.ts";
import { closeOrder } from "./close-order.ts";
import { type Correction, correctOrder } from "./correct-order.ts";
import { addOrderNote } from "./order-notes.ts";
import { sumPaid } from "./payments.ts";
import { type LinePieces, linesLeft, sumQuantity } from "./pieces.ts";
import type { FollowUp } from "./place-order.ts";
import { findOrder } from "./queries.ts";
import { type NewFulfillment, recordFulfillment } from "./record-fulfillment.ts";
import { type NewInvoice, recordInvoice } from "./record-invoice.ts";
import { type ReceivedPayment, recordPayment } from "./record-payment.ts";
import { type GivenRefund, recordRefund } from "./record-refund.ts";
import { type NewReturn, recordReturn } from "./record-return.ts";
import type { Order } from "./schema.ts";

/** Pieces of a line, by its id or by its SKU. */
type NamedPieces = LinePieces | { sku: string; quantity: number };

/** What somebody reports or decides about an order. */
export type Act =
  | { name: "accept" | "hold" | "release" }
  /** `matter`: the one that is dealt with, by its id; left out, all. */
  | { name: "done"; matter?: number }
  | { name: "cancel" | "close"; reason: string | null }
  /** `amount` undefined: what is due. */
  | ({ name: "paid"; amount: string | undefined } & Omit<ReceivedPayment, "amount">)
  /** `lines` undefined: all that wasn't sent yet. */
  | ({ name: "sent"; lines: readonly NamedPieces[] | undefined } & Omit<NewFulfillment, "lines">)
  /** `lines` undefined: all that the customer has. */
  | ({ name: "returned"; lines: readonly NamedPieces[] | undefined } & Omit<NewReturn, "lines">)
  | ({ name: "refunded" } & GivenRefund)
  | ({ name: "invoiced" } & NewInvoice)
  /** What a partner notes; what is left out stays. */
  | { name: "acknowledge"; external_id?: string | null; partner_note?: string | null }
  /** What the shop's own people note. */
  | { name: "note"; note: string }
  | ({ name: "correct" } & Correction)
  /** What goes out because of a person, and leaves the order as it is. */
  | { name: "mail" | "push" | "card_refund"; work: Work };

/**
 * Does something with a locked order in the act's transaction, such as queueing a mail. Returns the amount of money that it
 * is about, in ten-thousandths, if it is about money. Throws ActRefused.
 */
export type Work = (transaction: Db, order: Order, who: string) => Promise<bigint | undefined>;

/** A reason, and an id in a partner's system, as regular expressions with the flag `u`. */
export const REASON = oneLine(500);
export const EXTERNAL_ID = oneLine(191);
export const MOST_NOTE_CHARACTERS = 1_000;

/** Who acts: a command on the server, a person who is signed in, or a partner by a token. */
export interface Actor {
  /** As the history says it. */
  name: string;
  isPartner: boolean;
}

/** `npm run order`. */
export const COMMAND: Actor = { name: "command", isPartner: false };

/** Names by which the history means somebody else. */
const TAKEN = /^(command|automatic|token .*)$/is;

/** Somebody who is signed in. */
export const memberOf = ({ name }: { name: string }): Actor => ({
  name: TAKEN.test(name) ? `“${name}”` : name,
  isPartner: false,
});

export const partnerOf = (tokenHash: string): Actor => ({ name: `token ${tokenHash.slice(0, 8)}`, isPartner: true });

/** How an order was when somebody decided about it; what is left out doesn't matter to them. */
export type Seen = Partial<
  Pick<Order, "status" | "fulfillment_status"> & {
    due: string;
    /** What came and went back, which pieces were sent, came back or won't come, and who ordered and where it goes. */
    money: string;
    pieces: string;
    details: string;
  }
>;

/** How an order is, in all that somebody may have seen of it. */
export function seenOf(order: Order): Required<Seen> {
  const { status, fulfillment_status, totals, lines, fulfillments, returns } = order;
  const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
  return {
    ...{ status, fulfillment_status, due: totals.due },
    money: hash([formatMoney(sumPaid(order.payments), 4), totals.refunded]),
    pieces: hash([fulfillments, returns, lines.map(({ closed_quantity }) => closed_quantity)]),
    details: hash([order.buyer, order.billing_address, order.shipping_address]),
  };
}

export interface Occasion {
  by: Actor;
  seen?: Seen | undefined;
  /** Of the form that asks for it, which does it once. */
  key?: string | undefined;
  followUp: FollowUp;
}

/** An order before and after an act, and what a person must still look at. */
export interface Done {
  before: Order;
  after: Order;
  /** How many matters the act itself has closed. */
  closed: number;
  matters: OpenMatter[];
  /** Whether it was done just now, and not before, by somebody or by the same form. */
  isNew: boolean;
}

/**
 * Does it, notes it in the order's history, and returns the order before and after; both are equal if it was done already.
 * Undefined for an unknown order. Throws ActRefused, and changes nothing, for what isn't possible, and where the order
 * isn't any more as it was seen; RangeError for a transition that isn't allowed.
 */
export const actOnOrder = (db: Db, order: Named, act: Act, occasion: Occasion): Promise<Done | undefined> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const before = await findNamed(transaction, order);
    if (!before) return undefined;
    const matters = () => findMatters(transaction, before.id);
    if (occasion.key !== undefined && (await isActDone(transaction, occasion.key)))
      return { before, after: before, closed: 0, matters: await matters(), isNew: false };
    const { closed = 0, ...effect } = await perform({ transaction, order: before, ...occasion }, act);
    const after = await findOrder(transaction, before.id);
    if (!after) throw new Error("The order is gone.");
    const isNew = after.version !== before.version || closed > 0 || effect.isDone === true;
    if (isNew) refuseStale(before, occasion.seen);
    if (isNew) await noteInHistory(transaction, { act, occasion, before, after, amount: effect.amount });
    return { before, after, closed, matters: await matters(), isNew };
  });

/** Whether the form with this key has done something. */
export const isActDone = async (db: Db, key: string): Promise<boolean> =>
  (await db.selectFrom("order_history").select("id").where("act_key", "=", key).executeTakeFirst()) !== undefined;

/** An order by its id or its number. */
type Named = { id: number } | { number: string };

async function findNamed(db: Db, order: Named): Promise<Order | undefined> {
  if ("id" in order) return findOrder(db, order.id);
  const found = await db.selectFrom("orders").select("id").where("number", "=", order.number).executeTakeFirst();
  return found && findOrder(db, found.id);
}

/** An order, and what a person must look at in it; undefined for an unknown number. */
export async function showToPerson(db: Db, number: string): Promise<Pick<Done, "after" | "matters"> | undefined> {
  const order = await findNamed(db, { number });
  return order && { after: order, matters: await findMatters(db, order.id) };
}

/** Throws ActRefused where an order isn't as it was seen. */
function refuseStale(order: Order, seen: Seen = {}): void {
  const is = seenOf(order);
  for (const [name, value] of Object.entries(seen) as [keyof Seen, string | undefined][]) {
    if (value === undefined || (name === "due" ? isSameAmount(value, is.due) : value === is[name])) continue;
    const isTold = name === "status" || name === "fulfillment_status" || name === "due";
    throw new ActRefused(
      "state",
      `The order has changed since you saw it${isTold ? `: its ${name} is ${is[name]} now` : ""}.`,
      "changed",
    );
  }
}

const isSameAmount = (a: string, b: string) => parseMoney(a) === parseMoney(b);

interface Context extends Occasion {
  transaction: Db;
  order: Order;
}

type Change = Omit<Context, "followUp"> & { followUp: FollowUp | undefined };

/** What an act did besides changing the order. */
interface Effect {
  /** How many matters it closed by itself. */
  closed?: number;
  /** It did something, although the order may be as before. */
  isDone?: boolean;
  /** The money that this is about, in ten-thousandths. */
  amount?: bigint | undefined;
}

async function perform(context: Context, act: Act): Promise<Effect> {
  const { transaction, order, by, followUp } = context;
  switch (act.name) {
    case "accept":
      await goOn(context, "pending", "accepted");
      return {};
    case "hold":
      return { closed: await hold(context) };
    case "release":
      if (by.isPartner) await refuseForeignHold(context);
      await goOn(context, "on_hold", "released");
      return {};
    case "done":
      return { closed: await closeMatters(transaction, order.id, by.name, { id: act.matter }) };
    case "cancel":
      await cancel(context, act.reason);
      return {};
    case "close":
      await closeOrder(transaction, order, act.reason, followUp, by.name);
      return {};
    case "paid":
      await recordPayment(
        transaction,
        order.id,
        { ...act, amount: act.amount ?? readDue(order, act) },
        followUp,
        by.name,
      );
      return {};
    case "sent": {
      const { name: _, lines, ...parcel } = act;
      await recordFulfillment(transaction, order.id, { ...parcel, lines: readLines(order, lines) }, followUp, by.name);
      return {};
    }
    case "returned":
      await recordReturn(transaction, order, { ...act, lines: readLines(order, act.lines) }, followUp, by.name);
      return {};
    case "refunded":
      await recordRefund(transaction, order, act, followUp, by.name);
      return {};
    case "invoiced": {
      const { name: _, ...invoice } = act;
      await recordInvoice(transaction, order, invoice, followUp, by.name);
      return {};
    }
    case "acknowledge":
      await acknowledge(context, act);
      return {};
    case "note":
      return { isDone: await addOrderNote(transaction, order, act.note, by.name) };
    case "correct":
      await correctOrder(transaction, order, act, followUp, by.name);
      return {};
    case "mail":
    case "push":
    case "card_refund":
      return { isDone: true, amount: await act.work(transaction, order, by.name) };
  }
}

const change = ({ transaction, order, by, followUp }: Change, wanted: OrderChange) =>
  changeOrder(
    transaction,
    order.id,
    { ...wanted, who: by.name, ...(!by.isPartner && { by: "person" }) },
    new Date(),
    followUp,
  );

async function goOn(context: Context, from: "pending" | "on_hold", done: string): Promise<void> {
  const { number, status } = context.order;
  if (status === "completed" && from === "on_hold") return; // it was sent and paid, so that it has ended by itself
  if (status !== from && status !== "processing")
    throw new ActRefused("state", `${number} is ${status}. Only an order that is ${from} can be ${done}.`, "status");
  await change(context, { status: "processing" });
}

/** A person may hold any order, and reopens a cancelled one so; a partner only one that goes on. */
async function hold(context: Context): Promise<number> {
  const { transaction, order, by } = context;
  if (by.isPartner) {
    if (order.status === "on_hold") return 0;
    if (order.status !== "processing")
      throw new ActRefused(
        "state",
        `${order.number} is ${order.status}. Only an order that is processing can be held.`,
        "status",
      );
    await change(context, { status: "on_hold", heldByPartner: true });
    return 0;
  }
  // One that waited for the rest of its total waits for a person from now on, and one that a partner held, too.
  const closed = await closeMatters(transaction, order.id, by.name, { reasons: ["part_paid"] });
  await change(context, { status: "on_hold" });
  await transaction.updateTable("orders").set({ held_by_partner: 0 }).where("id", "=", order.id).execute();
  return closed;
}

/** What may be open while a partner releases its own hold: it says nothing against that. */
const NO_HINDRANCE: readonly AttentionReason[] = ["sent_on_hold", "too_few_left"];

/** Throws ActRefused for a hold that a partner hasn't set, and where a person must look first. */
async function refuseForeignHold({ transaction, order }: Context): Promise<void> {
  if (order.status !== "on_hold") return;
  const { held_by_partner } = await transaction
    .selectFrom("orders")
    .select("held_by_partner")
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  const matters = await findMatters(transaction, order.id);
  if (held_by_partner === 0 || matters.some(({ reason }) => !NO_HINDRANCE.includes(reason)))
    throw new ActRefused(
      "state",
      "The shop has put this order on hold, so a person there must release it: for its payment, or a question that is open.",
      "foreign_hold",
    );
}

async function cancel(context: Context, reason: string | null): Promise<void> {
  const { number, status, fulfillments } = context.order;
  if (status === "cancelled") return;
  if (fulfillments.length > 0) {
    const next = `${linesLeft(context.order).length > 0 ? "Close it if the rest won't come; what" : "What"} comes back is a return, and the money a refund.`;
    throw new ActRefused("state", `Goods of ${number} were sent, so it can't be cancelled. ${next}`, "was_sent");
  }
  if (status === "completed" || status === "refunded")
    throw new ActRefused("state", `${number} is ${status}, so it can't be cancelled.`, "ended");
  await change(context, { status: "cancelled", cancel_reason: readTyped(reason ?? "") || null });
}

function readDue({ number, payments, totals }: Order, { method, reference }: Act & { name: "paid" }): string {
  const recorded = payments.find((payment) => payment.method === method && payment.reference === reference);
  if (recorded?.status === "paid") return recorded.amount;
  if (parseMoney(totals.due) > 0n) return totals.due;
  throw new ActRefused(
    "content",
    `Nothing is due on ${number}. If money came all the same, write --amount.`,
    "nothing_due",
  );
}

/** In an order from the checkout, a SKU has one line. */
function readLines(order: Order, pieces: readonly NamedPieces[] | undefined): LinePieces[] | undefined {
  return pieces?.map((named) => {
    if ("line_id" in named) return named;
    const line = order.lines.find(({ sku }) => sku === named.sku);
    if (!line) throw new ActRefused("content", `${order.number} has no line with the SKU ${named.sku}.`, "pieces");
    return { line_id: line.id, quantity: named.quantity };
  });
}

async function acknowledge(
  context: Context,
  { external_id, partner_note }: Omit<Act & { name: "acknowledge" }, "name">,
): Promise<void> {
  const { transaction, order } = context;
  const other =
    typeof external_id === "string" &&
    external_id !== order.external_id &&
    (await transaction
      .selectFrom("orders")
      .select("number")
      .where("external_id", "=", external_id)
      .where("id", "!=", order.id)
      .limit(1)
      .executeTakeFirst());
  if (other) throw new ActRefused("content", `${other.number} has this external_id already.`);
  // What a partner notes is no news to anyone.
  await change(
    { ...context, followUp: undefined },
    {
      ...(external_id !== undefined && { external_id }),
      ...(partner_note !== undefined && { partner_note: readTyped(partner_note ?? "", { lines: true }) || null }),
    },
  );
}

interface Noted extends Pick<Done, "before" | "after"> {
  act: Act;
  occasion: Occasion;
  /** Of an act that doesn't change the order's money; undefined: what was paid or refunded. */
  amount: bigint | undefined;
}

async function noteInHistory(transaction: Db, { act, occasion, before, after, ...given }: Noted): Promise<void> {
  const moved = (amountOf: (order: Order) => bigint) => amountOf(after) - amountOf(before);
  const amount =
    given.amount ?? moved(({ payments }) => sumPaid(payments)) + moved(({ totals }) => parseMoney(totals.refunded));
  const units = Number(
    moved(({ fulfillments, returns, lines }) =>
      BigInt(
        sumQuantity(fulfillments) +
          sumQuantity(returns) +
          lines.reduce((sum, { closed_quantity }) => sum + closed_quantity, 0),
      ),
    ),
  );
  await transaction
    .insertInto("order_history")
    .values({
      ...{ order_id: after.id, version: after.version, act: act.name, was: before.status, became: after.status },
      ...{ done_by: occasion.by.name, done_at: now() },
      amount: amount === 0n ? null : formatMoney(amount, 4),
      units: units === 0 ? null : units,
      act_key: occasion.key ?? null,
    })
    .execute();
}
