import type { ColumnType, Generated } from "kysely";
import type { Content } from "../../contract/built-files/products.ts";
import type { Condition } from "../../contract/conditions.ts";
import type { WayToPay } from "../../contract/ways-to-pay.ts";
import type { CaseKind, CaseReason } from "./case-reasons.ts";
import type { JsonText } from "./columns.ts";

/** DATETIME(3) in UTC: written as a Date, read as `2026-11-20 09:30:00.000` (dateStrings). */
type Time = ColumnType<string, Date, Date>;
type TimeOrNull = ColumnType<string | null, Date | null, Date | null>;
/** DECIMAL(19,4), read and written as a string: never a float. */
type Decimal = string;

// What the columns hold, apart from the API's schemas, so that a change of the API can't quietly redefine what is
// stored. A field that is optional here came later: rows written before lack it.

type StoredOrderStatus = "pending" | "processing" | "on_hold" | "completed" | "cancelled" | "refunded" | "failed";
type StoredPaymentStatus =
  | "unpaid"
  | "authorized"
  | "partially_paid"
  | "paid"
  | "partially_refunded"
  | "refunded"
  | "voided";
type StoredOutcome =
  | "delivered"
  | "status"
  | "redirect"
  | "gone"
  | "timeout"
  | "connection"
  | "refused_address"
  | "in_flight"
  | "lost";

export interface StoredCustomer {
  id: number;
  email: string;
  first_name?: string | null;
  last_name?: string | null;
  company?: string | null;
  phone?: string | null;
  vat_id?: string | null;
}

export interface StoredAddress {
  first_name?: string | null;
  last_name?: string | null;
  company?: string | null;
  address1: string;
  address2?: string | null;
  city: string;
  postal_code?: string | null;
  region?: string | null;
  country_code: string;
  phone?: string | null;
}

export interface StoredTaxLine {
  code: string;
  title: string;
  rate: string;
  amount: string;
  /** Missing in orders from before there were classes of tax. */
  taxable?: string;
}

export interface StoredShippingLine {
  code: string;
  title: string;
  net_total: string;
  tax_total: string;
  total: string;
  tax_lines: StoredTaxLine[];
}

export interface StoredDiscount {
  code?: string | null;
  title: string;
  amount: string;
}

export interface StoredPayment {
  id: number;
  method: string;
  reference?: string | null;
  amount: string;
  status: "pending" | "authorized" | "paid" | "failed" | "voided";
}

export interface StoredBuyer {
  email: string;
  first_name: string | null;
  last_name: string | null;
  company: string | null;
  phone: string | null;
  vat_id: string | null;
}

/** What VIES said of a VAT number; `unavailable` when it didn't answer or wasn't asked. */
export interface StoredVatCheck {
  vat_id: string;
  result: "valid" | "invalid" | "unavailable";
  checked_at: string;
  /** VIES's consultation number, the shop's evidence. */
  consultation_number: string | null;
  /** Whose number VIES says it is, which some member states keep to themselves; undefined for checks before it was kept. */
  trader_name?: string | null;
  trader_address?: string | null;
}

type StoredTaxTreatment = "domestic" | "destination" | "reverse_charge" | "export";

export interface StoredRefund {
  id: number;
  created_at: string;
  reason?: string | null;
  amount: string;
}

export interface StoredFulfillment {
  id: number;
  reference: string;
  /** RFC 3339. */
  shipped_at: string;
  carrier: string | null;
  tracking_number: string | null;
  tracking_url: string | null;
  lines: { line_id: number; quantity: number }[];
}

/** Goods that came back. */
export interface StoredReturn {
  id: number;
  reference: string;
  /** RFC 3339. */
  received_at: string;
  lines: { line_id: number; quantity: number }[];
}

/** An invoice or a credit note, without its files, which the table `invoices` has. */
export interface StoredInvoice {
  id: number;
  number: string;
  kind: "invoice" | "credit_note";
  /** YYYY-MM-DD. */
  issued_on: string;
  total: string;
  currency: string;
  has_xml: boolean;
}

