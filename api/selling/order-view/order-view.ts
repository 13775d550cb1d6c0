import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { currencyDigits } from "../../contract/currencies.ts";
import { PICKUP } from "../../contract/delivery-methods.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { townLines } from "../../contract/postal-address.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import { showEmail } from "../../platform/mail/email-address.ts";
import { wordOf } from "../../platform/private-pages/page.ts";
import { readUnpaid } from "../orders/cancel-unpaid.ts";
import { totalToPay, valueOfClosed } from "../orders/close-order.ts";
import { sum } from "../orders/money.ts";
import type { LinePieces } from "../orders/pieces.ts";
import { HTTPS_URL } from "../orders/record-fulfillment.ts";
import { INVOICE_KINDS, ORDER_STATUSES, type Order } from "../orders/schema.ts";
import { orderPath, type ShopOrder } from "../orders/to-order.ts";
import { isChargeable } from "../payments/amounts.ts";
import { includesTax, netOf, TaxLineView, viewTaxLines } from "../quote/tax-line-view.ts";
import { nameOfWay, PickupView, viewPickup } from "../quote/way-view.ts";
import { describeTransfer, Transfer } from "./transfer.ts";

const text = Type.String();

/** How an order stands, in the customer's terms. */
const STATES = [
  "received",
  "awaiting_card",
  "debit_pending",
  "awaiting_payment",
  "part_paid",
  "part_paid_card",
  "paid",
  "accepted",
  "partly_sent",
  "partly_sent_due",
  "sent_due",
  // The same of goods that the customer collects, and all of them paid.
  "partly_ready",
  "partly_ready_due",
  "ready_due",
  "ready",
  ...ORDER_STATUSES.filter((status) => status !== "pending" && status !== "processing"),
] as const;
type State = (typeof STATES)[number];

/** What happens next, where the goods will be collected. */
const COLLECTED = ["awaiting_payment_pickup", "part_paid_pickup", "paid_pickup", "accepted_pickup"] as const;

/** The key of a sentence on how an order stands. */
export const OrderState = wordOf("order.state", STATES);

export const AddressView = Type.Object({
  /** Without the country, and without what is empty. */
  lines: Type.Array(text),
  country_code: text,
});

/** An invoice or a credit note, with the addresses of its files for the customer. */
export const DocumentView = Type.Object({
  /** The key of what it's called, with its number. */
  title: wordOf("order.document", INVOICE_KINDS),
  number: text,
  issued_on: text,
  total: text,
  pdf: text,
  xml: nullable(text),
});

/** Pieces of articles. */
const Pieces = Type.Array(Type.Object({ name: text, quantity: Type.Integer() }));

