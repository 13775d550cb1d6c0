import Type from "typebox";

/** The argument of every tool about an order. */
export const OrderNumber = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The order's number, such as A-1042.",
});