interface CountersTable {
  name: string;
  last_id: number;
  last_sequence: number;
  /** Up to which sequence the products have what is in force in place of content/ (selling/catalogue/effective-offers.ts). */
  effective_up_to: Generated<number>;
}

interface OrdersTable {
  id: number;
  sequence: number;
  version: number;
  number: string;
  status: StoredOrderStatus;
  payment_status: StoredPaymentStatus;
  fulfillment_status: "unfulfilled" | "partial" | "fulfilled" | "returned";
  currency: string;
  prices_include_tax: ColumnType<number, boolean, never>;
  created_at: Time;
  updated_at: Time;
  placed_at: TimeOrNull;
  paid_at: TimeOrNull;
  cancelled_at: TimeOrNull;
  cancel_reason: string | null;
  customer: JsonText<StoredCustomer> | null;
  billing_address: JsonText<StoredAddress> | null;
  shipping_address: JsonText<StoredAddress> | null;
  shipping_lines: JsonText<StoredShippingLine[]>;
  discounts: JsonText<StoredDiscount[]>;
  payments: JsonText<StoredPayment[]>;
  refunds: JsonText<StoredRefund[]>;
  tax_lines: JsonText<StoredTaxLine[]>;
  items_net: Decimal;
  items_tax: Decimal;
  shipping_net: Decimal;
  shipping_tax: Decimal;
  discount: Decimal;
  tax: Decimal;
  total: Decimal;
  refunded: Decimal;
  due: Decimal;
  note: string | null;
  external_id: string | null;
  /** The immutable part of the order as the API's JSON; null if placeOrder didn't write the row (as-placed.ts). */
  as_placed: Buffer | null;
  as_placed_shape: string | null;
  /** Null in orders from before the checkout. */
  buyer: JsonText<StoredBuyer> | null;
  buyer_reference: string | null;
  tax_treatment: StoredTaxTreatment | null;
  vat_check: JsonText<StoredVatCheck> | null;
  /** When it was queued for the webhook automatically, which happens once (ERP_PUSH_WHEN). */
  erp_pushed_at: TimeOrNull;
  /** Until when the billing facts of an erased person are kept; null in every other order. */
  billing_kept_until: TimeOrNull;
  /** What the customer chose at the checkout, or instead of the card later; null in other orders. */
  payment_method: WayToPay | null;
  /** When they chose to pay by transfer instead, from which the days to pay count. */
  transfer_since: TimeOrNull;
  /** Null until something was sent. */
  fulfillments: JsonText<StoredFulfillment[]> | null;
  /**
   * The key of the buyer's e-mail address, or the customer's (../mail/email-address.ts); null without one
   * (email-keys.ts).
   */
  email_key: Generated<string | null>;
  /** The sequence that the ledger of stock last saw (selling/stock/ledger.ts); null in orders that it doesn't have. */
  ledgered: Generated<number | null>;
  partner_note: Generated<string | null>;
  /** Why the rest of an order that was sent in part won't come. */
  close_reason: Generated<string | null>;
  /** The price of that rest, which isn't to be paid. */
  closed_total: Generated<Decimal>;
  /** Null until something came back. */
  returns: ColumnType<JsonText<StoredReturn[]> | null, JsonText<StoredReturn[]> | null | undefined>;
  /** Null until there is one. Their files are in the table `invoices`. */
  invoices: ColumnType<JsonText<StoredInvoice[]> | null, JsonText<StoredInvoice[]> | null | undefined>;
  /** 1 while it's on hold because a partner has asked for that. */
  held_by_partner: Generated<number>;
  /** The sequence at which `order_search` last agreed with it; null where an earlier release wrote it. */
  searched: Generated<number | null>;
}

