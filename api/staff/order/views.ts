import Type, { type Static } from "typebox";
import { CUSTOMER_MAILS } from "../../contract/mail-kinds.ts";
import type { AttentionReason } from "../../platform/database/tables.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import { type PrivatePage, wordOf } from "../../platform/private-pages/page.ts";
import { AddressView, DocumentView, OrderView } from "../../selling/order-view/order-view.ts";
import { REFUSALS } from "../../selling/orders/act-refused.ts";
import { ATTENTION_REASONS } from "../../selling/orders/attention.ts";
import { FULFILLMENT_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from "../../selling/orders/schema.ts";
import { TaxLineView } from "../../selling/quote/tax-line-view.ts";
import { MomentView } from "../moment.ts";
import { ACT_NAMES, EFFECTS, FAULTS, FIELDS, HINTS, LEGENDS } from "./act-forms.ts";
import { OUTCOMES } from "./pushes.ts";

const text = Type.String();
const whole = Type.Integer();
const REASONS = Object.keys(ATTENTION_REASONS) as AttentionReason[];
/** Acts as the history names them (selling/orders/acts.ts). */
export const HISTORY_ACTS = [
  ...(["paid", "accept", "sent", "release", "hold", "correct", "cancel", "close", "returned", "refunded"] as const),
  ...(["card_refund", "mail", "push", "note", "done", "invoiced", "acknowledge", "unknown"] as const),
] as const;
const ORDER_MAILS = [...CUSTOMER_MAILS, "shop_new_order", "shop_needs_person"] as const;
/** What a form brings back besides what is typed: its key, and how the order was when it was shown. */
const Hidden = Type.Array(Type.Object({ name: text, value: text }));

/** Somebody: a name, or the key of a word for whom has none, with the beginning of a partner's token. */
const WhoView = Type.Object({
  name: text,
  word: nullable(wordOf("staff_order.who", ["command", "partner", "automatic"])),
  token: text,
});

const statusName = wordOf("staff_order.status", ORDER_STATUSES);
/** As in the list, where all was sent and the money hasn't come: "to be sent" would be wrong. */
const standsAs = Type.Union([statusName, wordOf("staff_orders.state", ["sent_unpaid"])]);

/** What somebody did with the order; "" and 0 where there is nothing to say. */
export const HistoryView = Type.Object({
  act: wordOf("staff_order.history", HISTORY_ACTS),
  who: WhoView,
  when: MomentView,
  amount: nullable(text),
  units: nullable(whole),
  /** Null where the status stayed. */
  became: nullable(statusName),
});

const Pieces = Type.Array(Type.Object({ name: text, quantity: whole }));

/** A link to a form. */
const ActLink = Type.Object({ name: wordOf("staff_order.act", [...ACT_NAMES, "reopen"]), path: text });

const MailView = Type.Object({
  name: wordOf("staff_order.mail", ORDER_MAILS),
  /** The number of the document that it is about. */
  document: nullable(text),
  state: wordOf("staff_order.mail_state", ["pending", "sent", "failed", "retried"]),
  when: MomentView,
  /** What a mail server said, in its code, or why it wasn't sent. */
  fault: nullable(text),
});

const PushView = Type.Object({
  version: whole,
  state: wordOf("staff_order.push_state", ["pending", "retried", "delivered", "failed", "superseded"]),
  when: MomentView,
  attempts: Type.Array(
    Type.Object({ when: MomentView, outcome: wordOf("staff_order.outcome", OUTCOMES), status: nullable(whole) }),
  ),
});

/** /admin/orders/{number}: all that the shop knows of an order, and what can be done with it. */
export const staffOrderPage = {
  template: "staff/order",
  view: Type.Object({
    title_word: text,
    number: text,
    currency: text,
    placed: MomentView,
    /** When it was first paid in full, and when it was cancelled. */
    paid: nullable(MomentView),
    cancelled: nullable(MomentView),
    /** What was just done, or had been done before; null after neither. */
    result: nullable(wordOf("staff_order.result", [...ACT_NAMES, "card_made", "card_refused", "again"])),
    status: standsAs,
    payment_status: wordOf("staff_order.payment_status", PAYMENT_STATUSES),
    fulfillment_status: Type.Union([
      wordOf("staff_order.fulfillment_status", FULFILLMENT_STATUSES),
      wordOf("staff_order", ["rest_closed"]),
    ]),
    /** As on the customer's page. */
    cancel_reason: nullable(text),
    unpaid_days: nullable(whole),
    unpaid_hours: nullable(whole),
    close_reason: nullable(text),
    /** What a person must look at: what to do, what closes it, and the form for that. */
    matters: Type.Array(
      Type.Object({
        sentence: wordOf("order.attention", REASONS),
        closes: wordOf("staff_order.closes", REASONS),
        amount: nullable(text),
        currency: nullable(text),
        when: MomentView,
        path: text,
      }),
    ),
    /** What is on its way back to cards. */
    going_back: nullable(text),
    is_held: Type.Boolean(),
    acts: Type.Array(ActLink),
    lines: Type.Array(
      Type.Object({
        ...{ name: text, sku: nullable(text), quantity: whole, unit_price: text, total: text },
        /** The picture's and the page's path in the shop; null for what isn't sold any more. */
        picture: nullable(text),
        path: nullable(text),
        /** Pieces of it that were sent, came back and won't come. */
        ...{ sent: whole, back: whole, closed: whole },
        /** Pieces that are free to sell besides; null where nobody counts them. And the page of its stock. */
        available: nullable(whole),
        stock: nullable(text),
      }),
    ),
    includes_tax: Type.Boolean(),
    tax_lines: Type.Array(TaxLineView),
    totals: OrderView.properties.totals,
    payments: Type.Array(
      Type.Object({
        method: text,
        reference: nullable(text),
        amount: text,
        state: wordOf("staff_order.payment", ["pending", "authorized", "paid", "failed", "voided"]),
      }),
    ),
    refunds: Type.Array(
      Type.Object({ amount: text, reason: nullable(text), reference: nullable(text), when: MomentView }),
    ),
    card_refunds: Type.Array(
      Type.Object({
        amount: text,
        state: wordOf("staff_order.card_refund", ["asked", "sent", "made", "failed", "refused"]),
        reason: nullable(text),
        who: WhoView,
        when: MomentView,
      }),
    ),
    parcels: Type.Array(
      Type.Object({
        when: MomentView,
        reference: text,
        carrier: nullable(text),
        tracking_number: nullable(text),
        tracking_url: nullable(text),
        lines: Pieces,
        slip: text,
      }),
    ),
    returns: Type.Array(Type.Object({ when: MomentView, reference: text, lines: Pieces })),
    documents: Type.Array(DocumentView),
    buyer: OrderView.properties.buyer,
    is_erased: Type.Boolean(),
    vat_check: nullable(wordOf("staff_order.vat_check", ["valid", "invalid", "unavailable"])),
    buyer_reference: nullable(text),
    shipping_address: nullable(AddressView),
    billing_address: nullable(AddressView),
    method: nullable(text),
    is_collected: Type.Boolean(),
    /** What the customer wrote, and what a partner noted. */
    note: nullable(text),
    partner_note: nullable(text),
    external_id: nullable(text),
    /** Of the shop's own people. */
    notes: Type.Array(Type.Object({ note: text, who: WhoView, when: MomentView })),
    mails: Type.Array(MailView),
    /** Whether orders are pushed at all. */
    has_webhook: Type.Boolean(),
    pushes: Type.Array(PushView),
    history: Type.Array(HistoryView),
    /** The path of this page, below which are its forms and papers. */
    path: text,
  }),
};
export type StaffOrderView = Static<typeof staffOrderPage.view>;

const FieldView = Type.Object({
  id: text,
  name: text,
  label: wordOf("staff_order.field", FIELDS),
  hint: nullable(wordOf("staff_order.hint", HINTS)),
  error: nullable(wordOf("staff_order.fault", FAULTS)),
  /** `line`, `text`, `choice`, or the type of an input. */
  kind: text,
  inputmode: nullable(text),
  value: text,
  choices: Type.Array(
    Type.Object({
      id: text,
      value: text,
      word: text,
      amount: nullable(text),
      currency: text,
      text: text,
      is_chosen: Type.Boolean(),
    }),
  ),
});

/** A form of /admin/orders/{number}, on a page of its own that says what will happen. */
export const actPage = {
  template: "staff/order-act",
  view: Type.Object({
    title_word: text,
    /** What its button says. */
    submit: wordOf("staff_order.act", [...ACT_NAMES, "reopen"]),
    is_danger: Type.Boolean(),
    number: text,
    currency: text,
    path: text,
    /** The path of the order's page. */
    back: text,
    /** How the order stands now. */
    status: standsAs,
    due: nullable(text),
    /** Where the goods go, in the form for a parcel; else null. */
    goes_to: nullable(AddressView),
    /** What the customer wrote, and the path of what is to be packed on paper, there too. */
    note: nullable(text),
    slip: nullable(text),
    hidden: Hidden,
    /** `legend` names the address that a field belongs to; null for others. */
    errors: Type.Array(
      Type.Object({ field: text, message: wordOf("staff_order.fault", FAULTS), label: text, legend: nullable(text) }),
    ),
    /** Why it wasn't done; null where it wasn't tried. */
    refused: nullable(wordOf("staff_order.refused", [...REFUSALS, "transition"])),
    /** What others have done since the form was opened, and whether something has happened by itself. */
    meanwhile: Type.Array(HistoryView),
    has_changed: Type.Boolean(),
    /** Whether the act makes sense as the order stands; otherwise there is no form. */
    is_offered: Type.Boolean(),
    effects: Type.Array(
      Type.Object({ word: wordOf("staff_order.effect", EFFECTS), amount: nullable(text), email: nullable(text) }),
    ),
    groups: Type.Array(
      Type.Object({
        legend: nullable(
          wordOf(
            "staff_order.legend",
            LEGENDS.filter((legend) => legend !== ""),
          ),
        ),
        /** Of the address, which stays. */
        country_code: nullable(text),
        fields: Type.Array(FieldView),
      }),
    ),
    lines: Type.Array(
      Type.Object({ id: text, name: text, label: text, sku: nullable(text), most: whole, value: text }),
    ),
    lines_error: nullable(wordOf("staff_order.fault", FAULTS)),
  }),
};
export type ActView = Static<typeof actPage.view>;

/** The order on paper: a packing slip without prices, or a pro forma invoice. */
export const paperPage = {
  template: "staff/order-paper",
  view: Type.Object({
    ...OrderView.properties,
    title_word: text,
    is_slip: Type.Boolean(),
    /** What is to be packed: of a parcel that was sent, or all that wasn't sent yet. */
    packed: Type.Array(Type.Object({ name: text, sku: nullable(text), quantity: whole })),
    back: text,
  }),
};

/** Every page of this folder, for the check of templates. */
export const staffOrderPages: readonly PrivatePage[] = [staffOrderPage, actPage, paperPage];