/** An order as its page and its mails show it; amounts are decimal strings in `currency`. */
export const OrderView = Type.Object({
  number: text,
  currency: text,
  placed_at: text,
  /** The keys of two sentences among the words of private pages: how the order stands, and what happens next. */
  state: OrderState,
  next: wordOf("order.next", [...STATES, ...COLLECTED, "awaiting_card_soon", "owed", "ask"]),
  /** Why it was cancelled: as somebody wrote, or that it wasn't paid within so many days or hours. */
  cancel_reason: nullable(text),
  unpaid_days: nullable(Type.Integer()),
  unpaid_hours: nullable(Type.Integer()),
  lines: Type.Array(
    Type.Object({
      ...{ name: text, sku: nullable(text), quantity: Type.Integer(), unit_price: text, total: text },
      /** Pieces of it that won't come. */
      closed: Type.Integer(),
    }),
  ),
  /**
   * What won't come of an order that was sent in part, why, and the key of a sentence on what was paid for it; null where
   * everything comes.
   */
  closed: nullable(
    Type.Object({
      lines: Pieces,
      reason: nullable(text),
      money: wordOf("order.closed_money", ["owed", "paid_back", "unpaid"]),
    }),
  ),
  /** What was sent, oldest first; without lines where it was the whole order at once. */
  shipments: Type.Array(
    Type.Object({
      sent_at: text,
      carrier: nullable(text),
      tracking_number: nullable(text),
      tracking_url: nullable(text),
      lines: Pieces,
    }),
  ),
  /** What came back, oldest first. */
  returns: Type.Array(Type.Object({ received_at: text, lines: Pieces })),
  documents: Type.Array(DocumentView),
  /** Lines, `items` and `shipping` are with tax. */
  includes_tax: Type.Boolean(),
  tax_lines: Type.Array(TaxLineView),
  totals: Type.Object({
    items: text,
    shipping: text,
    /** Both without tax. */
    net: text,
    total: text,
    /** The price of what won't come, which isn't to be paid; null where everything comes. */
    closed: nullable(text),
    /** Null where nothing was received, or paid back. */
    paid: nullable(text),
    refunded: nullable(text),
    due: text,
  }),
  /** How to pay what is due; null where nothing is to be paid now. */
  transfer: nullable(Transfer),
  /**
   * Payment by card of what is due; null where there is none. `again`: the last attempt took no money, and no page is
   * open; `unavailable`: the payment page was just asked for and couldn't be opened; `by_transfer`: it can be paid by
   * transfer instead; `unchanged`: that was just asked for, and the payment page couldn't be closed.
   */
  card: nullable(
    Type.Object({
      amount: text,
      again: Type.Boolean(),
      unavailable: Type.Boolean(),
      by_transfer: Type.Boolean(),
      unchanged: Type.Boolean(),
    }),
  ),
  buyer: nullable(
    Type.Object({ email: text, name: text, company: nullable(text), phone: nullable(text), vat_id: nullable(text) }),
  ),
  buyer_reference: nullable(text),
  billing_address: nullable(AddressView),
  shipping_address: nullable(AddressView),
  /** The way of delivery; null where it has no name but that of the only one, and in orders without any. */
  method: nullable(text),
  /** Whether the customer collects the goods, and where; null where they don't, and where the shop has no such place any more. */
  is_collected: Type.Boolean(),
  pickup: nullable(PickupView),
  /** Where to ask for it, of an order that is collected from a shop that has no such place any more. */
  ask_where: nullable(text),
  note: nullable(text),
  seller: Type.Object({
    name: text,
    address: AddressView,
    registration: text,
    vat_id: nullable(text),
    email: text,
    phone: text,
  }),
});
export type OrderView = Static<typeof OrderView>;

/** What is known of an order's payment page, besides the order. */
export interface PaymentPage {
  /** It can be paid as far as we know, so it may just have been. */
  isOpen: boolean;
  /** It was just asked for and couldn't be opened. */
  isUnavailable: boolean;
  /** It was just to be closed, to pay by transfer instead, and couldn't be. */
  isUnchanged: boolean;
}

const NO_PAGE: PaymentPage = { isOpen: false, isUnavailable: false, isUnchanged: false };