interface OrderLinesTable {
  id: Generated<number>;
  order_id: number;
  position: number;
  product_id: number | null;
  sku: string | null;
  gtin: string | null;
  name: string;
  quantity: number;
  unit_price: Decimal;
  discount_total: Decimal;
  net_total: Decimal;
  tax_total: Decimal;
  total: Decimal;
  tax_lines: JsonText<StoredTaxLine[]>;
  /** Pieces that won't be sent. */
  closed_quantity: Generated<number>;
}

/** `orders.payments` is their projection, which the API reads (selling/orders/payments.ts). */
interface OrderPaymentsTable {
  order_id: number;
  /** The payment's id in the API. */
  position: number;
  method: string;
  reference: string | null;
  amount: Decimal;
  status: StoredPayment["status"];
}

/** `orders.refunds` is their projection. */
interface OrderRefundsTable {
  order_id: number;
  position: number;
  reference: string | null;
  created_at: Time;
  reason: string | null;
  amount: Decimal;
}

/** A payment page at the provider (payments/attempts.ts). */
interface PaymentAttemptsTable {
  id: Generated<number>;
  order_id: number;
  /** The order's id while the page can be paid, then null. */
  open_order_id: number | null;
  idempotency_key: string;
  /**
   * `opening` until the provider has answered with the page, `open` while it can be paid; then `pending` (a bank debit
   * is under way), `paid`, `failed` or `expired`.
   */
  state: "opening" | "open" | "pending" | "paid" | "failed" | "expired";
  /** In the provider's minor units. */
  amount_minor: number;
  currency: string;
  /** The provider's ids; null until it has told them. */
  session_id: string | null;
  payment_intent: string | null;
  /** The page's address while it can be paid. */
  url: string | null;
  is_disputed: Generated<number>;
  /** What was paid beyond the order's total and goes back, and when it was sent back. */
  surplus_minor: number | null;
  surplus_refunded_at: TimeOrNull;
  /** When the provider was last asked for that, and when it became clear that it doesn't go. */
  surplus_asked_at: TimeOrNull;
  surplus_failed_at: TimeOrNull;
  created_at: Time;
  expires_at: Time;
  /** When the provider was last asked. */
  asked_at: TimeOrNull;
  /** When the customer first came back from paying. */
  returned_at: TimeOrNull;
  /** Since when the provider's answers about it can't be read; null once one can. */
  unreadable_since: TimeOrNull;
}

interface PaymentEventsTable {
  id: string;
  type: string;
  session_id: string | null;
  payment_intent: string | null;
  received_at: Time;
  settled_at: TimeOrNull;
  /** When the provider's answer about it last couldn't be read. */
  unreadable_at: TimeOrNull;
}

interface ProductsTable {
  id: number;
  sequence: number;
  slug: string;
  status: "active" | "archived";
  url: string;
  title: string;
  description: string;
  brand: string | null;
  category: string;
  images: JsonText<{ url: string; alt: string }[]>;
  specifications: JsonText<{ name: string; value: string }[]>;
  variants: JsonText<StoredVariant[]>;
  /** The slugs of all categories that list it, its own first; null where that is the only one. */
  categories: JsonText<string[]> | null;
  /** SHA-256 of the product in the catalogue file, to detect changes. */
  content_hash: string;
  created_at: Time;
  updated_at: Time;
}

export interface StoredVariant {
  sku: string;
  gtin: string | null;
  barcode?: string | null;
  title: string;
  options: Options;
  specifications?: { name: string; value: string }[];
  price: string;
  currency: string;
  prices_include_tax: boolean;
  tax_rate: string;
  availability: "in_stock" | "preorder" | "backorder" | "out_of_stock";
  weight_g?: number;
  tax_class?: string;
  condition?: Exclude<Condition, "new">;
  content?: Content;
  order_quantity?: { least: number; step: number };
}

