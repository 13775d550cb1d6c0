import { assistantToken, signIdentity } from "../../api/assistant/assistant-shop.ts";
import { at, readMail } from "../ordering/ordering-shop.ts";

interface Answer {
  status: number;
  /** Facts for the model. */
  result: Record<string, unknown>;
  /** A sentence for the customer. */
  say: string;
  /** What the model is told to do instead, if the call was refused. */
  detail: string;
  /** All of it, as the model gets it. */
  text: string;
}

/**
 * A conversation on WhatsApp, as the platform of an assistant leads it: the platform signs who is asking, and passes on the
 * calls of its model. Here the test is the model.
 */
export function openConversation(conversation: string, subject = "+491701234567") {
  /** Calls a tool. */
  const call = async (tool: string, args: object): Promise<Answer> => {
    const exp = Math.floor(Date.now() / 1_000) + 300;
    const response = await fetch(at(`/api/assistant/tools/${tool}`), {
      method: "POST",
      headers: {
        authorization: `Bearer ${assistantToken}`,
        "assistant-identity": signIdentity({ channel: "whatsapp", subject, exp }),
        "content-type": "application/json",
      },
      body: JSON.stringify({ conversation, arguments: args }),
    });
    const text = await response.text();
    const { result = {}, say = "", detail = "" } = JSON.parse(text);
    return { status: response.status, result, say, detail, text };
  };
  /** The customer says something, and the model answers it with a tool. Throws if the shop refuses the call. */
  const hear = async (customer: string, tool: string, args: object): Promise<Answer> => {
    const answer = await call(tool, args);
    if (answer.status !== 200) throw new Error(`“${customer}” led to ${tool}, which answered ${answer.text}`);
    return answer;
  };
  return { call, hear };
}

/** What find_products is given if nothing is asked for: each argument that doesn't apply is null. */
export const anything = {
  ...{ query: null, category: null, facets: null, max_price: null },
  ...{ max_price_includes_tax: null, in_stock: null, limit: null },
};

/** The code that was sent to the customer of an order. */
export async function readCode(number: string): Promise<string> {
  const { text = "" } = await readMail(number, "verification_code");
  return /\b\d{6}\b/.exec(text)?.[0] ?? "";
}
