import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { AMOUNT, CURRENCY } from "../../contract/patterns.ts";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import { givenTime } from "../../platform/http/schema-types.ts";
import { METHOD } from "../../selling/orders/record-payment.ts";
import { type ActDependencies, addAct, reasonOf, referenceOf, toDate } from "./acts.ts";

const amount = (description: string, example: string) =>
  Type.String({
    pattern: AMOUNT,
    title: `Write a decimal in double quotes, such as "${example}".`,
    ...{ description, example },
  });

/** POST /api/orders/{id}/payments and /refunds. */
export const moneyRoutes: FastifyPluginAsync<ActDependencies> = async (app, dependencies) => {
  acceptOptionalJson(app);
  addAct(app, dependencies, {
    path: "/payments",
    operationId: "recordPayment",
    summary: "Record a payment",
    description:
      "Records money that was received for an order. A pending order becomes `processing` when exactly its total was paid, and `on_hold` when more was; with less it stays `pending`, and `partially_paid`. One that is `processing`, and of which nothing is left to send, becomes `completed` once it is paid. An order of any other status keeps it. The same payment again changes nothing and gets the order as it is.",
    body: {
      method: Type.String({
        pattern: METHOD,
        title: "Write 1 to 64 small letters, digits or _, beginning with a letter.",
        description: "How it was paid.",
        example: "bank_transfer",
      }),
      reference: referenceOf(
        "Your reference of the payment. With `method` it identifies the payment within its order.",
        "2026-10-19/44",
      ),
      amount: amount("What was received, larger than 0, in the order's currency.", "388.00"),
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
    bodyDescription: "The payment.",
    refused: { content: "The payment doesn't fit the order, or a different one has its reference." },
    bodyLimitKiB: 1,
    read: ({ paid_at, method, reference, amount, currency }) => ({
      ...{ name: "paid", method, reference, amount, currency, paidAt: toDate(paid_at) },
    }),
  });
  addAct(app, dependencies, {
    path: "/refunds",
    operationId: "recordRefund",
    summary: "Record a refund",
    description:
      "Records money that you gave back, such as by transfer; it moves none. An order of which nothing that was paid is left becomes `refunded`, unless it costs nothing. Money that was paid by card goes back in Stripe's Dashboard and appears here by itself. The same refund again changes nothing and gets the order as it is.",
    body: {
      reference: referenceOf(
        "Your reference of the refund. It identifies the refund within its order.",
        "2026-10-26/7",
      ),
      amount: amount("What went back, larger than 0, in the order's currency.", "50.00"),
      refunded_at: Type.Optional(givenTime("When it went back; now, when left out.", "2026-10-26T09:30:00Z")),
      reason: Type.Optional(reasonOf("Why, for you and the shop. The customer isn't shown it.", "Arrived damaged")),
    },
    bodyDescription: "The refund.",
    refused: {
      content: "More went back than was paid, it was paid by card, or a different refund has this reference.",
    },
    bodyLimitKiB: 8,
    read: ({ reference, amount, refunded_at, reason = null }) => ({
      ...{ name: "refunded", reference, amount, reason, refundedAt: toDate(refunded_at) },
    }),
  });
};