/** What can be ordered, by SKU. */
interface ProductVariantsTable {
  sku: string;
  product_id: number;
  product_title: string;
  title: string;
  /** Of the product's page with this version chosen, from the root. */
  path: string;
  /** Path of a small picture, from the root. */
  picture: string | null;
  gtin: string | null;
  /** As in content/: with the home country's tax where the shop's prices include it. */
  price: Decimal;
  availability: StoredVariant["availability"] | "archived";
  /** The expected day, YYYY-MM-DD. */
  available_from: string | null;
  when_sold_out: "out_of_stock" | "backorder";
  /** By what it is chosen, as pairs in the product's order; null until the import of a release that knows of it. */
  options: JsonText<Options> | null;
  /** Of one piece with its packaging, in grams; null where nobody wrote it. */
  weight_g: number | null;
  /** Of store.yaml; null for the usual rate. */
  tax_class: string | null;
  content: JsonText<Content> | null;
  /** The least pieces of it in an order, and by how many more it is sold. */
  order_least: number;
  order_step: number;
}

/** The names of a version's options and its values, in the product's order: MySQL would sort the keys of an object. */
export type Options = [name: string, value: string][];

/** A single row. */
interface ShopFactsTable {
  id: number;
  /** ShopFacts of contract/built-files/store.ts. */
  facts: JsonText<unknown>;
  imported_at: Time;
}

interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of the cookie, in hexadecimal digits. */
  token_hash: string;
  created_at: Time;
  used_at: Time;
}

interface BasketLinesTable {
  session_id: number;
  sku: string;
  quantity: number;
  seen_price: Decimal;
  added_at: Time;
}

export interface StoredCheckoutDetails {
  email: string;
  first_name: string;
  last_name: string;
  company: string;
  vat_id: string | null;
  buyer_reference: string | null;
  phone: string | null;
  /** Null where goods are collected and none was given. */
  shipping_address: Required<StoredAddress> | null;
  /** Null where it's the delivery address. */
  billing_address: Required<StoredAddress> | null;
  note: string | null;
  /** The code of the delivery that was chosen; null or missing where none was. */
  method?: string | null;
}

interface CheckoutsTable {
  id: Generated<number>;
  session_id: number;
  /** The session's id until the checkout is placed, then null. */
  open_session_id: number | null;
  details: JsonText<StoredCheckoutDetails>;
  vat_check: JsonText<StoredVatCheck> | null;
  created_at: Time;
  updated_at: Time;
}

interface PlacementsTable {
  checkout_id: number;
  order_id: number;
  session_id: number;
  placed_at: Time;
}

interface SessionOrdersTable {
  session_id: number;
  order_id: number;
}

interface OrderKeysTable {
  /** SHA-256 of the key, in hexadecimal digits. */
  key_hash: string;
  order_id: number;
  created_at: Time;
}

interface MailsTable {
  id: Generated<number>;
  /** Null in a mail about a case. */
  order_id: number | null;
  kind: string;
  /** What it is about besides the order: the id of a case or of a verification; 0 in other mails. */
  about: Generated<number>;
  state: "pending" | "sent" | "failed";
  attempts: Generated<number>;
  next_attempt_at: TimeOrNull;
  lease_token: string | null;
  created_at: Time;
  sent_at: TimeOrNull;
  /** Why the last attempt failed, without addresses. */
  fault: string | null;
}

/** A line of an order that a customer wants to return. */
export interface StoredCaseLine {
  sku: string | null;
  name: string;
  quantity: number;
}

/** What the assistant passed on to a person. */
interface CasesTable {
  id: Generated<number>;
  kind: CaseKind;
  /** Null where it isn't about an order of a verified customer. */
  order_id: number | null;
  reason: CaseReason;
  /** Null unless it is a return. */
  lines: JsonText<StoredCaseLine[]> | null;
  /** What the customer wrote; only the shop reads it. */
  message: string | null;
  contact: string | null;
  /** The platform's id of the conversation, and who it was with. */
  conversation: string;
  channel: string | null;
  subject: string | null;
  created_at: Time;
}

