import type { Static } from "typebox";
import { currencyDigits } from "../../contract/currencies.ts";
import { parseMoney } from "../../contract/money.ts";
import { viewOrder, viewPerson } from "../../selling/order-view/order-view.ts";
import { showMoney } from "../../selling/orders/money.ts";
import type { LinePieces } from "../../selling/orders/pieces.ts";
import type { Order } from "../../selling/orders/schema.ts";
import { isErased, whoOrdered } from "../../selling/orders/who-ordered.ts";
import { viewMoment } from "../moment.ts";
import { ACT_FORMS, ACT_NAMES, type ActName, type Standing } from "./act-forms.ts";
import type { Push } from "./pushes.ts";
import type { HistoryRow, OrderFacts, OrderStanding } from "./read-standing.ts";
import { HISTORY_ACTS, type HistoryView, type paperPage, type StaffOrderView } from "./views.ts";

/** The address of an order's page for those who work in the shop. */
export const staffOrderPath = (number: string): string => `/admin/orders/${number}`;

type Who = StaffOrderView["notes"][number]["who"];

/** Who did something, by the name that was noted then (selling/orders/acts.ts). */
function viewWho(by: string): Who {
  const [, token = ""] = /^token (\w+)$/.exec(by) ?? [];
  if (token) return { name: "", word: "staff_order.who.partner", token };
  if (by === "command" || by === "automatic") return { name: "", word: `staff_order.who.${by}`, token: "" };
  return { name: by, word: null, token: "" };
}

type HistoryEntry = Static<typeof HistoryView>;

/** Acts whose words say what the order became. */
const NAMES_STATUS = new Set(["cancel", "hold"]);

/** An act of a later release, which was rolled back, is something else. */
export const viewHistory = (rows: readonly HistoryRow[], { currency }: Pick<Order, "currency">): HistoryEntry[] =>
  rows.map(({ act, done_by, done_at, was, became, amount, units }) => ({
    act: `staff_order.history.${HISTORY_ACTS.find((name) => name === act) ?? "unknown"}` as const,
    who: viewWho(done_by),
    when: viewMoment(done_at),
    amount: amount === null ? null : showMoney(amount, currencyDigits(currency)),
    units,
    became: was === became || NAMES_STATUS.has(act) ? null : `staff_order.status.${became}`,
  }));

/** What a form is called: to hold a cancelled order is to reopen it. */
export const nameOfAct = (name: ActName, { status }: Pick<Order, "status">): StaffOrderView["acts"][number]["name"] =>
  name === "hold" && status === "cancelled" ? "staff_order.act.reopen" : `staff_order.act.${name}`;

/** How an order stands in words. One that is on credit goes on being processed when all was sent. */
export const standsAs = ({ status, fulfillment_status }: Order): StaffOrderView["status"] =>
  status === "processing" && (fulfillment_status === "fulfilled" || fulfillment_status === "returned")
    ? "staff_orders.state.sent_unpaid"
    : `staff_order.status.${status}`;

/**
 * What is hardly done next stands last: money to record when nothing is due, a parcel while the order is on hold, and to hold
 * what has ended.
 */
const isUnlikely = (name: ActName, { status, totals }: Order): boolean =>
  (name === "paid" && parseMoney(totals.due) <= 0n) ||
  (name === "sent" && status === "on_hold") ||
  (name === "hold" && (status === "completed" || status === "cancelled"));

const offered = (standing: Standing): ActName[] => {
  const names = ACT_NAMES.filter((name) => ACT_FORMS[name].isOffered(standing));
  return names.toSorted((a, b) => Number(isUnlikely(a, standing.order)) - Number(isUnlikely(b, standing.order)));
};

const sumOf = (parts: readonly { lines: readonly LinePieces[] }[], lineId: number): number =>
  parts
    .flatMap(({ lines }) => lines)
    .reduce((sum, { line_id, quantity }) => sum + (line_id === lineId ? quantity : 0), 0);

const namePieces = ({ lines }: Order, pieces: readonly LinePieces[]) =>
  pieces.flatMap(({ line_id, quantity }) =>
    lines.filter(({ id }) => id === line_id).map(({ name }) => ({ name, quantity })),
  );

/** Whether an attempt has failed and none is under way. */
const isRetried = ({ state, attempts }: Pick<Push, "attempts" | "state">): boolean =>
  state === "pending" && attempts.length > 0 && attempts.every(({ outcome }) => outcome !== "in_flight");

