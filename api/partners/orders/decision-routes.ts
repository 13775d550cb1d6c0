import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import { EXTERNAL_ID, MOST_NOTE_CHARACTERS } from "../../selling/orders/acts.ts";
import { type ActDependencies, addAct, reasonOf } from "./acts.ts";

/** What PATCH takes (RFC 7396, §4). */
const MERGE_PATCH_TOO = ["application/json", "application/merge-patch+json"];

/** PATCH /api/orders/{id}, and POST /cancel, /close, /hold and /release below it. */
export const decisionRoutes: FastifyPluginAsync<ActDependencies> = async (app, dependencies) => {
  acceptOptionalJson(app, MERGE_PATCH_TOO);
  addAct(app, dependencies, {
    method: "PATCH",
    consumes: MERGE_PATCH_TOO,
    path: "",
    operationId: "acknowledgeOrder",
    summary: "Note your id and a remark",
    description:
      "Acknowledges an order: notes its id in your system, and a remark that you and the shop read. It sends no mail and no event. What is left out stays, and null removes it (RFC 7396).",
    body: {
      external_id: Type.Optional(
        nullable(
          Type.String({
            pattern: EXTERNAL_ID,
            title: "Write one line of 1 to 191 characters without blanks around it, or null.",
            description: "The order's id in your system. Only one order has it.",
            example: "SO-2026-00417",
          }),
        ),
      ),
      partner_note: Type.Optional(
        nullable(
          Type.String({
            maxLength: MOST_NOTE_CHARACTERS,
            pattern: "^[^\\ud800-\\udfff]*$", // halves of a character
            title: "Write at most 1,000 characters, or null.",
            description: "A remark for you and the shop. The customer doesn't see it.",
            example: "Batch 7, packed by Eva",
          }),
        ),
      ),
    },
    bodyDescription: "What to note.",
    refused: { content: "Another order has this `external_id`." },
    bodyLimitKiB: 16,
    read: (body) => ({ name: "acknowledge", ...body }),
  });
  addAct(app, dependencies, {
    path: "/cancel",
    operationId: "cancelOrder",
    summary: "Cancel an order",
    description:
      "Cancels an order of which nothing was sent, mails the customer, and gives its pieces back. Cancelling it again changes nothing.",
    body: {
      reason: Type.Optional(reasonOf("Why. The customer reads it in the mail and on the order's page.", "Sold out")),
    },
    bodyDescription: "Why.",
    refused: { state: "Goods were sent, or the order has ended otherwise." },
    bodyLimitKiB: 8,
    read: ({ reason = null }) => ({ name: "cancel", reason }),
  });
  addAct(app, dependencies, {
    path: "/close",
    operationId: "closeOrder",
    summary: "Close an order that was sent in part",
    description:
      "The rest of an order that was sent in part won't come: `closed_quantity` of its lines has those pieces, which are free to sell and not to be paid, and `fulfillment_status` becomes `fulfilled`, or `returned` where all that was sent is back. If what was sent is paid, the order becomes `completed`, and a person is told what it holds for the rest; else it is `on_hold`, and a person is asked to see to it. Closing it again changes nothing.",
    body: { reason: Type.Optional(reasonOf("Why. The customer reads it.", "No longer made")) },
    bodyDescription: "Why.",
    refused: { state: "The order isn't processing, on_hold or refunded, or nothing or everything of it was sent." },
    bodyLimitKiB: 8,
    read: ({ reason = null }) => ({ name: "close", reason }),
  });
  addAct(app, dependencies, {
    path: "/hold",
    operationId: "holdOrder",
    summary: "Put an order on hold",
    description: "Puts an order that is `processing` on hold. One that is on hold stays as it is.",
    body: {},
    bodyDescription: "Nothing but `seen`.",
    refused: { state: "The order isn't processing." },
    bodyLimitKiB: 1,
    read: () => ({ name: "hold" }),
  });
  addAct(app, dependencies, {
    path: "/release",
    operationId: "releaseOrder",
    summary: "Release an order that a partner has put on hold",
    description:
      "Goes on with an order that a partner has put on hold. What the shop has put on hold, or where a question about money is open, a person there releases. An order that goes on stays as it is.",
    body: {},
    bodyDescription: "Nothing but `seen`.",
    refused: { state: "The shop has put it on hold, or it has ended." },
    bodyLimitKiB: 1,
    read: () => ({ name: "release" }),
  });
};
