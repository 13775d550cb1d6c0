import { PICKUP } from "../../contract/delivery-methods.ts";
import type { WayToPay } from "../../contract/ways-to-pay.ts";
import { now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { type FollowUp, type NewOrder, placeOrder } from "../../selling/orders/place-order.ts";
import type { Quote } from "../../selling/quote/quote.ts";
import { BasketChanged, subtractFromBasket } from "../basket/queries.ts";
import { type Checkout, closeCheckout, findPlacedOrder } from "./queries.ts";

interface Placing {
  sessionId: number;
  checkout: Checkout;
  quote: Quote;
  paymentMethod: WayToPay;
}

/**
 * Places the order of a checkout and returns its number. However often it's called, by however many processes, a
 * checkout becomes one order, and every call that ends well returns that order. What was ordered leaves the basket in
 * the same transaction. Throws BasketChanged if the basket holds less by now or the checkout is gone, and
 * UnknownOutcomeError if nobody knows whether the order was stored: then the same call later finds out.
 */
export async function placeCheckout(
  db: Db,
  { sessionId, checkout, quote, paymentMethod }: Placing,
  followUp: FollowUp,
): Promise<string> {
  const at = new Date();
  const order = { ...toNewOrder(checkout, quote, at), payment_method: paymentMethod };
  let failure: unknown;
  try {
    await inTransaction(
      db,
      async (transaction) => {
        // All that is the session's own comes first, since every other order waits once placeOrder has locked the sequence
        // row. Another call for this checkout waits here, and then finds the basket or the checkout gone.
        const ordered = quote.lines.map(({ variant, quantity }) => ({ sku: variant.sku, quantity }));
        await subtractFromBasket(transaction, sessionId, ordered);
        if (!(await closeCheckout(transaction, sessionId, checkout.id))) throw new BasketChanged();
        const { id: orderId } = await placeOrder(transaction, order, at, followUp);
        // A second order of this checkout would fail here, and its numbers be rolled back with it.
        await transaction
          .insertInto("placements")
          .values({ checkout_id: checkout.id, order_id: orderId, session_id: sessionId, placed_at: now() })
          .execute();
      },
      // The basket's rows stay locked while this waits for the sequence row, without the gaps beside them.
      READ_COMMITTED,
    );
  } catch (error) {
    failure = error;
  }
  // Whatever failed, this call or another one may have placed it.
  const number = await findPlacedOrder(db, sessionId, checkout.id).catch((error: unknown) => {
    throw failure ?? error;
  });
  if (number === undefined) throw failure;
  return number;
}

/** An order that waits for its payment. */
function toNewOrder({ details, vat_check }: Checkout, { order }: Quote, at: Date): NewOrder {
  const { email, first_name, last_name, company, phone, vat_id, shipping_address } = details;
  const isCollected = order.shipping_lines.some(({ code }) => code === PICKUP);
  return {
    ...order,
    status: "pending",
    customer: null,
    buyer: { email, first_name, last_name, company, phone, vat_id },
    buyer_reference: details.buyer_reference,
    billing_address: details.billing_address ?? shipping_address,
    shipping_address: isCollected ? null : shipping_address,
    payments: [],
    vat_check,
    note: details.note,
    external_id: null,
    placed_at: at,
  };
}
