import { isDeepStrictEqual } from "node:util";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { readJson, writeJson } from "../../platform/database/columns.ts";
import { orderEmailKey } from "../../platform/database/email-keys.ts";
import { indexOrders } from "../../platform/database/order-search.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { followLedger, isLedgered, type Pieces, sumPieces } from "../stock/ledger.ts";
import { computeDue } from "./amount-due.ts";
import { asPlacedColumns } from "./as-placed.ts";
import { type Matter, mattersOfChange, recordMatters, waitsForRest } from "./attention.ts";
import { sum, surplusOf } from "./money.ts";
import {
  correctRefunds,
  mergePayments,
  mergeRefunds,
  type NewPayment,
  type NewRefund,
  type RefundCorrection,
  readPayments,
  readRefunds,
  sumPaid,
  writePayments,
  writeRefunds,
} from "./payments.ts";
import type { LinePieces } from "./pieces.ts";
import { type FollowUp, type OrderState, validateColumns } from "./place-order.ts";
import { findLines } from "./queries.ts";
import type { Order, OrderHead, OrderTail } from "./schema.ts";
import { type Decider, refuseTransition, statusAfterPayment } from "./status-transitions.ts";
import { type OrderRow, toPayment } from "./to-order.ts";

/**
 * A change of an order; omitted fields stay. Payments and refunds are added to the existing ones. Fields of PlacedOrder
 * and the currency can't change: they were written when the order was placed (as-placed.ts). Only pieces that won't be
 * sent, and what a person corrects before anything is sent, are written there anew.
 */
export interface OrderChange
  extends Partial<
    Pick<
      OrderHead & OrderTail,
      "status" | "fulfillment_status" | "cancel_reason" | "note" | "external_id" | "partner_note" | "returns"
    >
  > {
  /** Who decided, which some transitions require: a person, or the provider that payments are settled with. */
  by?: Decider;
  /** Who saw to what the change settles, by name; what happens by itself has none. */
  who?: string | undefined;
  /** Whether a partner puts it on hold. */
  heldByPartner?: boolean;
  /** Pieces that won't be sent, their price, in ten-thousandths, which isn't to be paid, and why. */
  closed?: { lines: readonly LinePieces[]; total: bigint };
  close_reason?: string | null;
  /** The documents that it has, what is known already included, without their bytes. */
  invoices?: Order["invoices"];
  /** The customer pays by transfer instead of by card, which they chose first. */
  payment_method?: "transfer";
  /** What a person must look at; left out, what follows from the change. */
  matters?: readonly Matter[];
  /** A status that is left out follows from the money: see statusAfterPayment. */
  payments?: readonly NewPayment[];
  /** When the payments came, if they pay the order in full; the time of the change when left out. */
  paid_at?: Date;
  refunds?: readonly NewRefund[];
  corrected_refunds?: readonly RefundCorrection[];
  /** What the refunds settle first, by what its matter is about. */
  settles?: string;
  /** All that was sent, what is known already included (record-fulfillment.ts). */
  fulfillments?: Order["fulfillments"];
  /** Who ordered and where it goes, of what a person has corrected (correct-order.ts). */
  corrected?: Partial<Pick<Order, "buyer" | "billing_address" | "shipping_address">>;
}

/**
 * Changes an order: it gets the next version, and the next sequence from the sequence row, which stays locked until the
 * commit. An order that is processing, sent and paid in full becomes completed. `at` becomes updated_at, and paid_at or
 * cancelled_at the first time that happens. A change of nothing that the API shows keeps version and sequence. Throws
 * RangeError, and writes nothing, for an unknown order, a transition that isn't allowed, and invalid amounts,
 * references, texts or dates.
 */