/** The order's page; `result` says what was done just now. */
export function viewStaffOrder(
  standing: OrderStanding,
  facts: OrderFacts,
  result: StaffOrderView["result"],
): StaffOrderView {
  const { order, shop, matters } = standing;
  const view = viewOrder(order, shop);
  const person = whoOrdered(order);
  const path = staffOrderPath(order.number);
  const numbers = new Map(order.invoices.map(({ id, number }) => [id, number]));
  return {
    title_word: "staff_order.title",
    ...{ number: order.number, currency: order.currency, result, path },
    placed: viewMoment(order.placed_at ?? order.created_at),
    status: standsAs(order),
    payment_status: `staff_order.payment_status.${order.payment_status}`,
    fulfillment_status:
      order.fulfillment_status === "fulfilled" && order.lines.some(({ closed_quantity }) => closed_quantity > 0)
        ? "staff_order.rest_closed"
        : `staff_order.fulfillment_status.${order.fulfillment_status}`,
    paid: order.paid_at === null ? null : viewMoment(order.paid_at),
    cancelled: order.cancelled_at === null || order.status !== "cancelled" ? null : viewMoment(order.cancelled_at),
    ...{ cancel_reason: view.cancel_reason, unpaid_days: view.unpaid_days, unpaid_hours: view.unpaid_hours },
    close_reason: order.close_reason,
    matters: matters.map(({ id, reason, amount, currency }) => ({
      sentence: `order.attention.${reason}`,
      closes: `staff_order.closes.${reason}`,
      ...{ amount, currency },
      when: viewMoment(facts.since.get(id) ?? order.updated_at),
      path: `${path}/done?matter=${id}`,
    })),
    going_back: standing.goingBack,
    is_held: order.status === "on_hold",
    acts: offered(standing).map((name) => ({ name: nameOfAct(name, order), path: `${path}/${name}` })),
    lines: order.lines.map(({ id, sku, closed_quantity: closed }, index) => {
      const version = sku === null ? undefined : facts.versions.get(sku);
      const { name, quantity, unit_price, total } = view.lines[index] ?? {
        name: "",
        quantity: 0,
        unit_price: "0",
        total: "0",
      };
      return {
        ...{ name, sku, quantity, unit_price, total, closed },
        ...{ picture: version?.picture ?? null, path: version?.path ?? null },
        ...{ sent: sumOf(order.fulfillments, id), back: sumOf(order.returns, id) },
        available: (sku === null ? undefined : facts.available.get(sku)) ?? null,
        // Only of what is sold still.
        stock: version ? `/admin/stock/version?${new URLSearchParams({ sku: version.sku })}` : null,
      };
    }),
    ...{ includes_tax: view.includes_tax, tax_lines: view.tax_lines, totals: view.totals },
    payments: order.payments.map(({ method, reference, amount, status }) => ({
      ...{ method, reference, amount },
      state: `staff_order.payment.${status}`,
    })),
    refunds: order.refunds.map(({ id, amount, reason, created_at }) => ({
      ...{ amount, reason, when: viewMoment(created_at) },
      reference: facts.refundReferences.get(id) ?? null,
    })),
    card_refunds: facts.cardRefunds.map(({ amount, state, reason, done_by, created_at }) => ({
      ...{ amount, reason, state: `staff_order.card_refund.${state}` },
      ...{ who: viewWho(done_by), when: viewMoment(created_at) },
    })),
    parcels: order.fulfillments.map((parcel, index) => ({
      when: viewMoment(parcel.shipped_at),
      ...{ reference: parcel.reference, carrier: parcel.carrier, tracking_number: parcel.tracking_number },
      // The page's own view leaves out addresses that an earlier release took.
      tracking_url: view.shipments[index]?.tracking_url ?? null,
      lines: namePieces(order, parcel.lines),
      slip: `${path}/packing-slip?parcel=${parcel.id}`,
    })),
    returns: order.returns.map(({ received_at, reference, lines }) => ({
      ...{ when: viewMoment(received_at), reference, lines: namePieces(order, lines) },
    })),
    documents: view.documents.map((document) => ({
      ...document,
      pdf: document.pdf.replace("/account/", "/admin/"),
      xml: document.xml?.replace("/account/", "/admin/") ?? null,
    })),
    buyer: person && !isErased(order) ? viewPerson(person) : null,
    is_erased: isErased(order),
    vat_check: order.vat_check && `staff_order.vat_check.${order.vat_check.result}`,
    buyer_reference: order.buyer_reference,
    ...{ shipping_address: view.shipping_address, billing_address: view.billing_address },
    ...{ method: view.method, is_collected: view.is_collected },
    ...{ note: order.note, partner_note: order.partner_note, external_id: order.external_id },
    notes: facts.notes.map(({ note, done_by, done_at }) => ({
      note,
      who: viewWho(done_by),
      when: viewMoment(done_at),
    })),
    mails: standing.queued.map(({ kind, about, state, attempts, queued_at, sent_at, fault }) => ({
      name: `staff_order.mail.${kind}`,
      document: kind === "invoice" ? (numbers.get(about) ?? null) : null,
      state: `staff_order.mail_state.${state === "pending" && attempts > 0 ? "retried" : state}`,
      ...{ when: viewMoment(sent_at ?? queued_at), fault: state === "sent" ? null : fault },
    })),
    has_webhook: standing.pushes !== undefined,
    pushes: facts.pushes.map(({ order_version, state, superseded, created_at, attempts }) => ({
      version: order_version,
      state: `staff_order.push_state.${superseded ? "superseded" : isRetried({ state, attempts }) ? "retried" : state}`,
      when: viewMoment(created_at),
      attempts: attempts.map(({ started_at, outcome, http_status }) => ({
        ...{ when: viewMoment(started_at), outcome: `staff_order.outcome.${outcome}`, status: http_status },
      })),
    })),
    history: viewHistory(facts.history, order),
  };
}

/** The order on paper; a slip is of a parcel that was sent, or else of what wasn't sent yet. */
export function viewPaper(
  { order, shop }: OrderStanding,
  title: "packing_slip" | "pro_forma",
  pieces: readonly LinePieces[],
): Static<typeof paperPage.view> {
  return {
    ...viewOrder(order, shop),
    title_word: `staff_order.paper.${title}`,
    is_slip: title === "packing_slip",
    packed: pieces.flatMap(({ line_id, quantity }) =>
      order.lines.filter(({ id }) => id === line_id).map(({ name, sku }) => ({ name, sku, quantity })),
    ),
    back: staffOrderPath(order.number),
  };
}
