import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../../platform/database/pool.ts";
import { answerOnce, idempotencyHeaders, replayedHeader } from "../../platform/http/idempotency.ts";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import { partnerHeaders } from "../../platform/http/partner-headers.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { partnerProblems, problemResponse } from "../../platform/http/problem-schema.ts";
import { givenTime, noParameters, reference, wholeNumber } from "../../platform/http/schema-types.ts";
import type { FollowUp } from "../../selling/orders/place-order.ts";
import { findOrder } from "../../selling/orders/queries.ts";
import {
  FulfillmentRefused,
  HTTPS_URL,
  LABEL,
  MOST_URL_CHARACTERS,
  type NewFulfillment,
  recordFulfillment,
} from "../../selling/orders/record-fulfillment.ts";
import { REFERENCE } from "../../selling/orders/record-payment.ts";
import { Order } from "../../selling/orders/schema.ts";

const strict = { additionalProperties: false };

const Fulfillment = Type.Object(
  {
    reference: Type.String({
      pattern: REFERENCE,
      title: "Write 1 to 255 visible ASCII characters.",
      description: "Your reference of the parcel or shipment. It identifies the fulfilment within its order.",
      example: "PACK-88120",
    }),
    carrier: Type.Optional(
      Type.String({
        pattern: LABEL,
        title: "Write 1 to 100 visible characters.",
        description: "Who carries it, as the customer knows them.",
        example: "DHL",
      }),
    ),
    tracking_number: Type.Optional(
      Type.String({
        pattern: LABEL,
        title: "Write 1 to 100 visible characters.",
        description: "The carrier's number.",
        example: "00340434161094042557",
      }),
    ),
    tracking_url: Type.Optional(
      Type.String({
        pattern: HTTPS_URL,
        maxLength: MOST_URL_CHARACTERS,
        title: "Write an https address of at most 2,000 visible ASCII characters, without a user name or password.",
        description: "Where the customer follows it.",
        example: "https://dhl.example/track/00340434161094042557",
      }),
    ),
    shipped_at: Type.Optional(givenTime("When it was sent; now, when left out.", "2026-10-19T14:20:00Z")),
    lines: Type.Optional(
      Type.Array(
        Type.Object(
          {
            line_id: wholeNumber("The id of one of the order's lines.", 2301, 1),
            quantity: wholeNumber("Pieces of it that were sent.", 2, 1),
          },
          strict,
        ),
        { minItems: 1, maxItems: 100, description: "What was sent; all that wasn't sent yet, when left out." },
      ),
    ),
  },
  { ...strict, description: "What was sent." },
);

const schema = {
  operationId: "recordFulfillment",
  tags: ["Partner"],
  summary: "Record a fulfilment",
  description:
    "Records that goods of an order were sent, and mails the customer with the tracking link. An order that is `processing` becomes `completed` once all of it is sent and paid. The same fulfilment again changes nothing and gets the order as it is.",
  params: Type.Object({ id: wholeNumber("The order's id.", 1001) }),
  querystring: noParameters,
  headers: idempotencyHeaders,
  body: Fulfillment,
  response: {
    ...partnerProblems,
    200: {
      ...reference("Order", Order),
      description: "The order with the fulfilment.",
      headers: { ...partnerHeaders, ...replayedHeader },
    },
    404: problemResponse("No order has this id."),
    409: problemResponse(
      "The order is pending, cancelled, refunded or failed, or a request with this Idempotency-Key is still running.",
    ),
    413: problemResponse("The body is larger than 16 KiB."),
    415: problemResponse("The body isn't application/json."),
    422: problemResponse(
      "More is reported than is left to be sent, a different fulfilment has this reference, or the Idempotency-Key was used with another body.",
    ),
  },
};

/** POST /api/orders/{id}/fulfillments. */
export const fulfillmentRoutes: FastifyPluginAsyncTypebox<{ db: Db; followUp: FollowUp }> = async (
  app,
  { db, followUp },
) => {
  acceptOptionalJson(app);
  app.post("/:id/fulfillments", { schema, bodyLimit: 16_384 }, async (request, reply) => {
    const { id } = request.params;
    const { shipped_at, carrier = null, tracking_number = null, tracking_url = null, ...given } = request.body;
    const tracking = { carrier, tracking_number, tracking_url };
    const fulfillment = { ...given, ...tracking, shippedAt: shipped_at ? new Date(shipped_at) : undefined };
    const record = async () => ({ status: 200, body: await recordAndRead(db, id, fulfillment, followUp) });
    return (await answerOnce(db, `/api/orders/${id}/fulfillments`, request, reply, record)).body;
  });
};

async function recordAndRead(db: Db, id: number, fulfillment: NewFulfillment, followUp: FollowUp): Promise<Order> {
  try {
    const changed = await recordFulfillment(db, id, fulfillment, followUp);
    const order = changed === undefined ? undefined : await findOrder(db, id);
    if (order) return order;
  } catch (error) {
    if (!(error instanceof FulfillmentRefused)) throw error;
    throw new ApiError(error.reason === "state" ? "conflict" : "unprocessable", error.message);
  }
  throw new ApiError("not-found", "No order has this id.");
}
