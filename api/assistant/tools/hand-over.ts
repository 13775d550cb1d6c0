import Type from "typebox";
import { CASE_REASONS } from "../../platform/database/case-reasons.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { oneOf } from "../../platform/http/schema-types.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { defineTool } from "../answers/tool.ts";
import { openCase } from "../conversation/cases.ts";
import { findVerifiedOrders } from "../conversation/verification.ts";

/** Passes a conversation on to a person, by a mail to the shop. What the customer wrote stands only in that mail. */
export const handOver = defineTool({
  name: "hand_over",
  description:
    "Passes the conversation on to a person at the shop, who gets a mail. Call it when the customer asks for a person, or when no other tool can help. Ask how the shop can reach the customer first, unless the shop knows it from this channel.",
  arguments: Type.Object(
    {
      reason: oneOf(CASE_REASONS.hand_over, { description: "What it is about." }),
      message: Type.String({
        minLength: 1,
        maxLength: 500,
        description: "What the customer wants, in one to five sentences; at most 500 characters.",
      }),
      contact: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
        title: "Write an e-mail address or telephone number of at most 200 characters, or null.",
        description: "How to reach the customer: an e-mail address or telephone number, or null.",
      }),
    },
    { additionalProperties: false },
  ),
  example: {
    reason: "large_order",
    message: "The customer wants 40 scanners for five branches and asks for an offer.",
    contact: "ada@example.com",
  },
  writes: true,
  async call({ db, conversation, speech }, { reason, ...typed }) {
    const message = readTyped(typed.message, { lines: true });
    const contact = readTyped(typed.contact ?? "") || null;
    if (message === "")
      throw new ApiError("unprocessable", "The message has no visible character. Ask what it is about.");
    const { name: shop, sales_email: email, phone } = await readShopFacts(db);
    const [order] = await findVerifiedOrders(db, conversation.key);
    const given = { kind: "hand_over", reason, message, contact, orderId: order?.id ?? null, lines: null } as const;
    const case_number = await openCase(db, conversation, given);
    const isReachable = contact !== null || order !== undefined || conversation.identity !== undefined;
    const word = isReachable ? "assistant.handed_over" : "assistant.handed_over_unreachable";
    return { result: { case_number }, say: speech.say(word, { shop, case: case_number, email, phone }) };
  },
});
