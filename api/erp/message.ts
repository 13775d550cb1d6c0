import { createHash } from "node:crypto";
import fastJsonStringify from "fast-json-stringify";
import type { Db } from "../database/pool.ts";
import { findOrder } from "../orders/queries.ts";
import { Order } from "../orders/schema.ts";
import { CONTENT_TYPE } from "../webhook/sender.ts";
import { Message } from "./schema.ts";

const stringify = fastJsonStringify(
  // By a copy: the caller's schema is not to be touched, and its typebox types are not what this package expects.
  structuredClone({ ...Message }),
  { schema: { Order: structuredClone({ ...Order }) } },
);

/**
 * The bytes that deliver a version of an order, the only place where they are made: the order as GET /api/orders/{id}
 * gives it, by the same serialiser and schema, so that the order of its fields is the schema's, whatever the database
 * made of its JSON columns.
 */
export function serializeMessage(order: Order): { body: Buffer; sha256: string } {
  const body = Buffer.from(stringify(describeMessage(order)));
  return { body, sha256: createHash("sha256").update(body).digest("hex") };
}

export const describeMessage = (order: Order) => ({
  type: "order.pushed" as const,
  timestamp: order.updated_at,
  data: order,
});

/** Constant over the attempts of a delivery; `resend` counts from 1. */
export const webhookId = (orderId: number, version: number, resend: number) =>
  `msg_order_${orderId}_${version}${resend > 1 ? `_${resend}` : ""}`;

/**
 * What a push of the order as it stands now would send; undefined when there is no such order. Reads only. Where this
 * version was pushed before, the id is that of its newest delivery, which a push without force goes on with.
 */
export async function previewOrder(db: Db, orderId: number, targetConfigured: boolean) {
  const order = await findOrder(db, orderId);
  if (!order) return undefined;
  const newest = await db
    .selectFrom("deliveries")
    .select("webhook_id")
    .where("order_id", "=", orderId)
    .where("order_version", "=", order.version)
    .orderBy("resend", "desc")
    .limit(1)
    .executeTakeFirst();
  return {
    target_configured: targetConfigured,
    headers: {
      "content-type": CONTENT_TYPE,
      "webhook-id": newest?.webhook_id ?? webhookId(orderId, order.version, 1),
    },
    body: describeMessage(order),
    body_sha256: serializeMessage(order).sha256,
  };
}
