import type { Db } from "../database.ts";
import { findOrder } from "../orders/store.ts";
import { ApiError } from "../problem.ts";
import { type AttemptLog, type Courier, makeAttempt } from "./attempt.ts";
import { later, leased } from "./database-clock.ts";
import type { Delivery } from "./delivery-schema.ts";
import { readDelivery } from "./delivery-store.ts";
import { webhookId, writeMessage } from "./message.ts";
import { type Claim, claimForPush } from "./outbox.ts";
import { inShortTransaction } from "./short-transaction.ts";

/**
 * Pushes the order as it stands now: one attempt at once, unless this version is delivered already and not forced
 * (design §6, Push). Throws 404 for an unknown order, 409 while an attempt is in flight, 503 when the attempt was made
 * but could not be written down.
 */
export async function pushOrder(courier: Courier, log: AttemptLog, orderId: number, force: boolean): Promise<Delivery> {
  const { db } = courier;
  const { id, claim } = await inShortTransaction(db, (transaction) => prepare(transaction, orderId, force));
  if (claim) await makeAttempt(courier, log, claim).catch(sayUnwritten);
  return readDelivery(db, id);
}

function sayUnwritten(): never {
  const detail =
    "The order was sent, but the result could not be stored. It will be sent again under the same webhook-id.";
  throw new ApiError("unavailable", detail, { headers: { "Retry-After": "30" } });
}

/** Everything before the attempt, while the order's row is held: pushes and changes of one order wait for each other. */
async function prepare(transaction: Db, orderId: number, force: boolean): Promise<{ id: number; claim?: Claim }> {
  const held = await transaction.selectFrom("orders").select("id").where("id", "=", orderId).forUpdate().execute();
  const order = held.length > 0 ? await findOrder(transaction, orderId) : undefined;
  if (!order) throw new ApiError("not-found", "There is no order with this id.");
  const latest = await transaction
    .selectFrom("deliveries")
    .select(["id", "resend", "state", leased])
    .where("order_id", "=", orderId)
    .where("order_version", "=", order.version)
    .orderBy("resend", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (latest?.leased === 1) throw new ApiError("conflict", "An attempt to deliver this order is under way.");
  if (latest?.state === "delivered" && !force) return { id: latest.id };
  await supersedeOlder(transaction, orderId, order.version);
  if (latest && latest.state !== "delivered") return claimed(transaction, latest.id);
  const resend = (latest?.resend ?? 0) + 1;
  const inserted = await transaction
    .insertInto("deliveries")
    .values({
      order_id: orderId,
      order_version: order.version,
      resend,
      webhook_id: webhookId(orderId, order.version, resend),
      body: writeMessage(order).body,
      state: "pending",
      created_at: later(),
    })
    .executeTakeFirstOrThrow();
  return claimed(transaction, Number(inserted.insertId));
}

const claimed = async (transaction: Db, id: number) => ({ id, claim: await claimForPush(transaction, id) });

/**
 * Gives up what is pending of older versions, and what failed of them no longer counts as failed: it is the newest
 * version that the ERP needs. An attempt of theirs in flight may still end as delivered.
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