/** Whether a conversation of the assistant may know of an order. */
interface VerificationsTable {
  id: Generated<number>;
  conversation_key: string;
  /** SHA-256 of the order number that was given. */
  asked: string;
  /** Null where number and e-mail address don't belong together. */
  order_id: number | null;
  /** Null until the mail with the code is sent, and once it was confirmed. */
  code_hash: string | null;
  /** Wrong codes. */
  tries: Generated<number>;
  created_at: Time;
  confirmed_at: TimeOrNull;
}

/** The audit of the assistant's tools. */
interface AssistantCallsTable {
  id: Generated<number>;
  called_at: Time;
  /** Null where the request didn't say which conversation, or who was asking. */
  conversation_key: string | null;
  tool: string;
  arguments_hash: string;
  status: number;
  is_verified: number;
}

interface EditorsTable {
  id: Generated<number>;
  /** As Git names authors. */
  name: string;
  /** As emailKey has it; an earlier release stored what was typed, in small letters. */
  email: string;
  /** What passkeys know the editor by, in base64url. */
  user_handle: string;
  created_at: Time;
  /** As writeRights() writes them; an earlier release leaves it to the default, which is all of them. */
  rights: Generated<string>;
}

interface EditorLinksTable {
  /** SHA-256 of the token in the link, in hexadecimal digits. */
  token_hash: string;
  editor_id: number;
  created_at: Time;
}

interface EditorPasskeysTable {
  /** In base64url. */
  credential_id: string;
  editor_id: number;
  /** As COSE writes it. */
  public_key: Buffer;
  /** How often the authenticator has signed, by its own count; 0 where it doesn't count. */
  sign_count: number;
  created_at: Time;
  used_at: TimeOrNull;
}

interface EditorSessionsTable {
  /** SHA-256 of the cookie, in hexadecimal digits. */
  token_hash: string;
  editor_id: number;
  created_at: Time;
}

interface EditorChallengesTable {
  /** In base64url. */
  challenge: string;
  /** Of the link that it was made for; "" for signing in. */
  link_hash: string;
  created_at: Time;
}

interface RequestCountsTable {
  name: string;
  /** An address as http/rate-limits.ts counts it. */
  client: string;
  began_at: Time;
  requests: number;
}

interface DeliveriesTable {
  id: Generated<number>;
  order_id: number;
  order_version: number;
  /** From 1; each forced push of a delivered version adds 1. */
  resend: number;
  webhook_id: string;
  /** Empty where `body_kept` is 0. */
  body: Buffer;
  body_kept: Generated<number>;
  state: "pending" | "delivered" | "failed";
  superseded: Generated<number>;
  attempts: Generated<number>;
  tries: Generated<number>;
  next_attempt_at: TimeOrNull;
  leased_until: TimeOrNull;
  lease_token: string | null;
  created_at: Time;
  delivered_at: TimeOrNull;
}

export type AttentionReason =
  | ("overpaid" | "other_currency" | "paid_twice" | "paid_after_cancelling" | "owed" | "paid_on_hold" | "part_paid")
  | (
      | "disputed"
      | "refund_failed"
      | "surplus_kept"
      | "refund_unclear"
      | "unreadable_answer"
      | "sent_on_hold"
      | "closed_unpaid"
      | "too_few_left"
    );

/** What a person must look at in an order; open until `done_at`. */
interface AttentionTable {
  id: Generated<number>;
  order_id: number;
  reason: AttentionReason;
  /** What it is about, such as the provider's id of a refund; "" for the order. */
  about: string;
  amount: Decimal | null;
  /** How much of the amount went back since. */
  returned: Decimal;
  currency: string | null;
  since: Time;
  /** Who saw to it: a name, `command`, or `automatic` where it settled itself. */
  done_by: string | null;
  done_at: TimeOrNull;
}