/** An order in the form in which its page and its mails show it. */
export function viewOrder(
  order: ShopOrder,
  shop: ShopFacts,
  { isOpen, isUnavailable, isUnchanged }: PaymentPage = NO_PAGE,
): OrderView {
  const { totals, prices_include_tax, buyer } = order;
  const digits = currencyDigits(order.currency);
  const add = (...amounts: string[]) => formatMoney(sum(amounts.map((each) => parseMoney(each))), digits);
  const withTax = (net: string, tax: string) => (prices_include_tax ? add(net, tax) : net);
  const paid = add(...order.payments.flatMap(({ status, amount }) => (status === "paid" ? amount : [])));
  const isOwed = order.status === "cancelled" && parseMoney(paid) > parseMoney(totals.refunded);
  const reason = order.status === "cancelled" ? order.cancel_reason : null;
  const unpaid = { days: readUnpaid(reason, "day"), hours: readUnpaid(reason, "hour") };
  const { company } = shop;
  const state = nameState(order, shop.card);
  const isNeededSoon = state === "awaiting_card" && order.holds_counted;
  const transfer = state === "awaiting_card" || state === "debit_pending" ? null : describeTransfer(order, shop);
  return {
    number: order.number,
    currency: order.currency,
    placed_at: order.placed_at ?? order.created_at,
    state: `order.state.${state}`,
    next: `order.next.${isOwed ? "owed" : transfer === null && BY_TRANSFER.has(state) ? "ask" : isNeededSoon ? "awaiting_card_soon" : whatFollows(order, state)}`,
    cancel_reason: unpaid.days === null && unpaid.hours === null ? reason : null,
    unpaid_days: unpaid.days,
    unpaid_hours: unpaid.hours,
    lines: order.lines.map(({ name, sku, quantity, unit_price, net_total, tax_total, closed_quantity: closed }) => {
      return { name, sku, quantity, unit_price, total: withTax(net_total, tax_total), closed };
    }),
    closed: viewClosed(order, parseMoney(paid) - parseMoney(totals.refunded)),
    shipments: order.fulfillments.map((fulfillment) => viewShipment(order, fulfillment)),
    returns: order.returns.map(({ received_at, lines }) => ({ received_at, lines: viewPieces(order, lines) })),
    documents: order.invoices.map((invoice) => viewDocument(order.number, invoice)),
    includes_tax: includesTax(order, totals),
    tax_lines: viewTaxLines(order.tax_lines),
    totals: {
      items: withTax(totals.items_net, totals.items_tax),
      shipping: withTax(totals.shipping_net, totals.shipping_tax),
      net: netOf(totals, order.currency),
      total: totals.total,
      closed: orNull(formatMoney(valueOfClosed(order), digits)),
      paid: orNull(paid),
      refunded: orNull(totals.refunded),
      due: totals.due,
    },
    transfer,
    card:
      state === "awaiting_card" || state === "part_paid_card"
        ? {
            amount: totals.due,
            again: !isOpen && order.payments.some(hasFailed),
            unavailable: isUnavailable,
            by_transfer: shop.transfer !== null,
            unchanged: isUnchanged,
          }
        : null,
    buyer: buyer && viewPerson(buyer),
    buyer_reference: order.buyer_reference,
    billing_address: order.billing_address && viewAddress(order.billing_address),
    shipping_address: order.shipping_address && viewAddress(order.shipping_address),
    method: nameMethod(order),
    is_collected: isCollected(order),
    pickup: isCollected(order) ? viewPickup(shop) : null,
    ask_where: isCollected(order) && viewPickup(shop) === null ? shop.sales_email : null,
    note: order.note,
    seller: {
      name: shop.name,
      address: {
        lines: [company.legal_name, company.street, ...townLines(company)],
        country_code: company.country_code,
      },
      registration: company.registration,
      vat_id: shop.tax.registration,
      email: shop.sales_email,
      phone: shop.phone,
    },
  };
}

/** Who ordered, as pages show them. */
export const viewPerson = (person: NonNullable<Order["buyer"] | Order["customer"]>) => ({
  email: showEmail(person.email),
  name: joinWords(person.first_name, person.last_name),
  company: person.company,
  phone: person.phone,
  vat_id: person.vat_id,
});

/** Whether the customer collects the goods. */
export const isCollected = ({ shipping_lines }: Pick<Order, "shipping_lines">): boolean =>
  shipping_lines.some(({ code }) => code === PICKUP);

function nameMethod({ shipping_lines: [line] }: Order): string | null {
  return line ? nameOfWay(line.code, line.title) : null;
}

function whatFollows(order: Order, state: State): State | (typeof COLLECTED)[number] {
  const collected = COLLECTED.find((word) => word === `${state}_pickup`);
  return isCollected(order) && collected !== undefined ? collected : state;
}

const hasFailed = ({ status }: Order["payments"][number]) => status === "failed" || status === "voided";

const isLink = new RegExp(HTTPS_URL, "u");

function viewShipment(
  order: Order,
  { shipped_at, carrier, tracking_number, tracking_url, lines: sent }: Order["fulfillments"][number],
): OrderView["shipments"][number] {
  const isClosed = order.lines.some(({ closed_quantity }) => closed_quantity > 0);
  const isAll = order.fulfillments.length === 1 && order.fulfillment_status === "fulfilled" && !isClosed;
  return {
    sent_at: shipped_at,
    ...{ carrier, tracking_number },
    // Earlier releases took addresses with a user name, too.
    tracking_url: tracking_url !== null && isLink.test(tracking_url) ? tracking_url : null,
    lines: isAll ? [] : viewPieces(order, sent),
  };
}