export async function changeOrder(
  db: Db,
  id: number,
  change: OrderChange,
  at = new Date(),
  followUp?: FollowUp,
): Promise<{ sequence: number; status: Order["status"] }> {
  validateColumns({ ...change, at }, "change");
  return inTransaction(db, async (transaction) => {
    // Locks the sequence row without taking a number yet.
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 });
    // For update: if this transaction read the order earlier, a plain read would return that old state. (Under
    // innodb_snapshot_isolation the locking read fails with ER_CHECKREAD: see sequence.ts.)
    const row = await transaction.selectFrom("orders").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
    if (!row) throw new RangeError("No order has this id.");
    const closedTotal = parseMoney(row.closed_total) + (change.closed?.total ?? 0n);
    const wasTotal = parseMoney(row.total) - parseMoney(row.closed_total);
    const total = parseMoney(row.total) - closedTotal;
    const { payments, refunds, shownRefunds, ...money } = await mergeMoney(transaction, row, change);
    const wasPaid = row.paid_at !== null;
    const before = computeDue({
      ...{ status: row.status, total: wasTotal, payments: money.known, refunds: readJson(row.refunds), wasPaid },
    });
    const received = sumPaid(payments);
    const isPaidMore = received > before.received;
    const waits = isPaidMore && row.status === "on_hold" && (await waitsForRest(transaction, id));
    const surplus = surplusOf(received - before.refunded - total, row.currency);
    const afterPayment = isPaidMore ? statusAfterPayment(row.status, surplus, waits) : undefined;
    const wanted = change.status ?? afterPayment ?? row.status;
    refuseTransition(row.status, wanted, change.by);
    // An order isn't voided by the card that isn't to be used any more.
    const isByTransfer = row.transfer_since !== null || change.payment_method !== undefined;
    const counted = isByTransfer ? payments.filter(({ status }) => status !== "voided") : payments;
    const isPaid = wasPaid || received - before.refunded >= total;
    const settled = computeDue({
      ...{ status: wanted, total, payments: counted, refunds: shownRefunds, wasPaid: isPaid },
    });
    const fulfillment_status = change.fulfillment_status ?? row.fulfillment_status;
    const isSentWhole = fulfillment_status === "fulfilled" || fulfillment_status === "returned";
    const isDone = wanted === "processing" && isSentWhole && settled.paidInFull;
    const status = isDone ? "completed" : wanted;
    const fields = {
      status,
      fulfillment_status,
      fulfillments: change.fulfillments ? writeJson(change.fulfillments) : row.fulfillments,
      cancel_reason: change.cancel_reason === undefined ? row.cancel_reason : change.cancel_reason,
      note: change.note === undefined ? row.note : change.note,
      external_id: change.external_id === undefined ? row.external_id : change.external_id,
      partner_note: change.partner_note === undefined ? row.partner_note : change.partner_note,
      close_reason: change.close_reason === undefined ? row.close_reason : change.close_reason,
      returns: change.returns ? writeJson(change.returns) : row.returns,
      invoices: change.invoices ? writeJson(change.invoices) : row.invoices,
      payment_method: change.payment_method ?? row.payment_method,
      ...correctedColumns(row, change.corrected),
    };
    const toTransfer = fields.payment_method !== row.payment_method;
    const same = isDeepStrictEqual({ ...row, ...fields }, row);
    const differs = !same || money.differs;
    if (!differs && !change.matters) return { sequence: row.sequence, status };

    let { sequence } = row;
    if (differs) {
      ({ last_sequence: sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 1 }));
      await writePayments(transaction, id, payments, money.known);
      await writeRefunds(transaction, id, refunds, money.knownRefunds);
      await transaction
        .updateTable("orders")
        .set({
          ...fields,
          ...(change.closed && (await closeLines(transaction, row, change.closed.lines))),
          ...(change.corrected && asPlacedColumns({ ...row, ...fields }, await findLines(transaction, [id]))),
          closed_total: formatMoney(closedTotal, 4),
          held_by_partner: row.status === status ? row.held_by_partner : Number(change.heldByPartner ?? false),
          sequence,
          ...(isLedgered(row) && { ledgered: sequence }),
          searched: sequence,
          version: row.version + 1,
          payment_status: settled.payment_status,
          updated_at: at,
          ...(row.paid_at === null && settled.paidInFull ? { paid_at: change.paid_at ?? at } : {}),
          ...(toTransfer ? { transfer_since: at } : {}),
          ...(row.cancelled_at === null && status === "cancelled" ? { cancelled_at: at } : {}),
          payments: writeJson(payments),
          refunds: writeJson(shownRefunds),
          refunded: formatMoney(settled.refunded, money.digits),
          due: formatMoney(settled.due, money.digits),
        })
        .where("id", "=", id)
        .execute();
    }
    const closed = change.closed ? await readPieces(transaction, id, change.closed.lines) : [];
    const short =
      differs && isLedgered(row) ? await followLedger(transaction, { order: row, sequence, is: fields, closed }) : [];
    const state = (status: OrderState["status"], total: bigint, of: typeof settled): OrderState => {
      const { payment_status, paidInFull, received, refunded } = of;
      return { status, payment_status, paidInFull, received, refunded, total };
    };
    const [was, is] = [state(row.status, wasTotal, before), state(status, total, settled)];
    const changed = payments.filter((payment) => !money.known.includes(payment));
    const isSent = change.fulfillments !== undefined;
    const hadInvoices = row.invoices ? readJson(row.invoices).length : 0;
    const invoices = (change.invoices ?? []).slice(hadInvoices).map(({ id }) => id);
    const payment = changed.flatMap(({ id, status }) => (status === "paid" ? id : [])).join();
    const about = { currency: row.currency, payment, isSent, waitsForRest: waits };
    const matters = [
      ...(change.matters ?? mattersOfChange(was, is, about)),
      ...(short.length > 0 ? [{ reason: "too_few_left" } as const] : []),
    ];
    const by = change.who ?? "automatic";
    const needsPerson = await recordMatters(transaction, {
      ...{ orderId: id, currency: row.currency, was, is, matters, by },
      ...{ returned: money.returned, settles: change.settles },
    });
    await indexOrders(transaction, [id]);
    await followUp?.(transaction, {
      ...{ orderId: id, was, is, isNewVersion: differs },
      ...{ isSent, toTransfer, invoices, isClosed: change.closed !== undefined },
      hasBuyer: row.buyer !== null && readJson(row.buyer).email !== "", // empty once the person was erased
      paysByCard: fields.payment_method === "card",
      hasFailedPayment: changed.some(({ status }) => status === "failed"),
      needsPerson,
    });
    return { sequence, status };
  });
}

