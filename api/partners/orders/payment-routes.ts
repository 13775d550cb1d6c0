import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { AMOUNT, CURRENCY } from "../../contract/patterns.ts";
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
  METHOD,
  PaymentRefused,
  REFERENCE,
  type ReceivedPayment,
  recordPayment,
} from "../../selling/orders/record-payment.ts";
import { Order } from "../../selling/orders/schema.ts";

const NewPayment = Type.Object(
  {
    method: Type.String({
      pattern: METHOD,
      title: "Write 1 to 64 small letters, digits or _, beginning with a letter.",
      description: "How it was paid.",
      example: "bank_transfer",
    }),
    reference: Type.String({
      pattern: REFERENCE,
      title: "Write 1 to 255 visible ASCII characters.",
      description: "Your reference of the payment. With `method` it identifies the payment within its order.",
      example: "2026-10-19/44",
    }),
    amount: Type.String({
      pattern: AMOUNT,
      title: 'Write a decimal in double quotes, such as "388.00".',
      description: "What was received, larger than 0, in the order's currency.",
      example: "388.00",
    }),
    currency: Type.Optional(
      Type.String({
        pattern: CURRENCY,
        title: "Write the currency's three capital letters (ISO 4217).",
        description: "ISO 4217. A payment in another currency than the order's is refused.",
        example: "EUR",
      }),
    ),
    paid_at: Type.Optional(givenTime("When it was received; now, when left out.", "2026-10-19T08:13:02Z")),
  },
  { additionalProperties: false, description: "The payment." },
);

const schema = {
  operationId: "recordPayment",
  tags: ["Partner"],
  summary: "Record a payment",
  description:
    "Records money that was received for an order. A pending order becomes `processing` when exactly its total was paid, and `on_hold` when more was; with less it stays `pending`, and `partially_paid`. An order of any other status keeps it. The same payment again changes nothing and gets the order as it is.",
  params: Type.Object({ id: wholeNumber("The order's id.", 1001) }),
  querystring: noParameters,
  headers: idempotencyHeaders,
  body: NewPayment,
  response: {
    ...partnerProblems,
    200: {
      ...reference("Order", Order),
      description: "The order with the payment.",
      headers: { ...partnerHeaders, ...replayedHeader },
    },
    404: problemResponse("No order has this id."),
    409: problemResponse("A request with this Idempotency-Key is still running."),
    413: problemResponse("The body is larger than 1 KiB."),
    415: problemResponse("The body isn't application/json."),
    422: problemResponse(
      "The payment doesn't fit the order, a different one has its reference, or the Idempotency-Key was used with another body.",
    ),
  },
};

/** POST /api/orders/{id}/payments. */
export const paymentRoutes: FastifyPluginAsyncTypebox<{ db: Db; followUp: FollowUp }> = async (
  app,
  { db, followUp },
) => {
  acceptOptionalJson(app);
  app.post("/:id/payments", { schema, bodyLimit: 1_024 }, async (request, reply) => {
    const { id } = request.params;
    const { paid_at, ...payment } = request.body;
    const received = { ...payment, paidAt: paid_at ? new Date(paid_at) : undefined };
    const record = async () => ({ status: 200, body: await recordAndRead(db, id, received, followUp) });
    return (await answerOnce(db, `/api/orders/${id}/payments`, request, reply, record)).body;
  });
};

async function recordAndRead(db: Db, id: number, payment: ReceivedPayment, followUp: FollowUp): Promise<Order> {
  try {
    const changed = await recordPayment(db, id, payment, followUp);
    const order = changed === undefined ? undefined : await findOrder(db, id);
    if (order) return order;
  } catch (error) {
    if (error instanceof PaymentRefused) throw new ApiError("unprocessable", error.message);
    throw error;
  }
  throw new ApiError("not-found", "No order has this id.");
}
