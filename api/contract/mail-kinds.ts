/** Mails about an order to its customer, each with a link to the order. */
export const CUSTOMER_MAILS = [
  "order_received",
  "payment_received",
  "payment_failed",
  "sent",
  "cancelled",
  "order_link",
  "verification_code",
] as const;
export type CustomerMailKind = (typeof CUSTOMER_MAILS)[number];

/** Mails about an order. */
export type OrderMailKind = CustomerMailKind | "shop_new_order" | "shop_needs_person";

/** All mails, by the name of their file in content/mails/. `shop_case` is to the shop, about something that the assistant passed on. */
export type MailKind = OrderMailKind | "shop_case";