/** The columns of who ordered and where it goes; those that aren't corrected stay. */
function correctedColumns(row: OrderRow, corrected: OrderChange["corrected"] = {}) {
  const { buyer, billing_address, shipping_address } = corrected;
  return {
    buyer: buyer ? writeJson(buyer) : row.buyer,
    billing_address: billing_address ? writeJson(billing_address) : row.billing_address,
    shipping_address: shipping_address ? writeJson(shipping_address) : row.shipping_address,
    email_key: buyer ? orderEmailKey(buyer.email) : row.email_key,
  };
}

/** Notes what won't be sent at its lines, and returns the columns that hold them too. */
async function closeLines(transaction: Db, row: OrderRow, closed: readonly LinePieces[]) {
  for (const { line_id, quantity } of closed)
    await transaction
      .updateTable("order_lines")
      .set(({ eb }) => ({ closed_quantity: eb("closed_quantity", "+", quantity) }))
      .where("id", "=", line_id)
      .execute();
  return asPlacedColumns(row, await findLines(transaction, [row.id]));
}

async function readPieces(transaction: Db, orderId: number, closed: readonly LinePieces[]): Promise<Pieces[]> {
  const lines = await findLines(transaction, [orderId]);
  const skus = new Map(lines.map(({ id, sku }) => [id, sku]));
  return sumPieces(closed.map(({ line_id, quantity }) => ({ sku: skus.get(line_id) ?? null, quantity })));
}

/**
 * An order's payments and refunds with those of a change. The rows are read only if they may change: the projection has
 * the same.
 */
async function mergeMoney(transaction: Db, row: OrderRow, change: OrderChange) {
  const digits = currencyDigits(row.currency);
  const known = change.payments
    ? await readPayments(transaction, row.id, digits)
    : readJson(row.payments).map(toPayment);
  const payments = mergePayments(known, change.payments ?? [], digits);
  const { refunds: given = [], corrected_refunds: corrections = [] } = change;
  const refundsMayDiffer = given.length > 0 || corrections.length > 0;
  const knownRefunds = refundsMayDiffer ? await readRefunds(transaction, row.id, digits) : [];
  const refunds = correctRefunds(mergeRefunds(knownRefunds, given, digits), corrections, digits);
  const before = new Map(knownRefunds.map(({ id, amount }) => [id, parseMoney(amount)]));
  const grown = refunds.map(({ id, amount }) => parseMoney(amount) - (before.get(id) ?? 0n));
  return {
    ...{ digits, known, payments, knownRefunds, refunds },
    /** What went back with this change, without what turned out not to. */
    returned: sum(grown.filter((amount) => amount > 0n)),
    shownRefunds: refundsMayDiffer ? refunds.map(({ reference, ...refund }) => refund) : readJson(row.refunds),
    differs:
      payments.some((payment) => !known.includes(payment)) || refunds.some((refund) => !knownRefunds.includes(refund)),
  };
}
