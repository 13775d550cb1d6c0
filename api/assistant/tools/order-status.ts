import Type from "typebox";
import { readOrderNumber } from "../../people/account/queries.ts";
import { type OrderView, viewOrder } from "../../selling/order-view/order-view.ts";
import { findShopOrder } from "../../selling/orders/queries.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import type { Speech } from "../answers/speech.ts";
import { defineTool } from "../answers/tool.ts";
import { OrderNumber } from "../conversation/order-number.ts";
import { requireVerifiedOrder } from "../conversation/verification.ts";
import { describeShipments } from "./shipments.ts";

/** How an order stands, without anything that the customer wrote. */
export const orderStatus = defineTool({
  name: "order_status",
  description:
    "Tells how an order stands: status, items, what is still to be paid and how, and what was sent when with which carrier. `pickup` says where the customer collects the goods, of which `shipments` says since when they are ready; it is null where they are delivered. `pay` is null where nothing is to be paid now. Only in a conversation that is verified for this order: see start_verification.",
  arguments: Type.Object({ order_number: OrderNumber }, { additionalProperties: false }),
  example: { order_number: "A-1042" },
  writes: false,
  async call({ db, conversation, speech }, { order_number }) {
    const id = await requireVerifiedOrder(db, conversation.key, readOrderNumber(order_number));
    const order = await findShopOrder(db, id);
    if (!order) throw new Error("A verified order doesn't exist.");
    const { number, status, fulfillment_status, lines } = order;
    const placed = order.placed_at ?? order.created_at;
    const shipments = describeShipments(order);
    const last = shipments.at(-1);
    const shop = await readShopFacts(db);
    const view = viewOrder(order, shop);
    const pay = describePayment(view);
    const sentences = [
      speech.say("assistant.order_placed", { number, day: speech.day(placed) }),
      speech.say(view.state),
      ...(pay ? [sayDue(speech, view, pay)] : []),
      ...(last
        ? [
            speech.say(view.is_collected ? "assistant.last_ready" : "assistant.last_sent", {
              day: speech.day(last.sent_on),
            }),
          ]
        : []),
    ];
    return {
      result: {
        order_number: number,
        placed_on: placed.slice(0, 10),
        ...{ status, fulfillment_status },
        items: lines.map(({ name, sku, quantity }) => ({ name, sku, quantity })),
        shipments,
        ...{ currency: order.currency, total: view.totals.total, amount_due: view.totals.due, pay },
        // Where the customer gets a link to the order's page by mail.
        find_order_url: `${shop.base_url}/account/find`,
        is_collected: view.is_collected,
        pickup: view.pickup,
      },
      say: sentences.join(" "),
    };
  },
});

/** How to pay what is due. By card it's on the order's page, to which a link comes by mail. */
function describePayment({ transfer, card }: OrderView) {
  if (card) return { by: "card" as const };
  if (!transfer) return null;
  const { qr: _, amount: __, ...account } = transfer;
  return { by: "transfer" as const, ...account };
}

const sayDue = ({ say, money }: Speech, { totals, currency }: OrderView, pay: { by: "card" | "transfer" }) =>
  say(`assistant.due.${pay.by}`, { amount: money(totals.due, currency) });
