import Type from "typebox";
import { ApiError } from "../../platform/http/problem.ts";
import { VERIFIED_FOR_MS } from "../../selling/mail/verification-codes.ts";
import { defineTool } from "../answers/tool.ts";
import { confirmVerification } from "../conversation/verification.ts";

/** Takes the code from the mail. */
export const confirmVerificationTool = defineTool({
  name: "confirm_verification",
  description:
    "Takes the code that the customer received by e-mail after start_verification. Then order_status and request_return work for that order in this conversation for 30 minutes. After 5 wrong codes a new one is needed.",
  arguments: Type.Object(
    {
      code: Type.String({
        pattern: "^[0-9]{3} ?[0-9]{3}$",
        title: "Write the six digits from the mail.",
        description: "The six digits from the mail, as the customer tells them.",
      }),
    },
    { additionalProperties: false },
  ),
  example: { code: "482913" },
  writes: false,
  async call({ db, conversation, speech }, { code }) {
    const confirmed = await confirmVerification(db, conversation.key, code.replace(" ", ""));
    if (!confirmed)
      throw new ApiError(
        "unprocessable",
        "This conversation waits for no code: there was none, it was used, it has expired after 30 minutes, or 5 wrong codes were entered. Call start_verification for a new one.",
      );
    if ("triesLeft" in confirmed)
      throw new ApiError(
        "unprocessable",
        confirmed.triesLeft > 0
          ? `This isn't the code. Ask the customer to read it again from the last mail; wrong codes that are still allowed: ${confirmed.triesLeft}.`
          : "This isn't the code, and no more codes are taken. Call start_verification for a new one.",
      );
    const { orderNumber: order_number } = confirmed;
    const minutes = VERIFIED_FOR_MS / 60_000;
    return {
      result: { verified: true, order_number, valid_for_minutes: minutes },
      say: speech.say("assistant.verified", { number: order_number }),
    };
  },
});
