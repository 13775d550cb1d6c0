import { isDeepStrictEqual } from "node:util";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { readJson, writeJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { computeDue } from "./amount-due.ts";
import { closeSettled, type Matter, mattersOfChange, openMatters, waitsForRest } from "./attention.ts";
import {
  failRefunds,
  mergePayments,
  mergeRefunds,
  type NewPayment,
  type NewRefund,
  readPayments,
  readRefunds,
  sumPaid,
  writePayments,
  writeRefunds,
} from "./payments.ts";
import { type FollowUp, type OrderState, validateColumns } from "./place-order.ts";
import type { Order, OrderHead, OrderTail } from "./schema.ts";
import { type Decider, refuseTransition, statusAfterPayment } from "./status-transitions.ts";
import { toPayment } from "./to-order.ts";

/**
 * A change of an order; omitted fields stay. Payments and refunds are added to the existing ones. Fields of PlacedOrder
 * and the currency can't change: they were written when the order was placed (as-placed.ts).
 */
export interface OrderChange
  extends Partial<
    Pick<OrderHead & OrderTail, "status" | "fulfillment_status" | "cancel_reason" | "note" | "external_id">
  > {
  /** Who decided, which some transitions require: a person, or the provider that payments are settled with. */
  by?: Decider;
  /** The customer pays by transfer instead of by card, which they chose first. */
  payment_method?: "transfer";
  /** What a person must look at; left out, what follows from the change. */
  matters?: readonly Matter[];
  /** A status that is left out follows from the money: see statusAfterPayment. */
  payments?: readonly NewPayment[];
  /** When the payments came, if they pay the order in full; the time of the change when left out. */
  paid_at?: Date;
  refunds?: readonly NewRefund[];
  /** References of recorded refunds that failed afterwards: their amounts become 0. */
  failed_refunds?: readonly string[];
  /** All that was sent, what is known already included (record-fulfillment.ts). */
  fulfillments?: Order["fulfillments"];
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
    const digits = currencyDigits(row.currency);
    const total = parseMoney(row.total);
    // The rows are read only if they may change; otherwise the projection has the same without a query.
    const known = change.payments ? await readPayments(transaction, id, digits) : readJson(row.payments).map(toPayment);
    const payments = mergePayments(known, change.payments ?? [], digits);
    const paymentsDiffer = payments.some((payment) => !known.includes(payment));
    const refundsMayDiffer = change.refunds !== undefined || change.failed_refunds !== undefined;
    const knownRefunds = refundsMayDiffer ? await readRefunds(transaction, id, digits) : [];
    const refunds = failRefunds(
      mergeRefunds(knownRefunds, change.refunds ?? [], digits),
      change.failed_refunds ?? [],
      digits,
    );
    const refundsDiffer = refunds.some((refund) => !knownRefunds.includes(refund));
    const shownRefunds = refundsMayDiffer ? refunds.map(({ reference, ...refund }) => refund) : readJson(row.refunds);
    const before = computeDue({ status: row.status, total, payments: known, refunds: readJson(row.refunds) });
    const received = sumPaid(payments);
    const isPaidMore = received > before.received;
    const waits = isPaidMore && row.status === "on_hold" && (await waitsForRest(transaction, id));
    const afterPayment = isPaidMore ? statusAfterPayment(row.status, received - total, waits) : undefined;
    const wanted = change.status ?? afterPayment ?? row.status;
    refuseTransition(row.status, wanted, change.by);
    // An order isn't voided by the card that isn't to be used any more.
    const isByTransfer = row.transfer_since !== null || change.payment_method !== undefined;
    const counted = isByTransfer ? payments.filter(({ status }) => status !== "voided") : payments;
    const settled = computeDue({ status: wanted, total, payments: counted, refunds: shownRefunds });
    const fulfillment_status = change.fulfillment_status ?? row.fulfillment_status;
    const isDone = wanted === "processing" && fulfillment_status === "fulfilled" && settled.paidInFull;
    const status = isDone ? "completed" : wanted;
    const fields = {
      status,
      fulfillment_status,
      fulfillments: change.fulfillments ? writeJson(change.fulfillments) : row.fulfillments,
      cancel_reason: change.cancel_reason === undefined ? row.cancel_reason : change.cancel_reason,
      note: change.note === undefined ? row.note : change.note,
      external_id: change.external_id === undefined ? row.external_id : change.external_id,
      payment_method: change.payment_method ?? row.payment_method,
    };
    const toTransfer = fields.payment_method !== row.payment_method;
    const same = isDeepStrictEqual({ ...row, ...fields }, row);
    const differs = !same || paymentsDiffer || refundsDiffer;
    if (!differs && !change.matters) return { sequence: row.sequence, status };

    let { sequence } = row;
    if (differs) {
      ({ last_sequence: sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 1 }));
      await writePayments(transaction, id, payments, known);
      await writeRefunds(transaction, id, refunds, knownRefunds);
      await transaction
        .updateTable("orders")
        .set({
          ...fields,
          sequence,
          version: row.version + 1,
          payment_status: settled.payment_status,
          updated_at: at,
          ...(row.paid_at === null && settled.paidInFull ? { paid_at: change.paid_at ?? at } : {}),
          ...(toTransfer ? { transfer_since: at } : {}),
          ...(row.cancelled_at === null && status === "cancelled" ? { cancelled_at: at } : {}),
          payments: writeJson(payments),
          refunds: writeJson(shownRefunds),
          refunded: formatMoney(settled.refunded, digits),
          due: formatMoney(settled.due, digits),
        })
        .where("id", "=", id)
        .execute();
    }
    const state = (
      status: OrderState["status"],
      { payment_status, paidInFull, received, refunded }: typeof settled,
    ) => ({
      ...{ status, payment_status, paidInFull, received, refunded, total },
    });
    const step = { orderId: id, was: state(row.status, before), is: state(status, settled) };
    const isSent = change.fulfillments !== undefined;
    const isNew = (payment: (typeof payments)[number]) => payment.status === "paid" && !known.includes(payment);
    const about = {
      ...{ currency: row.currency, isSent, waitsForRest: waits },
      payment: payments.flatMap((each) => (isNew(each) ? each.id : [])).join(),
    };
    const matters = change.matters ?? mattersOfChange(step.was, step.is, about);
    await openMatters(transaction, id, matters);
    await closeSettled(transaction, id, step.was, step.is, change.by === "person" ? "command" : "provider");
    if (followUp) {
      const hasFailedPayment = payments.some((payment) => payment.status === "failed" && !known.includes(payment));
      const origin = { hasBuyer: row.buyer !== null, paysByCard: fields.payment_method === "card", toTransfer };
      await followUp(transaction, { ...step, ...origin, hasFailedPayment, isSent, needsPerson: matters.length > 0 });
    }
    return { sequence, status };
  });
}