const viewPieces = ({ lines }: Order, pieces: readonly LinePieces[]): Static<typeof Pieces> =>
  pieces.flatMap(({ line_id, quantity }) =>
    lines.filter(({ id }) => id === line_id).map(({ name }) => ({ name, quantity })),
  );

/** `kept`: what was paid and didn't go back. */
function viewClosed(order: ShopOrder, kept: bigint): OrderView["closed"] {
  const closed = order.lines.map(({ id, closed_quantity }) => ({ line_id: id, quantity: closed_quantity }));
  const pieces = closed.filter(({ quantity }) => quantity > 0);
  if (pieces.length === 0) return null;
  const rest = totalToPay(order);
  const isPaidBack = parseMoney(order.totals.refunded) > 0n && parseMoney(order.totals.due) === 0n;
  const money = kept > rest ? "owed" : isPaidBack ? "paid_back" : "unpaid";
  return { lines: viewPieces(order, pieces), reason: order.close_reason, money: `order.closed_money.${money}` };
}

export function viewDocument(
  order: string,
  { id, number, kind, issued_on, total, has_xml }: Order["invoices"][number],
): Static<typeof DocumentView> {
  const path = `${orderPath(order)}/invoices/${id}`;
  const xml = has_xml ? `${path}.xml` : null;
  return { title: `order.document.${kind}`, number, issued_on, total, pdf: `${path}.pdf`, xml };
}

const orNull = (amount: string) => (parseMoney(amount) > 0n ? amount : null);

const joinWords = (...words: (string | null)[]) => words.filter(Boolean).join(" ");

/** An address as an envelope in its country has it. */
export function viewAddress(
  address: Omit<NonNullable<Order["shipping_address"]>, "phone">,
): Static<typeof AddressView> {
  const { first_name, last_name, company, address1, address2, country_code } = address;
  const name = joinWords(first_name, last_name);
  const lines = [name, company, address1, address2, ...townLines(address)];
  return { lines: lines.flatMap((line) => line || []), country_code };
}

/** The key of the sentence on how an order stands, in the customer's terms: what is paid and sent, more than its status. */
export const stateOf = (order: ShopOrder): Static<typeof OrderState> => `order.state.${nameState(order, true)}`;

/** What is to be done in these is to pay by transfer. */
const BY_TRANSFER: ReadonlySet<State> = new Set<State>([
  ...(["awaiting_payment", "accepted", "partly_sent_due", "sent_due"] as const),
  ...(["partly_ready_due", "ready_due"] as const),
]);

/** An order to be paid by card waits for a transfer once the shop takes no cards any more, or none for what is due. */
function nameState(order: ShopOrder, takesCards: boolean): State {
  const { status, fulfillment_status, currency, totals, payments, payment_method } = order;
  const collected = isCollected(order);
  const isDue = parseMoney(totals.due) > 0n;
  const isPartPaid = isDue && parseMoney(totals.due) < parseMoney(totals.total);
  if (status === "pending" && isDue && payment_method === "card") {
    if (payments.some((payment) => payment.status === "pending")) return "debit_pending";
    if (takesCards && isChargeable(totals.due, currency)) return isPartPaid ? "part_paid_card" : "awaiting_card";
  }
  if (status === "pending") return isPartPaid ? "part_paid" : isDue ? "awaiting_payment" : "received";
  if (status === "completed" && collected) return "ready";
  if (status !== "processing") return status;
  if (fulfillment_status === "partial") {
    if (collected) return isDue ? "partly_ready_due" : "partly_ready";
    return isDue ? "partly_sent_due" : "partly_sent";
  }
  if (fulfillment_status === "fulfilled" && isDue) return collected ? "ready_due" : "sent_due";
  return isDue ? "accepted" : "paid";
}
