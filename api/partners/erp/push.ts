import { sql } from "kysely";
import { now } from "../../platform/database/columns.ts";
import { describeOutage } from "../../platform/database/outage.ts";
import type { Db } from "../../platform/database/pool.ts";
import { hasUnknownOutcome, inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { type AttemptLog, makeAttempt, type Outbox } from "../../platform/outbox/attempt.ts";
import { type Claim, claimForPush, leased, releaseClaim } from "../../platform/outbox/delivery-lease.ts";
import { ActRefused } from "../../selling/orders/act-refused.ts";
import { findOrder } from "../../selling/orders/queries.ts";
import type { Order } from "../../selling/orders/schema.ts";
import { readDelivery } from "./deliveries.ts";
import { serializeMessage, webhookId } from "./message.ts";
import type { Delivery, MessageType } from "./schema.ts";

/**
 * Pushes the current version of an order: one attempt at once, unless that version is already delivered and `force` isn't
 * set. No attempt begins once `signal` aborts. Throws 404 for an unknown order, 409 while another attempt is running, and
 * 503 when the database fails; its text says what is known of the push.
 */
export async function pushOrder(
  outbox: Outbox,
  log: AttemptLog,
  orderId: number,
  force: boolean,
  signal: AbortSignal,
): Promise<Delivery> {
  const { db } = outbox;
  const prepared = inTransaction(db, (transaction) => prepare(transaction, orderId, force), {
    ...READ_COMMITTED,
    signal,
  });
  const { id, claim } = await prepared.catch((error) => explainUnsent(error, signal));
  if (claim && signal.aborted) await postpone(db, claim);
  if (claim) await makeAttempt(outbox, log, claim).catch(explainUnrecorded);
  return readDelivery(db, id);
}

function explainUnsent(cause: unknown, signal: AbortSignal): never {
  if (describeOutage(cause) === undefined && cause !== signal.reason) throw cause;
  const detail = hasUnknownOutcome(cause)
    ? "The database didn't confirm whether it stored the push. The order was not sent yet; if the push was stored, it will be sent within a minute. Check the order's deliveries, or push it again: the webhook-id stays the same."
    : "The database can't answer right now. The order was not sent, and nothing was stored. Push it again.";
  throw new ApiError("unavailable", detail, { headers: { "Retry-After": "5" }, cause });
}

/** After a slow COMMIT an attempt might not end before the request times out. If releasing fails, the lease expires. */
async function postpone(db: Db, claim: Claim): Promise<never> {
  await releaseClaim(db, claim).catch(() => {});
  const detail =
    "The database was slow, so the order was not sent yet. The push is stored, and the order will be sent within a minute; you don't need to push it again.";
  throw new ApiError("unavailable", detail, { headers: { "Retry-After": "30" } });
}

function explainUnrecorded(cause: unknown): never {
  const detail =
    "The order was sent, but the result could not be stored. It will be sent again under the same webhook-id.";
  throw new ApiError("unavailable", detail, { headers: { "Retry-After": "30" }, cause });
}

/**
 * Everything before the attempt, with the order's row locked, so that pushes and changes of one order wait for each
 * other.
 */
async function prepare(transaction: Db, orderId: number, force: boolean): Promise<{ id: number; claim?: Claim }> {
  const held = await transaction.selectFrom("orders").select("id").where("id", "=", orderId).forUpdate().execute();
  const order = held.length > 0 ? await findOrder(transaction, orderId) : undefined;
  if (!order) throw new ApiError("not-found", "No order has this id.");
  const { id, isRunning, isDelivered } = await findOrMakeDelivery(transaction, order, force);
  if (isRunning) throw new ApiError("conflict", RUNNING);
  return isDelivered ? { id } : { id, claim: await claimForPush(transaction, id) };
}

const RUNNING = "An attempt to deliver this order is still running. Try again in a few seconds.";

/**
 * The delivery of a locked order's current version that is to be sent: the last one that wasn't delivered, or a new one.
 * Unless `force` is set, one that was delivered is returned as such; one whose attempt is running always.
 */
async function findOrMakeDelivery(transaction: Db, order: Order, force: boolean) {
  const latest = await transaction
    .selectFrom("deliveries")
    .select(["id", "resend", "state", "body_kept", leased])
    .where("order_id", "=", order.id)
    .where("order_version", "=", order.version)
    .orderBy("resend", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const found = { isRunning: latest?.leased === 1, isDelivered: latest?.state === "delivered" && !force };
  if (latest && (found.isRunning || found.isDelivered)) return { id: latest.id, ...found };
  await supersedeOlder(transaction, order.id, order.version);
  if (latest && latest.state !== "delivered") {
    if (latest.body_kept === 0) await restoreBody(transaction, latest.id, order);
    return { id: latest.id, ...found };
  }
  return { id: await insertDelivery(transaction, order, "order.pushed", (latest?.resend ?? 0) + 1), ...found };
}

/**
 * Queues another delivery of a locked order's current version, whether or not it was delivered, for the worker to send.
 * Throws ActRefused while an attempt is running.
 */
export async function queueAgain(transaction: Db, order: Order): Promise<void> {
  const { id, isRunning } = await findOrMakeDelivery(transaction, order, true);
  if (isRunning) throw new ActRefused("state", RUNNING, "push_running");
  await transaction
    .updateTable("deliveries")
    .set({ state: "pending", tries: 0, next_attempt_at: now() })
    .where("id", "=", id)
    .execute();
}

/**
 * Queues a delivery of an order's current version, once in the order's life, for the worker to send. The caller's
 * transaction has placed or changed the order, so that its version was never pushed. `placed` is an order that it has
 * placed, which needn't be read again. Returns whether it was the first time.
 */
export async function queuePush(transaction: Db, orderId: number, placed?: Order): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("orders")
    .set({ erp_pushed_at: now() })
    .where("id", "=", orderId)
    .where("erp_pushed_at", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const order = placed ?? (await findOrder(transaction, orderId));
  if (!order) throw new Error("The order doesn't exist.");
  if (order.version > 1) await supersedeOlder(transaction, orderId, order.version);
  await insertDelivery(transaction, order, "order.pushed", 1);
  return true;
}

/**
 * Queues the new version of an order that was pushed before, by whomever, instead of what is still to be sent of it. As
 * long as the webhook hasn't taken the order, it remains an order that is pushed. One attempt may be running: if that
 * succeeds after all, the webhook learns of the order twice, which it must expect anyway. The caller's transaction has
 * changed the order.
 */
export async function queueUpdate(transaction: Db, orderId: number): Promise<void> {
  const { taken } = await transaction
    .selectFrom("deliveries")
    .select(sql<number | null>`max(state = 'delivered')`.as("taken"))
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow();
  if (taken === null) return;
  const order = await findOrder(transaction, orderId);
  if (!order) throw new Error("The order doesn't exist.");
  await supersedeOlder(transaction, orderId, order.version);
  await insertDelivery(transaction, order, Number(taken) === 1 ? "order.updated" : "order.pushed", 1);
}

/** Returns the id of the new delivery, which is due at once. */
async function insertDelivery(transaction: Db, order: Order, type: MessageType, resend: number): Promise<number> {
  const inserted = await transaction
    .insertInto("deliveries")
    .values({
      order_id: order.id,
      order_version: order.version,
      resend,
      webhook_id: webhookId(order.id, order.version, resend),
      body: serializeMessage(order, type).body,
      state: "pending",
      next_attempt_at: now(),
      created_at: now(),
    })
    .executeTakeFirstOrThrow();
  return Number(inserted.insertId);
}

/** Retention deletes the body of a delivery that failed long ago. */
async function restoreBody(transaction: Db, id: number, order: Order): Promise<void> {
  const restored = { body: serializeMessage(order, "order.pushed").body, body_kept: 1 };
  await transaction.updateTable("deliveries").set(restored).where("id", "=", id).execute();
}

/**
 * Supersedes pending and failed deliveries of older versions, since the ERP needs the newest one. An attempt that is
 * running may still deliver.
 */
async function supersedeOlder(transaction: Db, orderId: number, version: number): Promise<void> {
  await transaction
    .updateTable("deliveries")
    .set({ superseded: 1, state: "failed", next_attempt_at: null })
    .where("order_id", "=", orderId)
    .where("order_version", "<", version)
    .where("state", "in", ["pending", "failed"])
    .execute();
}
