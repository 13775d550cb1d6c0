import { CUSTOMER_MAILS, type MailKind } from "../../api/contract/mail-kinds.ts";
import { line, strict } from "./fields.ts";

/** content/mails/<kind>.md, or the standard one in site/mails/; the text below the fields is Markdown. */
export const mailSchema = strict({ subject: line("subject: We have received your order {{ order_number }}", 120) });

/** Names that a mail's subject and text may use, and what each stands for in the API's view. */
const words = {
  order_number: "number",
  order_day: "placed_at | date",
  total: "totals.total | money: currency",
  due: "totals.due | money: currency",
  shop_name: "seller.name",
  shop_email: "seller.email",
  shop_phone: "seller.phone",
} as const;

type MailBlock =
  | ("link" | "lines" | "how_to_pay" | "addresses" | "shipments" | "closed" | "reason")
  | ("buyer" | "order_page" | "case");

interface Names {
  /** The Liquid expression of each name that stands for a few words. */
  words: Readonly<Record<string, string>>;
  /** Names that stand for a whole paragraph, list or table. */
  blocks: readonly MailBlock[];
}

// Only mails to the customer need a buyer: an order of a partner has none.
const toCustomer: Names = {
  words: { ...words, state: "state | t", next_step: "next | t", buyer_name: "buyer.name" },
  blocks: ["link", "lines", "how_to_pay", "shipments", "closed", "addresses", "reason"],
};
const toShop: Names = {
  words: { ...words, status: "status | t", payment_status: "payment_status | t" },
  blocks: ["lines", "addresses", "reason", "buyer", "order_page"],
};

// What the assistant passed on, which may be about no order.
const aboutCase: Names = {
  words: {
    case_number: "case.number",
    case_sentence: "case.kind | t",
    case_reason: "case.reason | t",
    shop_name: words.shop_name,
    shop_email: words.shop_email,
    shop_phone: words.shop_phone,
  },
  blocks: ["case"],
};

const kinds: Record<MailKind, Names> = {
  order_received: toCustomer,
  payment_received: toCustomer,
  payment_failed: toCustomer,
  sent: toCustomer,
  ready_to_collect: toCustomer,
  cancelled: toCustomer,
  closed: toCustomer,
  invoice: { ...toCustomer, words: { ...toCustomer.words, document: "document.title | t: number: document.number" } },
  order_link: toCustomer,
  verification_code: { ...toCustomer, words: { ...toCustomer.words, code: "code" } },
  shop_new_order: toShop,
  shop_needs_person: toShop,
  shop_case: aboutCase,
};

/** The mails that the shop sends, by the name of their file. */
export const mailKinds: ReadonlyMap<string, Names> = new Map(Object.entries(kinds));

/** Whether a mail goes to the customer, by the name of its file. */
export const isToCustomer = (kind: string): boolean => CUSTOMER_MAILS.some((each) => each === kind);

/** `{{ total }}` and everything else that Liquid would read as code; the first group is the name. */
export const placePattern = /\{\{\s*([a-z_]+)\s*\}\}|\{\{[^}\n]*\}\}|\{[{%]|[}%]\}/g;
