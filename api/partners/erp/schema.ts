import Type, { type Static } from "typebox";
import { Problem } from "../../platform/http/problem-schema.ts";
import { nullable, oneOf, reference, text, textOrNull, time, wholeNumber } from "../../platform/http/schema-types.ts";
import { ATTEMPT_OUTCOMES } from "../../platform/webhook/sender.ts";
import { Order } from "../../selling/orders/schema.ts";

const Attempt = Type.Object({
  number: wholeNumber("1 for the first attempt of this delivery.", 1, 1),
  started_at: time("When it began.", "2026-10-18T08:13:04.812Z"),
  duration_ms: nullable(wholeNumber("Its duration in milliseconds; null while unknown.", 188)),
  outcome: oneOf([...ATTEMPT_OUTCOMES, "in_flight", "lost"], {
    description:
      "`delivered`: a 2xx. `status`: another status. `redirect`: a 3xx, which is never followed. `gone`: a 410, which ends the delivery. `timeout`: no complete answer within 15 s, or no connection within 5 s. `connection`: the host wasn't found, refused or closed the connection, or violated HTTP or TLS. `refused_address`: the host's address isn't allowed; ends the delivery. `in_flight`: still running. `lost`: our process ended during the attempt, so the result is unknown; counts as failed.",
    example: "delivered",
  }),
  http_status: nullable(Type.Integer({ description: "The answer's status; null without an answer.", example: 200 })),
  response_excerpt: textOrNull(
    "The beginning of the answer's body as text, at most 1 KiB; null without an answer.",
    "ok",
  ),
});

export const Delivery = Type.Object(
  {
    id: wholeNumber("The id of the delivery.", 417, 1),
    order_id: wholeNumber("The order.", 1001, 1),
    order_version: wholeNumber("Its version when it was pushed.", 3, 1),
    webhook_id: text(
      "The `webhook-id` header, the same in every attempt: process each id once. A forced resend ends in _2, _3 and so on.",
      "msg_order_1001_3",
    ),
    state: oneOf(["pending", "delivered", "failed"], {
      description: "`pending`: running or to be retried. `failed`: not retried any more; push again to start over.",
      example: "delivered",
    }),
    attempts: Type.Array(Attempt, { description: "The last 50 attempts, oldest first." }),
    next_attempt_at: nullable(
      time(
        "When the next attempt is due; during an attempt, when it would be if that one were lost.",
        "2026-10-18T08:13:10.000Z",
      ),
    ),
    delivered_at: nullable(time("When the webhook accepted it.", "2026-10-18T08:13:05.000Z")),
    superseded: Type.Boolean({
      description: "A newer version of the order was pushed instead, so this one no longer counts as failed.",
      example: false,
    }),
    created_at: time("When it was first pushed.", "2026-10-18T08:13:04.800Z"),
  },
  { $id: "Delivery", description: "A message to the webhook and its result." },
);
export type Delivery = Static<typeof Delivery>;

/** 502 of a push: a problem with the delivery that failed. */
export const FailedPush = Type.Object(
  { ...Problem.properties, delivery: reference("Delivery", Delivery) },
  { $id: "FailedPush", description: "An error (RFC 9457) with the failed delivery." },
);

/** The message to the webhook. The bytes keep this order of fields. */
export const Message = Type.Object(
  {
    type: oneOf(["order.pushed", "order.updated"], {
      description:
        "What happened. `order.pushed`: somebody pushed the order, or it was pushed automatically. `order.updated`: an order that you have taken has changed; sent only where the shop has agreed that with you.",
      example: "order.pushed",
    }),
    timestamp: time("The order's updated_at.", "2026-10-18T08:13:02.004Z"),
    data: reference("Order", Order),
  },
  { $id: "Message", description: "The body sent to the webhook." },
);

export type MessageType = Static<typeof Message>["type"];

export const Preview = Type.Object(
  {
    target_configured: Type.Boolean({ description: "Whether a webhook is configured.", example: true }),
    headers: Type.Object(
      {
        "content-type": text("The type of the body.", "application/json"),
        "webhook-id": text("The id of the message.", "msg_order_1001_3"),
      },
      { description: "Headers that don't depend on the attempt; timestamp and signature are made when it is sent." },
    ),
    body: reference("Message", Message),
    body_sha256: text(
      "SHA-256, in hexadecimal digits, of the bytes that push sends.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
  },
  { $id: "Preview", description: "What a push of this order would send." },
);
