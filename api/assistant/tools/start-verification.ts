import Type from "typebox";
import { readOrderNumber } from "../../people/account/queries.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { emailKey } from "../../platform/mail/email-address.ts";
import { VERIFIED_FOR_MS } from "../../selling/mail/verification-codes.ts";
import { defineTool } from "../answers/tool.ts";
import { OrderNumber } from "../conversation/order-number.ts";
import { startVerification } from "../conversation/verification.ts";

/** Sends a code by mail, if the order and the address belong together. */
export const startVerificationTool = defineTool({
  name: "start_verification",
  description:
    "Sends a code by e-mail to the address of an order, so that the customer can prove that the order is theirs. Needed before order_status and request_return. The answer is the same whether the order exists or not, and so must be what you say. At most 3 codes an hour for an order and 10 orders in a conversation.",
  arguments: Type.Object(
    {
      order_number: OrderNumber,
      email: Type.String({
        maxLength: 254,
        description: "The e-mail address that the customer ordered with, as the customer tells it.",
      }),
    },
    { additionalProperties: false },
  ),
  example: { order_number: "A-1042", email: "ada@example.com" },
  writes: true,
  async call({ db, conversation, speech }, { order_number, email }) {
    const address = emailKey(email);
    if (address === undefined)
      throw new ApiError("unprocessable", "The e-mail address isn't one, such as ada@example.com. Ask for it again.");
    await startVerification(db, conversation.key, readOrderNumber(order_number), address);
    const minutes = VERIFIED_FOR_MS / 60_000;
    return {
      result: { sent_if_known: true, expires_in_minutes: minutes },
      say: speech.say("assistant.code_sent", { count: minutes }),
    };
  },
});
