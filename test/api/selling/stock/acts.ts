import type { Random } from "../../../../api/operation/demo/random.ts";
import { writeJson } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { inTransaction } from "../../../../api/platform/database/transaction.ts";
import { ActRefused } from "../../../../api/selling/orders/act-refused.ts";
import { type Act, actOnOrder, partnerOf } from "../../../../api/selling/orders/acts.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { readRefunds } from "../../../../api/selling/orders/payments.ts";
import { type NewOrder, placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordFulfillment } from "../../../../api/selling/orders/record-fulfillment.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { refuseTransition } from "../../../../api/selling/orders/status-transitions.ts";
import { newLine, newOrder } from "../orders/new-order.ts";
import { SKUS } from "./model.ts";

const buyer = { email: "ada@example.com", first_name: null, last_name: null, company: null, phone: null, vat_id: null };
const noFollowUp = async () => {};
const partner = partnerOf("a-hash");

const STATUSES = ["processing", "on_hold", "cancelled", "refunded", "failed", "pending", "completed"] as const;

/** An order of one to three pieces of some of the SKUs. */
export function randomOrder(random: Random): NewOrder {
  const skus = SKUS.filter(() => random.chance(0.5));
  const lines = (skus.length > 0 ? skus : [SKUS[0]]).map((sku) =>
    newLine({ sku, quantity: random.between(1, 3), unit_price: "10" }),
  );
  return newOrder({ buyer, lines });
}

/** One of the steps that a person, a provider or the ERP takes with an order; what isn't possible changes nothing. */
export async function step(db: Db, random: Random, order: Order): Promise<void> {
  const by = random.pick(["person", "settling"] as const);
  const send = async () => {
    const [line] = order.lines;
    const lines = line && random.chance(0.5) ? [{ line_id: line.id, quantity: 1 }] : undefined;
    const labels = { carrier: null, tracking_number: null, tracking_url: null };
    const report = { reference: `P-${order.id}-${order.version}`, ...labels, lines };
    await recordFulfillment(db, order.id, report, noFollowUp);
  };
  const pay = async () => {
    const payment = {
      method: "bank_transfer",
      reference: `B-${order.id}-${order.version}`,
      amount: order.totals.total,
    };
    await recordPayment(db, order.id, payment, noFollowUp);
  };
  const become = async (status: Order["status"]) => {
    await changeOrder(db, order.id, { status, by });
  };
  const refund = async () => {
    const amount = order.totals.total;
    const refunds = [{ reference: `R-${order.id}-${order.version}`, reason: null, created_at: new Date(), amount }];
    await changeOrder(db, order.id, { refunds, status: "refunded" });
  };
  /** As settling does it when the provider says that the money came back. */
  const failRefund = async () => {
    const known = await readRefunds(db, order.id, 2);
    const corrected_refunds = known.flatMap(({ reference }) => (reference ? { reference, amount: "0" } : []));
    await changeOrder(db, order.id, { corrected_refunds, status: "on_hold", by: "settling" });
  };
  const act = (act: Act) => actOnOrder(db, { id: order.id }, act, { by: partner, followUp: noFollowUp });
  const close = () => act({ name: "close", reason: null });
  const returnPiece = async () => {
    const [line] = order.fulfillments.flatMap(({ lines }) => lines);
    const lines = line && [{ line_id: line.line_id, quantity: 1 }];
    await act({ name: "returned", reference: `B-${order.id}-${order.version}`, lines });
  };
  const ofPartner = [returnPiece, () => act({ name: "cancel", reason: null })];
  const acts = [pay, refund, send, send, ...ofPartner, ...STATUSES.map((status) => () => become(status))] as const;
  try {
    if (order.status === "refunded" && random.chance(0.5)) await failRefund();
    else if (order.fulfillment_status === "partial" && random.chance(0.5)) await close();
    else await random.pick(acts as unknown as [typeof send])();
  } catch (error) {
    const isRefused = [RangeError, ActRefused].some((kind) => error instanceof kind);
    if (!isRefused) throw error;
  }
}

/** Brings an order where an earlier release had it: without the ledger. */
export const actAsEarlierRelease = (db: Db, random: Random, { id }: Order): Promise<void> =>
  inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 });
    const order = await transaction
      .selectFrom("orders")
      .select(["status", "version"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const status = random.pick(STATUSES);
    try {
      refuseTransition(order.status, status, "person");
    } catch {
      return;
    }
    const { last_sequence: sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 1 });
    await transaction
      .updateTable("orders")
      .set({ status, sequence, version: order.version + 1 })
      .where("id", "=", id)
      .execute();
  });

/** Places an order as an earlier release did: nothing is taken. */
export const placeAsEarlierRelease = (db: Db, order: NewOrder): Promise<void> =>
  inTransaction(db, async (transaction) => {
    const { id } = await placeOrder(transaction, { ...order, buyer: null });
    await transaction
      .updateTable("orders")
      .set({ buyer: writeJson(buyer) })
      .where("id", "=", id)
      .execute();
  });
