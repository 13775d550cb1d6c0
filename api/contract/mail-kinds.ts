/** Mails about an order to its customer, each with a link to the order. */
export const CUSTOMER_MAILS = [
  "order_received",
  "payment_received",
  "payment_failed",
  "sent",
  "ready_to_collect",
  "cancelled",
  "closed",
  "invoice",
  "order_link",
  "verification_code",
] as const;
export type CustomerMailKind = (typeof CUSTOMER_MAILS)[number];

const SHOP_MAILS = ["shop_new_order", "shop_needs_person"] as const;
/** Mails about an order. */
export type OrderMailKind = CustomerMailKind | (typeof SHOP_MAILS)[number];

/** The mail in place of `sent` where the customer collects the goods: a shop without a place to collect needs none. */
export const READY_MAIL = "ready_to_collect";

/** All mails, by the name of their file in content/mails/. `shop_case` is to the shop, about something that the assistant passed on. */
export const MAIL_KINDS = [...CUSTOMER_MAILS, ...SHOP_MAILS, "shop_case"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
