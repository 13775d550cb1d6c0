import { createHash } from "node:crypto";
import fastJsonStringify from "fast-json-stringify";
import type { Db } from "../../platform/database/pool.ts";
import { CONTENT_TYPE } from "../../platform/webhook/sender.ts";
import { findOrder } from "../../selling/orders/queries.ts";
import { Order } from "../../selling/orders/schema.ts";
import { Message, type MessageType } from "./schema.ts";

const stringify = fastJsonStringify(
  // A copy, since fast-json-stringify may alter the schema, and its types differ from TypeBox's.
  structuredClone({ ...Message }),
  { schema: { Order: structuredClone({ ...Order }) } },
);

/**
 * The exact bytes sent for an order: it is serialised with the schema of GET /api/orders/{id}, so the order of fields
 * doesn't depend on the database's JSON columns.
 */
export function serializeMessage(order: Order, type: MessageType): { body: Buffer; sha256: string } {
  const body = Buffer.from(stringify(describeMessage(order, type)));
  return { body, sha256: createHash("sha256").update(body).digest("hex") };
}

const describeMessage = (order: Order, type: MessageType) => ({
  type,
  timestamp: order.updated_at,
  data: order,
});

/** The same for all attempts of a delivery; `resend` counts from 1. */
export const webhookId = (orderId: number, version: number, resend: number) =>
  `msg_order_${orderId}_${version}${resend > 1 ? `_${resend}` : ""}`;

/**
 * What a push of the order would send now; undefined for an unknown order. Read-only. If this version was pushed
 * before, the id is that of its newest delivery, which a push without force continues, as the event that it is.
 */
export async function previewOrder(db: Db, orderId: number, targetConfigured: boolean) {
  const order = await findOrder(db, orderId);
  if (!order) return undefined;
  const newest = await db
    .selectFrom("deliveries")
    .select(["webhook_id", "state", "body"])
    .where("order_id", "=", orderId)
    .where("order_version", "=", order.version)
    .orderBy("resend", "desc")
    .limit(1)
    .executeTakeFirst();
  const type = newest && newest.state !== "delivered" ? typeOf(newest.body) : "order.pushed";
  return {
    target_configured: targetConfigured,
    headers: {
      "content-type": CONTENT_TYPE,
      "webhook-id": newest?.webhook_id ?? webhookId(orderId, order.version, 1),
    },
    body: describeMessage(order, type),
    body_sha256: serializeMessage(order, type).sha256,
  };
}

/** The event of a stored message; of one whose body is deleted, what a push writes anew. */
const typeOf = (body: Buffer): MessageType =>
  body.subarray(0, UPDATED.length).equals(UPDATED) ? "order.updated" : "order.pushed";
const UPDATED = Buffer.from('{"type":"order.updated"');
