import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Expression, type SqlBool, sql, type Updateable } from "kysely";
import { ago, now, readJson, toRfc3339, writeJson } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { takeNumbers } from "../database/sequence.ts";
import type { Tables } from "../database/tables.ts";
import { inTransaction } from "../database/transaction.ts";
import type { OrderRow } from "../orders/to-order.ts";

const DAY_MS = 24 * 3_600_000;

/** What became of an order: erased, or left as it is because it isn't finished yet, or is on its way to the ERP. */
export interface ErasedOrder {
  number: string;
  outcome: "erased" | "open" | "delivering";
  /** Until when its billing facts stay. */
  keptUntil: Date;
  /** The provider's ids of its card payments, which the provider has facts of its own about. */
  cardPayments: string[];
}

export interface Erasure {
  orders: ErasedOrder[];
  /** Details that were entered without ordering. */
  checkouts: number;
  mailFiles: number;
}

interface ErasureOptions {
  /** Days that billing facts are kept for, from the day of the order. */
  invoicesKeptDays: number;
  /** The folder of `.eml` files, where mails are written instead of sent. */
  mailFolder: string | undefined;
}

/**
 * Erases a person by e-mail address from orders, checkouts, mails and what was sent to partners. The billing name and
 * address, the VAT number and the amounts of an order stay as long as tax law asks for them. An erased order gets a new
 * version, so that partners who follow `changed_after` erase it too. It can be run again, and finishes what a run that
 * was interrupted left.
 */
export async function erasePerson(
  db: Db,
  email: string,
  { invoicesKeptDays, mailFolder }: ErasureOptions,
): Promise<Erasure> {
  const { numDeletedRows } = await db
    .deleteFrom("checkouts")
    .where(hasEmail(sql.ref("details"), email))
    .executeTakeFirstOrThrow();
  const orders: ErasedOrder[] = [];
  let mailFiles = 0;
  for (const order of await findOrders(db, email)) {
    // First, since a run that is interrupted after the order was erased wouldn't find it again.
    if (FINISHED.has(order.status) && mailFolder !== undefined) mailFiles += await deleteMails(mailFolder, order.id);
    const placedAt = Date.parse(toRfc3339(order.placed_at ?? order.created_at));
    const keptUntil = new Date(placedAt + invoicesKeptDays * DAY_MS);
    orders.push(await inTransaction(db, (transaction) => eraseOrder(transaction, order.id, keptUntil)));
  }
  return { orders, checkouts: Number(numDeletedRows), mailFiles };
}

/** Deletes the `.eml` files about an order, those to the shop included. Returns their number. */
async function deleteMails(folder: string, orderId: number): Promise<number> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const about = files.filter((file) => file.startsWith(`order-${orderId}-`));
  for (const file of about) await rm(join(folder, file), { force: true });
  return about.length;
}

/** Whatever its case, as in account/queries.ts. */
const hasEmail = (column: Expression<unknown>, email: string) =>
  sql<SqlBool>`lower(json_unquote(json_extract(${column}, '$.email'))) = ${email.toLowerCase()}`;

const findOrders = (db: Db, email: string) =>
  db
    .selectFrom("orders")
    .select(["id", "status", "placed_at", "created_at"])
    .where(({ or }) => or([hasEmail(sql.ref("buyer"), email), hasEmail(sql.ref("customer"), email)]))
    .orderBy("id")
    .execute();

const FINISHED: ReadonlySet<OrderRow["status"]> = new Set(["completed", "cancelled", "refunded", "failed"] as const);

async function eraseOrder(transaction: Db, id: number, keptUntil: Date): Promise<ErasedOrder> {
  await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
  const order = await transaction
    .selectFrom("orders")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const cardPayments = readJson(order.payments).flatMap(({ method, reference }) =>
    method === "card" && reference ? [reference] : [],
  );
  const result = { number: order.number, keptUntil, cardPayments };
  if (!FINISHED.has(order.status)) return { ...result, outcome: "open" };
  if (await isUnderWay(transaction, id)) return { ...result, outcome: "delivering" };
  await updateOrder(transaction, order, withoutPerson(order, keptUntil));
  await deleteTraces(transaction, id, personOf(order));
  return { ...result, outcome: "erased" };
}

/** Whether a delivery to the ERP waits or is being sent, or a mail is being sent. */
async function isUnderWay(transaction: Db, orderId: number): Promise<boolean> {
  const delivery = await transaction
    .selectFrom("deliveries")
    .select("id")
    .where("order_id", "=", orderId)
    .where("state", "=", "pending")
    .executeTakeFirst();
  const mail = await transaction
    .selectFrom("mails")
    .select("id")
    .where("order_id", "=", orderId)
    .where("state", "=", "pending")
    .where("lease_token", "is not", null)
    .executeTakeFirst();
  return delivery !== undefined || mail !== undefined;
}