/** What is free to sell, by SKU. */
export interface StockTable {
  sku: string;
  /** Pieces that are free by the last count, with all orders off that it knew; null where nobody counts. */
  count: Generated<number | null>;
  /** When more are expected, YYYY-MM-DD. */
  restock_on: Generated<string | null>;
  /** The sequence of the orders up to which the count knew them, and when it was taken. */
  changed_after: Generated<number | null>;
  counted_at: ColumnType<string | null, Date | null | undefined, Date | null>;
  /** The beginning of the hash of the token that sent it; null for a command or a person. */
  counted_by: Generated<string | null>;
  /** Pieces that orders hold which the count didn't know, less those that were given back since; below 0 too. */
  held: Generated<number>;
}

/** Pieces that an order holds; the numbers are sequences of the orders (selling/stock/ledger.ts). */
interface StockHoldsTable {
  order_id: number;
  sku: string;
  units: number;
  /** When the order was placed, or came back after it had ended. */
  placed: number;
  /** 1 for what won't be sent of an order that was sent in part, else 0. */
  part: Generated<number>;
  /** When it first became one that the ERP books; null before. */
  booked: number | null;
  /** When it stopped holding them. */
  released: number | null;
}

/** What the shop's own people counted; a partner's last count is in `stock`. */
interface StockHistoryTable {
  id: Generated<number>;
  sku: string;
  /** Pieces on the shelf, with those that are ordered and not sent: as the shop had it, and as they found it; null: not counted. */
  was: number | null;
  became: number | null;
  /** As they were called then, or "command". */
  done_by: string;
  done_at: Time;
}

/** The files of `orders.invoices`, which says what is written in them. */
interface InvoicesTable {
  order_id: number;
  /** The document's id in the API. */
  position: number;
  number: string;
  pdf: Buffer;
  xml: Buffer | null;
}

/** What people and partners did with an order; what happened by itself isn't here. */
interface OrderHistoryTable {
  id: Generated<number>;
  order_id: number;
  /** The order's version after it. */
  version: number;
  /** The act's name (selling/orders/acts.ts). */
  act: string;
  /** As they were called then: "command", or "token" and the beginning of its hash. */
  done_by: string;
  done_at: Time;
  /** The order's status before and after. */
  was: StoredOrderStatus;
  became: StoredOrderStatus;
  /** What was paid or refunded. */
  amount: Decimal | null;
  /** Pieces that were sent, came back or won't be sent. */
  units: number | null;
  /** Of the form that asked for it, which does it once; null for commands and partners. */
  act_key: Generated<string | null>;
}

/** What the people who work in the shop note of an order. */
interface OrderNotesTable {
  id: Generated<number>;
  order_id: number;
  note: string;
  /** As they were called then. */
  done_by: string;
  done_at: Time;
}

/** Refunds by card that somebody in the shop has decided (payments/card-refunds.ts). */
interface CardRefundsTable {
  id: Generated<number>;
  order_id: number;
  /** The page that was paid. */
  attempt_id: number;
  /** In the provider's minor units. */
  amount_minor: number;
  /** `sent` once the provider has made it; what becomes of it then is settling's. */
  state: "asked" | "sent" | "refused";
  /** How often the provider was asked to make it, and when last. */
  tries: Generated<number>;
  asked_at: ColumnType<string | null, Date | null | undefined, Date | null>;
  /** The provider's id of it. */
  refund_id: Generated<string | null>;
  /** For the shop alone. */
  reason: string | null;
  done_by: string;
  created_at: Time;
}

/** What is to be done with an order, and all of them (listsOf in order-search.ts). An order may stand in several. */
export type OrderList = "accept" | "send" | "pay" | "person" | "all";

/** The words by which an order is found, and the lists that it stands in (order-search.ts). */
interface OrderSearchTable {
  word: string;
  /** When the order was placed; of a draft, when it was stored. */
  placed: Time;
  order_id: number;
}

/** A single row. */
interface OrderSearchStateTable {
  id: number;
  /** Up to which sequence all orders were compared with their words. */
  compared: number;
}

