import Type from "typebox";
import { readOrderNumber } from "../../people/account/queries.ts";
import { CASE_REASONS } from "../../platform/database/case-reasons.ts";
import type { StoredCaseLine } from "../../platform/database/tables.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { oneOf } from "../../platform/http/schema-types.ts";
import { takeShared } from "../../platform/http/shared-limits.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { findOrder } from "../../selling/orders/queries.ts";
import type { Order } from "../../selling/orders/schema.ts";
import { defineTool } from "../answers/tool.ts";
import { openCase } from "../conversation/cases.ts";
import { OrderNumber } from "../conversation/order-number.ts";
import { requireVerifiedOrder } from "../conversation/verification.ts";

const RETURNS_PER_HOUR = 5;

const Item = Type.Object(
  {
    sku: Type.String({ minLength: 1, maxLength: 64, description: "The item's SKU, as order_status has it." }),
    quantity: Type.Integer({ minimum: 1, maximum: 999, description: "Pieces, at least 1." }),
  },
  { additionalProperties: false },
);

/** Asks the shop to take goods back. A person decides: nothing about the order changes. */
export const requestReturn = defineTool({
  name: "request_return",
  description:
    "Asks the shop to take back goods of an order, all or some. A person at the shop decides and answers by e-mail; nothing is refunded yet. Only in a conversation that is verified for this order: see start_verification.",
  arguments: Type.Object(
    {
      order_number: OrderNumber,
      items: Type.Union([Type.Array(Item, { minItems: 1, maxItems: 100 }), Type.Null()], {
        title: "Write a list of {sku, quantity} with 1 to 100 entries, or null for the whole order.",
        description: "What is to go back, or null for the whole order.",
      }),
      reason: oneOf(CASE_REASONS.return, { description: "Why." }),
      message: Type.Union([Type.String({ minLength: 1, maxLength: 500 }), Type.Null()], {
        title: "Write 1 to 500 characters, or null.",
        description: "What the customer says about it, at most 500 characters, or null.",
      }),
    },
    { additionalProperties: false },
  ),
  example: {
    order_number: "A-1042",
    items: [{ sku: "KES-C2-BK", quantity: 1 }],
    reason: "damaged",
    message: "The cable is broken at the plug.",
  },
  writes: true,
  async call({ db, conversation, speech }, { order_number, items, reason, ...typed }) {
    const message = readTyped(typed.message ?? "", { lines: true }) || null;
    const orderId = await requireVerifiedOrder(db, conversation.key, readOrderNumber(order_number));
    const order = await findOrder(db, orderId);
    if (!order) throw new Error("A verified order doesn't exist.");
    if (order.fulfillment_status === "unfulfilled")
      throw new ApiError(
        "conflict",
        "Nothing of this order was sent yet, so there is nothing to return. If the customer wants to cancel it, use hand_over.",
      );
    const lines = items ? chooseLines(order, items) : order.lines.map(toCaseLine);
    if (!(await takeShared(db, "returns", String(orderId), RETURNS_PER_HOUR)))
      throw new ApiError("too-many-requests", "Returns of this order were asked for 5 times within an hour.", {
        headers: { "Retry-After": "3600" },
      });
    const given = { kind: "return", reason, message, orderId, lines, contact: null } as const;
    const case_number = await openCase(db, conversation, given);
    return {
      result: { case_number, order_number: order.number, items: lines },
      say: speech.say("assistant.return_requested", { number: order.number, case: case_number }),
    };
  },
});

const toCaseLine = ({ sku, name, quantity }: StoredCaseLine): StoredCaseLine => ({ sku, name, quantity });

/** The order's lines with the quantities that are to go back. Throws 422 for what wasn't ordered. */
function chooseLines({ lines }: Order, items: readonly { sku: string; quantity: number }[]): StoredCaseLine[] {
  const wanted = Map.groupBy(items, ({ sku }) => sku);
  return [...wanted].map(([sku, parts]) => {
    const quantity = parts.reduce((sum, part) => sum + part.quantity, 0);
    const ordered = lines.filter((line) => line.sku === sku);
    const most = ordered.reduce((sum, line) => sum + line.quantity, 0);
    const [line] = ordered;
    if (!line)
      throw new ApiError(
        "unprocessable",
        `A SKU in items isn't in this order. Its SKUs are ${lines.map((each) => each.sku).join(", ")}.`,
      );
    if (quantity > most)
      throw new ApiError("unprocessable", `Of ${sku}, ${most} were ordered: write at most that quantity.`);
    return { sku, name: line.name, quantity };
  });
}
