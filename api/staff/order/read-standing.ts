import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { findVariants, type StoredVariant } from "../../selling/catalogue/variants.ts";
import { listOrderMails, listResendable, type OrderMail } from "../../selling/mail/send-again.ts";
import { findMatters } from "../../selling/orders/attention.ts";
import { listOrderNotes, type OrderNote } from "../../selling/orders/order-notes.ts";
import { findShopOrder } from "../../selling/orders/queries.ts";
import type { Order } from "../../selling/orders/schema.ts";
import type { ShopOrder } from "../../selling/orders/to-order.ts";
import { type CardRefund, findUnderWay, listCardRefunds, listRefundable } from "../../selling/payments/card-refunds.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import type { Standing } from "./act-forms.ts";
import type { Push, Pushes } from "./pushes.ts";

/** What the shop takes, and sends on. */
export interface StaffOrderOptions {
  db: Db;
  /** Undefined without a webhook. */
  pushes: Pushes | undefined;
  isPushedWhenTaken: boolean;
  /** Whether cards are charged, so that money can go back to them. */
  takesCards: boolean;
}

/** What somebody did with an order. */
export interface HistoryRow {
  id: number;
  act: string;
  done_by: string;
  done_at: string;
  was: Order["status"];
  became: Order["status"];
  amount: string | null;
  units: number | null;
}

export type OrderStanding = Standing & { order: ShopOrder; queued: readonly OrderMail[] };

/** An order with what its forms depend on; undefined for an unknown number. */
export async function readStanding(
  { db, pushes, isPushedWhenTaken, takesCards }: StaffOrderOptions,
  number: string,
): Promise<OrderStanding | undefined> {
  const row = await db.selectFrom("orders").select("id").where("number", "=", number).executeTakeFirst();
  const order = row && (await findShopOrder(db, row.id));
  if (!order) return undefined;
  const [shop, matters, queued, refundable, goingBack] = await Promise.all([
    readShopFacts(db),
    findMatters(db, order.id),
    listOrderMails(db, order.id),
    takesCards ? listRefundable(db, order) : [],
    findUnderWay(db, order),
  ]);
  const mails = listResendable(order, queued);
  return { order, shop, matters, queued, mails, refundable, goingBack, pushes, isPushedWhenTaken };
}

/** What the order's page shows besides. */
export interface OrderFacts {
  notes: readonly OrderNote[];
  cardRefunds: readonly CardRefund[];
  pushes: readonly Push[];
  history: readonly HistoryRow[];
  /** The versions of its lines that are in the catalogue, by SKU, and how many pieces of each are free. */
  versions: ReadonlyMap<string, StoredVariant>;
  available: ReadonlyMap<string, number>;
  since: ReadonlyMap<number, string>;
  /** The bank's reference of each refund, by the refund's id in the order. */
  refundReferences: ReadonlyMap<number, string>;
}

export async function readOrderFacts(db: Db, order: Order, pushes: Pushes | undefined): Promise<OrderFacts> {
  const skus = [...new Set(order.lines.flatMap(({ sku }) => sku ?? []))];
  const [notes, cardRefunds, pushed, history, versions, available, since, refundReferences] = await Promise.all([
    listOrderNotes(db, order.id),
    listCardRefunds(db, order),
    pushes?.list(order.id) ?? [],
    readHistory(db, order.id),
    findVariants(db, skus),
    readAvailable(db, skus),
    readSince(db, order.id),
    readRefundReferences(db, order.id),
  ]);
  return { notes, cardRefunds, pushes: pushed, history, versions, available, since, refundReferences };
}

/** What people and partners did with an order, the oldest first; also only what came after a row. */
export async function readHistory(db: Db, orderId: number, after = 0): Promise<HistoryRow[]> {
  const rows = await db
    .selectFrom("order_history")
    .select(["id", "act", "done_by", "done_at", "was", "became", "amount", "units"])
    .where("order_id", "=", orderId)
    .where("id", ">", after)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, done_at: toRfc3339(row.done_at) }));
}

async function readAvailable(db: Db, skus: readonly string[]): Promise<Map<string, number>> {
  if (skus.length === 0) return new Map();
  const rows = await db.selectFrom("stock").select(["sku", "count", "held"]).where("sku", "in", skus).execute();
  return new Map(rows.flatMap(({ sku, count, held }) => (count === null ? [] : [[sku, count - held]])));
}

/** Since when a person must look at open matters, by their ids. */
async function readSince(db: Db, orderId: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("attention")
    .select(["id", "since"])
    .where("order_id", "=", orderId)
    .where("done_at", "is", null)
    .execute();
  return new Map(rows.map(({ id, since }) => [id, toRfc3339(since)]));
}

async function readRefundReferences(db: Db, orderId: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("order_refunds")
    .select(["position", "reference"])
    .where("order_id", "=", orderId)
    .execute();
  return new Map(rows.flatMap(({ position, reference }) => (reference === null ? [] : [[position, reference]])));
}

/** Who carried the last parcel that was recorded, which is mostly who carries the next; "" where nobody is known. */
export async function readLastCarrier(db: Db): Promise<string> {
  const row = await db
    .selectFrom("order_history")
    .innerJoin("orders", "orders.id", "order_history.order_id")
    .select("fulfillments")
    .where("act", "=", "sent")
    .orderBy("order_history.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return (row?.fulfillments && readJson(row.fulfillments).at(-1)?.carrier) || "";
}