/** Who took orders out of the shop as a table. */
interface OrderExportsTable {
  id: Generated<number>;
  /** As they were called then. */
  done_by: string;
  done_at: Time;
  /** Which orders: of a list, within days, YYYY-MM-DD, and whether those alone that something was searched for. */
  list: OrderList;
  from_day: string | null;
  to_day: string | null;
  is_search: number;
  /** Null until the last one was written: whoever broke it off has some of them. */
  orders: number | null;
}

/** A single row. */
interface StockLedgerTable {
  id: number;
  /** From which sequence on the ledger is exact. */
  base: number;
  /** Up to which it was compared with the orders. */
  compared: number;
}

/** What `products` says of a version in place of content/; null where it says what content/ does. */
interface ShownOffersTable {
  sku: string;
  availability: StoredVariant["availability"] | null;
  price: Decimal | null;
}

/** The last price of each SKU that the partner's ERP has sent. */
interface ErpPricesTable {
  sku: string;
  /** As prices in content/: with the home country's tax where the shop's prices include it. */
  price: Decimal;
  currency: string;
  /** From when on it holds, as the ERP says. */
  priced_at: Time;
  /** The beginning of the hash of the token that sent it. */
  sent_by: string;
}

/** Every price that has come into force, in this order. */
interface PriceHistoryTable {
  id: Generated<number>;
  sku: string;
  price: Decimal;
  currency: string;
  /** As the ERP says; of a price in content/, when it was imported. */
  priced_at: Time;
  /** Null: it's content's. */
  sent_by: string | null;
  /** When it came into force here. */
  stored_at: Time;
}

interface DeliveryAttemptsTable {
  delivery_id: number;
  number: number;
  started_at: Time;
  duration_ms: number | null;
  outcome: StoredOutcome;
  http_status: number | null;
  response_excerpt: string | null;
}

interface IdempotencyKeysTable {
  /** SHA-256 of partner, method, path and key, in hexadecimal digits. */
  key_hash: string;
  order_id: number;
  created_at: Time;
  status: number | null;
  /** The body of the answer, as JSON. */
  answer: string | null;
  /** SHA-256 of what was sent; null in rows that an older version wrote. */
  request_hash: string | null;
}

export interface Tables {
  counters: CountersTable;
  orders: OrdersTable;
  order_lines: OrderLinesTable;
  order_payments: OrderPaymentsTable;
  order_refunds: OrderRefundsTable;
  products: ProductsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  idempotency_keys: IdempotencyKeysTable;
  product_variants: ProductVariantsTable;
  shop_facts: ShopFactsTable;
  sessions: SessionsTable;
  basket_lines: BasketLinesTable;
  checkouts: CheckoutsTable;
  placements: PlacementsTable;
  session_orders: SessionOrdersTable;
  order_keys: OrderKeysTable;
  mails: MailsTable;
  cases: CasesTable;
  verifications: VerificationsTable;
  assistant_calls: AssistantCallsTable;
  editors: EditorsTable;
  editor_links: EditorLinksTable;
  editor_passkeys: EditorPasskeysTable;
  editor_sessions: EditorSessionsTable;
  editor_challenges: EditorChallengesTable;
  request_counts: RequestCountsTable;
  payment_attempts: PaymentAttemptsTable;
  payment_events: PaymentEventsTable;
  attention: AttentionTable;
  stock: StockTable;
  order_history: OrderHistoryTable;
  order_search: OrderSearchTable;
  order_search_state: OrderSearchStateTable;
  order_exports: OrderExportsTable;
  order_notes: OrderNotesTable;
  card_refunds: CardRefundsTable;
  invoices: InvoicesTable;
  stock_holds: StockHoldsTable;
  stock_ledger: StockLedgerTable;
  stock_history: StockHistoryTable;
  shown_offers: ShownOffersTable;
  erp_prices: ErpPricesTable;
  price_history: PriceHistoryTable;
}
