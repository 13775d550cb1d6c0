import Type, { type Static } from "typebox";
import { nullable } from "../../platform/http/schema-types.ts";
import { OrderState, OrderView, stateOf } from "../../selling/order-view/order-view.ts";
import type { ShopOrder } from "../../selling/orders/to-order.ts";

const text = Type.String();

export const orderPage = {
  template: "order",
  /** `is_pro_forma`: as a document to print. */
  view: Type.Object({ ...OrderView.properties, is_pro_forma: Type.Boolean() }),
};

const ListedOrder = Type.Object({ number: text, currency: text, placed_at: text, state: OrderState, total: text });

/** The orders that this browser may see, newest first, and the form that makes the shop forget it. */
export const accountPage = {
  template: "account",
  view: Type.Object({
    orders: Type.Array(ListedOrder),
    /** Whether the shop keeps anything for this browser. */
    is_known: Type.Boolean(),
    /** The kinds of item in its basket. */
    basket_items: Type.Integer({ minimum: 0 }),
    is_forgotten: Type.Boolean(),
  }),
};

export const unknownBrowser: Static<typeof accountPage.view> = {
  orders: [],
  is_known: false,
  basket_items: 0,
  is_forgotten: false,
};

/** Not from the whole view of an order, for which a QR code is drawn. */
export const viewListedOrder = (order: ShopOrder): Static<typeof ListedOrder> => ({
  number: order.number,
  currency: order.currency,
  placed_at: order.placed_at ?? order.created_at,
  state: stateOf(order),
  total: order.totals.total,
});

/** The form that asks for the link to an order. Words are given by their keys. */
export const findPage = {
  template: "find",
  view: Type.Object({
    errors: Type.Array(Type.Object({ field: text, message: text })),
    number_error: nullable(text),
    email_error: nullable(text),
    /** Why the form is shown instead of an order. */
    reason: nullable(text),
    sent: Type.Boolean(),
    /** What was entered. */
    number: text,
    email: text,
    shop_email: text,
  }),
};
export type FindView = Static<typeof findPage.view>;
