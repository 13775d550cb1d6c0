import { createHash } from "node:crypto";
import fastJsonStringify from "fast-json-stringify";
import { Order } from "../orders/schema.ts";
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
export function writeMessage(order: Order): { body: Buffer; sha256: string } {
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
