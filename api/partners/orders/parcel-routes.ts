import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import { givenTime } from "../../platform/http/schema-types.ts";
import { HTTPS_URL, LABEL, MOST_URL_CHARACTERS } from "../../selling/orders/record-fulfillment.ts";
import { type ActDependencies, addAct, pieces, referenceOf, toDate } from "./acts.ts";

/** POST /api/orders/{id}/fulfillments and /returns. */
export const parcelRoutes: FastifyPluginAsync<ActDependencies> = async (app, dependencies) => {
  acceptOptionalJson(app);
  addAct(app, dependencies, {
    path: "/fulfillments",
    operationId: "recordFulfillment",
    summary: "Record a fulfilment",
    description:
      "Records that goods of an order were sent, and mails the customer with the tracking link. An order that is `processing` becomes `completed` once all of it is sent and paid; one that is `on_hold` stays so, and a person is told. The same fulfilment again changes nothing and gets the order as it is.",
    body: {
      reference: referenceOf(
        "Your reference of the parcel or shipment. It identifies the fulfilment within its order.",
        "PACK-88120",
      ),
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

      lines: pieces("Pieces of it that were sent.", "What was sent; all that wasn't sent yet, when left out."),
    },
    bodyDescription: "What was sent.",
    refused: {
      state: "The order is pending, cancelled, refunded or failed.",
      content: "More is reported than is left to be sent, or a different fulfilment has this reference.",
    },
    bodyLimitKiB: 16,
    read: ({ shipped_at, carrier = null, tracking_number = null, tracking_url = null, reference, lines }) => ({
      ...{ name: "sent", reference, carrier, tracking_number, tracking_url, lines, shippedAt: toDate(shipped_at) },
    }),
  });
  addAct(app, dependencies, {
    path: "/returns",
    operationId: "recordReturn",
    summary: "Record a return",
    description:
      "Records that goods of an order came back. `fulfillment_status` becomes `returned` once all that was sent is back and nothing is left to be sent. Money and stock don't move by it: record a refund, and send a count. The same return again changes nothing and gets the order as it is.",
    body: {
      reference: referenceOf("Your reference of the return. It identifies the return within its order.", "RMA-1203"),
      received_at: Type.Optional(givenTime("When it came; now, when left out.", "2026-11-02T09:10:00Z")),
      lines: pieces("Pieces of it that came back.", "What came back; all that the customer has, when left out."),
    },
    bodyDescription: "What came back.",
    refused: {
      state: "Nothing of the order was sent.",
      content: "More is reported than the customer has, or a different return has this reference.",
    },
    bodyLimitKiB: 16,
    read: ({ reference, received_at, lines }) => ({
      ...{ name: "returned", reference, lines, receivedAt: toDate(received_at) },
    }),
  });
};
