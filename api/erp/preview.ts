import type { Db } from "../database/database.ts";
import { findOrder } from "../orders/queries.ts";
import { CONTENT_TYPE } from "../webhook/sender.ts";
import { describeMessage, webhookId, writeMessage } from "./message.ts";

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
    body_sha256: writeMessage(order).sha256,
  };
}