/** What stays of an order: the facts of its invoice. */
function withoutPerson(order: OrderRow, keptUntil: Date) {
  const names = personOf(order);
  const scrub = (text: string | null) => (text !== null && mentions(text, names) ? null : text);
  const [buyer, customer, billing] = [
    order.buyer && readJson(order.buyer),
    order.customer && readJson(order.customer),
    order.billing_address && readJson(order.billing_address),
  ];
  const nobody = { email: "", first_name: null, last_name: null, phone: null };
  return {
    buyer: buyer && writeJson({ ...buyer, ...nobody }),
    customer: customer && writeJson({ ...customer, ...nobody }),
    billing_address: billing && writeJson({ ...billing, phone: null }),
    shipping_address: null,
    buyer_reference: null,
    note: null,
    cancel_reason: scrub(order.cancel_reason),
    refunds: writeJson(readJson(order.refunds).map((refund) => ({ ...refund, reason: scrub(refund.reason ?? null) }))),
    billing_kept_until: keptUntil,
  };
}

interface Person {
  email?: string;
  first_name?: string | null;
  last_name?: string | null;
  phone?: string | null;
}

/** The texts by which a person can be recognised. */
function personOf(order: OrderRow): string[] {
  const parts = [
    order.buyer && readJson(order.buyer),
    order.customer && readJson(order.customer),
    order.billing_address && readJson(order.billing_address),
    order.shipping_address && readJson(order.shipping_address),
  ];
  return parts.flatMap((part) => {
    const { email, first_name, last_name, phone }: Person = { ...part };
    return [email, first_name, last_name, phone].flatMap((text) => text || []);
  });
}

const mentions = (text: string, names: readonly string[]) =>
  names.some((name) => text.toLowerCase().includes(name.toLowerCase()));

type ErasedFields = Partial<Pick<Updateable<Tables["orders"]>, keyof ReturnType<typeof withoutPerson> | "vat_check">>;

/** Writes a new version of the order, so that whoever follows changes gets it. */
async function updateOrder(transaction: Db, { id, version }: OrderRow, fields: ErasedFields): Promise<void> {
  const { last_sequence: sequence } = await takeNumbers(transaction, "orders", { ids: 0, sequences: 1 });
  await transaction
    .updateTable("orders")
    .set({ ...fields, as_placed: null, as_placed_shape: null, sequence, version: version + 1, updated_at: now() })
    .where("id", "=", id)
    .execute();
}

/** Everything else that holds the order or leads to it. */
async function deleteTraces(transaction: Db, orderId: number, names: readonly string[]): Promise<void> {
  for (const table of ["mails", "order_keys", "session_orders", "idempotency_keys"] as const)
    await transaction.deleteFrom(table).where("order_id", "=", orderId).execute();
  const deliveries = transaction.selectFrom("deliveries").select("id").where("order_id", "=", orderId);
  await transaction
    .updateTable("delivery_attempts")
    .set({ response_excerpt: null })
    .where("delivery_id", "in", deliveries)
    .execute();
  await transaction
    .updateTable("deliveries")
    .set({ body: Buffer.of(), body_kept: 0 })
    .where("order_id", "=", orderId)
    .execute();
  const refunds = await transaction
    .selectFrom("order_refunds")
    .select(["position", "reason"])
    .where("order_id", "=", orderId)
    .execute();
  for (const { position, reason } of refunds)
    if (reason !== null && mentions(reason, names))
      await transaction
        .updateTable("order_refunds")
        .set({ reason: null })
        .where("order_id", "=", orderId)
        .where("position", "=", position)
        .execute();
}

/** Orders whose billing facts are erased in one round. */
const BATCH = 50;

/**
 * Makes the job that erases the billing facts of people who were erased before, once tax law no longer asks for them.
 */
export const makeBillingErasure = (db: Db) => async (signal: AbortSignal) => {
  const orders = await db
    .selectFrom("orders")
    .selectAll()
    .where("billing_kept_until", "<", ago(0))
    .limit(BATCH)
    .execute();
  const nothing = { buyer: null, customer: null, billing_address: null, vat_check: null, billing_kept_until: null };
  for (const { id } of orders) {
    if (signal.aborted) return;
    await inTransaction(db, async (transaction) => {
      await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
      const order = await transaction
        .selectFrom("orders")
        .selectAll()
        .where("id", "=", id)
        .where("billing_kept_until", "<", ago(0))
        .forUpdate()
        .executeTakeFirst();
      if (order) await updateOrder(transaction, order, nothing);
    });
  }
};
