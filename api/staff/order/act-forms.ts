import type { ShopFacts } from "../../contract/built-files/store.ts";
import { currencyDigits } from "../../contract/currencies.ts";
import { readEmailAddress } from "../../contract/email-address.ts";
import { formatMoney, parseMoney, readAmount } from "../../contract/money.ts";
import { placeOf } from "../../contract/territories.ts";
import { showEmail } from "../../platform/mail/email-address.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { type OrderMail, sendAgain } from "../../selling/mail/send-again.ts";
import { type Act, REASON, type Seen } from "../../selling/orders/acts.ts";
import type { OpenMatter } from "../../selling/orders/attention.ts";
import { valueOfClosed } from "../../selling/orders/close-order.ts";
import type { Correction } from "../../selling/orders/correct-order.ts";
import { sumPaid } from "../../selling/orders/payments.ts";
import { type LinePieces, linesLeft, linesOut } from "../../selling/orders/pieces.ts";
import { HTTPS_URL, LABEL, MOST_URL_CHARACTERS } from "../../selling/orders/record-fulfillment.ts";
import { REFERENCE } from "../../selling/orders/record-payment.ts";
import type { Order } from "../../selling/orders/schema.ts";
import { isErased } from "../../selling/orders/who-ordered.ts";
import { askForRefund, type Refundable } from "../../selling/payments/card-refunds.ts";
import { deliveryZone } from "../../selling/quote/quote.ts";
import type { Pushes } from "./pushes.ts";

/** An order, and what its forms depend on besides. */
export interface Standing {
  order: Order;
  shop: ShopFacts;
  matters: readonly OpenMatter[];
  /** The mails that may be sent again, and the payments by card of which something is left. */
  mails: readonly Pick<OrderMail, "kind" | "about">[];
  refundable: readonly Refundable[];
  /** What is on its way back to cards; null if nothing is. */
  goingBack: string | null;
  /** Undefined without a webhook. */
  pushes: Pushes | undefined;
  /** Whether an order is pushed once it's taken. */
  isPushedWhenTaken: boolean;
}

/** What a person has typed, by the name of the field; what a browser leaves out is "". */
export type Typed = (name: string) => string;

/** A field of a form; words are given by the names that they have among those of `staff_order`. */
export interface Field {
  name: string;
  /** Of `field` and, where `hint`, of `hint`. */
  label: (typeof FIELDS)[number];
  hint?: (typeof HINTS)[number];
  kind?: "line" | "text" | "email" | "tel" | "url" | "date" | "amount" | "choice";
  /** What stands in it at first. */
  value?: string;
  /** What can be chosen, each by its value; `amount` and `text` follow the word. */
  choices?: readonly Choice[];
}

interface Choice {
  value: string;
  word: string;
  amount?: string;
  text?: string;
}

/** Fields below a heading; "" without one. */
interface Group {
  legend: (typeof LEGENDS)[number];
  fields: readonly Field[];
}

/** A sentence on what will happen. */
interface Effect {
  word: (typeof EFFECTS)[number];
  amount?: string;
  email?: string;
}

/** What is wrong with a field, by its name, as names of `fault`. */
export type Faults = Readonly<Record<string, (typeof FAULTS)[number]>>;

/** A form by which a person does something with an order. */
export interface ActForm {
  /** What must be as it was shown, whatever else has changed. */
  depends: readonly (keyof Seen)[];
  /** Whether it makes sense as the order stands: only then is it offered. */
  isOffered(standing: Standing): boolean;
  effects(standing: Standing): Effect[];
  groups(standing: Standing): Group[];
  /** The lines that can be named, with the most pieces of each. */
  lines?(standing: Standing): LinePieces[];
  /** What is to be done, or what is wrong. `key` is the form's own. */
  read(typed: Typed, standing: Standing, key: string): { act: Act } | { faults: Faults };
}

export const ACT_NAMES = [
  ...(["paid", "accept", "sent", "release", "hold", "correct", "cancel", "close", "returned"] as const),
  ...(["refunded", "card-refund", "mail", "push", "note", "done"] as const),
] as const;
export type ActName = (typeof ACT_NAMES)[number];

export const FIELDS = [
  ...(["amount", "reference", "came_on", "went_on", "reason", "reason_read", "carrier", "number", "link"] as const),
  ...(["payment", "mail", "note", "matter"] as const),
  ...(["email", "first_name", "last_name", "company", "phone", "address1", "address2"] as const),
  ...(["postal_code", "city", "region"] as const),
] as const;
export const HINTS = [
  ...(["amount_due", "bank_reference", "today", "reason_read", "link", "reason_kept", "note", "postal_code"] as const),
] as const;
export const LEGENDS = ["", "buyer", "billing_address", "shipping_address"] as const;
export const EFFECTS = [
  ...(["accept", "accept_due", "pushed", "paid_all", "paid_less", "paid_more", "paid_later", "paid_ended"] as const),
  ...(["hold", "reopen", "release", "release_due", "cancel_mail", "cancel_pieces", "cancel_money"] as const),
  ...(["close_rest", "close_owed", "close_due", "close_mail", "sent_mail", "sent_all"] as const),
  ...(["sent_on_hold", "sent_going_back"] as const),
  ...(["returned", "refunded", "refunded_all", "card_refund", "correct", "correct_email", "correct_country"] as const),
  ...(["disputed", "mail", "mail_to", "mail_now", "push", "note", "done"] as const),
] as const;
export const FAULTS = [
  ...(["missing", "too_long", "amount", "amount_unclear", "reference", "date", "label", "link", "email"] as const),
  ...(["choose", "pieces", "no_pieces", "one_line", "unreadable"] as const),
] as const;

const none = (): Group[] => [];
const oneGroup = (fields: readonly Field[]): Group[] => [{ legend: "", fields }];

const isDue = ({ totals }: Order) => parseMoney(totals.due) > 0n;
/** What was paid and didn't go back. */
const heldOf = ({ payments, totals }: Order): bigint => sumPaid(payments) - parseMoney(totals.refunded);
const show = (amount: bigint, { currency }: Order) => formatMoney(amount, currencyDigits(currency));
/** The bank may give the money back itself. */
const warnOfDispute = (matters: readonly OpenMatter[]): Effect[] =>
  matters.some(({ reason }) => reason === "disputed") ? [{ word: "disputed" }] : [];
const isTaken = (status: Order["status"]) => status === "processing" || status === "on_hold";

/** What a person can do with an order, in the order in which the page offers it. */
export const ACT_FORMS: Readonly<Record<ActName, ActForm>> = {
  paid: {
    depends: ["status", "due"],
    isOffered: () => true, // money may come at any time
    effects: ({ order }) => {
      const { status, totals } = order;
      if (status === "pending")
        return [{ word: "paid_all", amount: totals.due }, { word: "paid_less" }, { word: "paid_more" }];
      return [{ word: isTaken(status) || status === "completed" ? "paid_later" : "paid_ended" }];
    },
    groups: ({ order }) =>
      oneGroup([
        {
          name: "amount",
          label: "amount",
          kind: "amount",
          value: isDue(order) ? order.totals.due : "",
          hint: "amount_due",
        },
        { name: "reference", label: "reference", hint: "bank_reference" },
        { name: "on", label: "came_on", kind: "date", hint: "today" },
      ]),
    read: (typed, { order }) => {
      const [amount, reference, on] = [readMoney(typed("amount"), order), readReference(typed), readDay(typed("on"))];
      return gather({ amount, reference, on }, ({ amount, reference, on }) => ({
        ...{ name: "paid", method: "bank_transfer", amount, reference },
        ...(on && { paidAt: on }),
      }));
    },
  },
  accept: {
    depends: ["status", "due"],
    isOffered: ({ order }) => order.status === "pending",
    effects: ({ order, isPushedWhenTaken }) => [
      { word: "accept" },
      ...(isDue(order) ? [{ word: "accept_due", amount: order.totals.due } as const] : []),
      ...(isPushedWhenTaken ? [{ word: "pushed" } as const] : []),
    ],
    groups: none,
    read: () => ({ act: { name: "accept" } }),
  },
  sent: {
    depends: ["status", "pieces", "details"],
    isOffered: ({ order }) => (isTaken(order.status) || order.status === "completed") && linesLeft(order).length > 0,
    effects: ({ order, goingBack }) => [
      ...(order.status === "on_hold" ? [{ word: "sent_on_hold" } as const] : []),
      ...(goingBack === null ? [] : [{ word: "sent_going_back", amount: goingBack } as const]),
      ...(order.buyer ? [{ word: "sent_mail" } as const] : []),
      { word: "sent_all" },
    ],
    groups: () =>
      oneGroup([
        { name: "carrier", label: "carrier" },
        { name: "number", label: "number" },
        { name: "link", label: "link", kind: "url", hint: "link" },
      ]),
    lines: ({ order }) => linesLeft(order),
    read: (typed, { order }, key) => {
      const lines = readPieces(typed, linesLeft(order));
      const [carrier, number, link] = [
        readLabel(typed("carrier")),
        readLabel(typed("number")),
        readLink(typed("link")),
      ];
      return gather({ lines, carrier, number, link }, ({ lines, carrier, number, link }) => ({
        ...{ name: "sent", reference: referenceOf(key), lines },
        ...{ carrier, tracking_number: number, tracking_url: link },
      }));
    },
  },
  release: {
    depends: ["status", "due"],
    isOffered: ({ order }) => order.status === "on_hold",
    effects: ({ order }) => [
      { word: "release" },
      ...(isDue(order) ? [{ word: "release_due", amount: order.totals.due } as const] : []),
    ],
    groups: none,
    read: () => ({ act: { name: "release" } }),
  },
  hold: {
    depends: ["status"],
    isOffered: ({ order }) => ["pending", "processing", "completed", "cancelled"].includes(order.status),
    effects: ({ order }) => [{ word: order.status === "cancelled" ? "reopen" : "hold" }],
    groups: none,
    read: () => ({ act: { name: "hold" } }),
  },
  correct: {
    depends: ["status", "pieces", "details"],
    isOffered: ({ order }) =>
      (order.status === "pending" || isTaken(order.status)) && order.fulfillments.length === 0 && !isErased(order),
    effects: ({ order }) => [
      { word: "correct" },
      ...(order.buyer ? [{ word: "correct_email" } as const] : []),
      { word: "correct_country" },
    ],
    groups: ({ order }) => correctionGroups(order),
    read: readCorrection,
  },
  cancel: {
    depends: ["status", "money", "pieces"],
    isOffered: ({ order }) =>
      ["pending", "processing", "on_hold", "failed"].includes(order.status) && order.fulfillments.length === 0,
    effects: ({ order }) => [
      ...(order.buyer ? [{ word: "cancel_mail" } as const] : []),
      { word: "cancel_pieces" },
      ...(heldOf(order) > 0n ? [{ word: "cancel_money", amount: show(heldOf(order), order) } as const] : []),
    ],
    groups: () => oneGroup([{ name: "reason", label: "reason_read", hint: "reason_read" }]),
    read: (typed) => readReasoned(typed, "cancel"),
  },
  close: {
    depends: ["status", "due", "pieces"],
    isOffered: ({ order }) =>
      (isTaken(order.status) || order.status === "refunded") &&
      order.fulfillments.length > 0 &&
      linesLeft(order).length > 0,
    effects: ({ order }) => [
      { word: "close_rest", amount: show(valueOfRest(order), order) },
      { word: parseMoney(order.totals.due) > valueOfRest(order) ? "close_due" : "close_owed" },
      ...(order.buyer ? [{ word: "close_mail" } as const] : []),
    ],
    groups: () => oneGroup([{ name: "reason", label: "reason_read", hint: "reason_read" }]),
    read: (typed) => readReasoned(typed, "close"),
  },
  returned: {
    depends: ["pieces"],
    isOffered: ({ order }) => linesOut(order).length > 0,
    effects: () => [{ word: "returned" }],
    groups: none,
    lines: ({ order }) => linesOut(order),
    read: (typed, { order }, key) =>
      gather({ lines: readPieces(typed, linesOut(order)) }, ({ lines }) => ({
        ...{ name: "returned", reference: referenceOf(key), lines },
      })),
  },
  refunded: {
    depends: ["status", "money"],
    isOffered: ({ order }) => heldOf(order) > 0n,
    effects: ({ order, matters }) => [
      ...warnOfDispute(matters),
      { word: "refunded" },
      { word: "refunded_all", amount: show(heldOf(order), order) },
    ],
    groups: ({ order }) =>
      oneGroup([
        { name: "amount", label: "amount", kind: "amount", value: toGiveBack(order) },
        { name: "reference", label: "reference", hint: "bank_reference" },
        { name: "on", label: "went_on", kind: "date", hint: "today" },
        { name: "reason", label: "reason", hint: "reason_kept" },
      ]),
    read: (typed, { order }) => {
      const [amount, reference, on] = [readMoney(typed("amount"), order), readReference(typed), readDay(typed("on"))];
      return gather({ amount, reference, on, reason: readReason(typed) }, ({ amount, reference, on, reason }) => ({
        ...{ name: "refunded", amount, reference, reason },
        ...(on && { refundedAt: on }),
      }));
    },
  },
  "card-refund": {
    depends: ["money"],
    isOffered: ({ refundable }) => refundable.length > 0,
    effects: ({ matters }) => [...warnOfDispute(matters), { word: "card_refund" }],
    groups: ({ refundable }) => {
      const [first, ...others] = refundable;
      const choices = refundable.map(({ payment, amount }) => ({
        value: payment,
        word: "card",
        amount,
        text: payment,
      }));
      return oneGroup([
        {
          name: "payment",
          label: "payment",
          kind: "choice",
          choices,
          value: others.length === 0 ? (first?.payment ?? "") : "",
        },
        { name: "amount", label: "amount", kind: "amount", value: first && others.length === 0 ? first.amount : "" },
        { name: "reason", label: "reason", hint: "reason_kept" },
      ]);
    },
    read: (typed, { order, refundable }) => {
      const chosen = refundable.find(({ payment }) => payment === typed("payment"));
      const payment = chosen ? chosen.payment : new Fault("choose");
      const [amount, reason] = [readMoney(typed("amount"), order), readReason(typed)];
      return gather({ payment, amount, reason }, ({ payment, amount, reason }) => ({
        name: "card_refund",
        work: askForRefund({ payment, amount, reason: reason ?? "" }),
      }));
    },
  },
  mail: {
    depends: ["status"],
    isOffered: ({ mails }) => mails.length > 0,
    effects: ({ order: { buyer } }) => [
      { word: "mail" },
      ...(buyer?.email ? [{ word: "mail_to", email: showEmail(buyer.email) } as const] : []),
      { word: "mail_now" },
    ],
    groups: ({ order, mails }) =>
      oneGroup([
        {
          ...{ name: "mail", label: "mail", kind: "choice" },
          choices: mails.map(({ kind, about }) => ({
            ...{ value: `${kind}-${about}`, word: kind },
            ...(kind === "invoice" && { text: order.invoices.find(({ id }) => id === about)?.number ?? "" }),
          })),
        },
      ]),
    read: (typed, { mails }) => {
      const mail = mails.find(({ kind, about }) => `${kind}-${about}` === typed("mail"));
      return mail ? { act: { name: "mail", work: sendAgain(mail) } } : { faults: { mail: "choose" } };
    },
  },
  push: {
    depends: [],
    isOffered: ({ pushes }) => pushes !== undefined,
    effects: () => [{ word: "push" }],
    groups: none,
    read: (_typed, { pushes }) => ({
      act: {
        name: "push",
        work: async (transaction, order) => {
          await pushes?.again(transaction, order);
          return undefined;
        },
      },
    }),
  },
  note: {
    depends: [],
    isOffered: ({ order }) => !isErased(order),
    effects: () => [{ word: "note" }],
    groups: () => oneGroup([{ name: "note", label: "note", kind: "text", hint: "note" }]),
    read: (typed) => {
      const note = readTyped(typed("note"), { lines: true });
      if (!note.isWellFormed()) return { faults: { note: "unreadable" } };
      if ([...note].length > MOST_NOTE) return { faults: { note: "too_long" } };
      return note === "" ? { faults: { note: "missing" } } : { act: { name: "note", note } };
    },
  },
  done: {
    depends: [],
    isOffered: ({ matters }) => matters.length > 0,
    effects: () => [{ word: "done" }],
    groups: ({ matters }) =>
      oneGroup([
        {
          ...{ name: "matter", label: "matter", kind: "choice" },
          choices: matters.map(({ id, reason, amount, currency }) => ({
            ...{ value: String(id), word: reason },
            ...(amount !== null && { amount }),
            ...(currency !== null && { text: currency }),
          })),
        },
      ]),
    read: (typed, { matters }) => {
      const matter = matters.find(({ id }) => String(id) === typed("matter"));
      return matter ? { act: { name: "done", matter: matter.id } } : { faults: { matter: "choose" } };
    },
  },
};

/** Characters of a note for the shop's own people. */
const MOST_NOTE = 4_000;

/** The price of what isn't sent yet, in ten-thousandths. */
function valueOfRest(order: Order): bigint {
  const left = new Map(linesLeft(order).map(({ line_id, quantity }) => [line_id, quantity]));
  const lines = order.lines.map((line) => ({
    ...line,
    closed_quantity: line.closed_quantity + (left.get(line.id) ?? 0),
  }));
  return valueOfClosed({ ...order, lines }) - valueOfClosed(order);
}

/** What is too much, with the price of what came back, or all of an order that has ended. */
function toGiveBack(order: Order): string {
  const isEnded = order.status === "cancelled" || order.status === "failed";
  const back = order.returns.flatMap(({ lines }) => lines);
  const lines = order.lines.map((line) => ({
    ...line,
    closed_quantity: back.reduce(
      (sum, { line_id, quantity }) => sum + (line_id === line.id ? quantity : 0),
      line.closed_quantity,
    ),
  }));
  const surplus = heldOf(order) - (isEnded ? 0n : parseMoney(order.totals.total) - valueOfClosed({ ...order, lines }));
  return surplus > 0n ? show(surplus, order) : "";
}

/** The shop's own reference of what a form reports: the customer and partners see it, and two people never write the same. */
const referenceOf = (key: string) => `S-${key.slice(0, 8)}`;

/** What can't be read of a field. */
class Fault {
  readonly word: (typeof FAULTS)[number];

  constructor(word: (typeof FAULTS)[number]) {
    this.word = word;
  }
}

type Read<Value> = Value | Fault;
type Clean<Parts> = { [Name in keyof Parts]: Exclude<Parts[Name], Fault> };

/** Makes the act of what was read, unless something is wrong. */
function gather<Parts extends Record<string, unknown>>(
  parts: Parts,
  make: (parts: Clean<Parts>) => Act,
): { act: Act } | { faults: Faults } {
  const faults = Object.entries(parts).flatMap(([name, part]) =>
    part instanceof Fault ? [[name, part.word] as const] : [],
  );
  return faults.length > 0 ? { faults: Object.fromEntries(faults) } : { act: make(parts as Clean<Parts>) };
}

/** An amount as people type it: `50`, `50,00 €`. */
function readMoney(text: string, { currency }: Order): Read<string> {
  if (text.trim() === "") return new Fault("missing");
  const [amount, other] = readAmount(text.trim(), currency);
  if (amount === undefined || parseMoney(amount) <= 0n) return new Fault("amount");
  return other === undefined ? amount : new Fault("amount_unclear");
}

function readReference(typed: Typed): Read<string> {
  const reference = readTyped(typed("reference"));
  if (reference === "") return new Fault("missing");
  return new RegExp(REFERENCE, "u").test(reference) ? reference : new Fault("reference");
}

/** A day, at noon; null where none was written, or today, which means now. */
function readDay(text: string): Read<Date | null> {
  const day = text.trim();
  if (day === "" || day === new Date().toISOString().slice(0, 10)) return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return new Fault("date");
  const noon = new Date(`${day}T12:00:00Z`);
  return Number.isNaN(noon.getTime()) || !noon.toISOString().startsWith(day) ? new Fault("date") : noon;
}

function readReason(typed: Typed): Read<string | null> {
  const reason = readTyped(typed("reason"));
  if (reason === "") return null;
  return new RegExp(REASON, "u").test(reason) ? reason : new Fault("one_line");
}

const readReasoned = (typed: Typed, name: "cancel" | "close") =>
  gather({ reason: readReason(typed) }, ({ reason }) => ({ name, reason }));

function readLabel(text: string): Read<string | null> {
  const label = readTyped(text);
  if (label === "") return null;
  return new RegExp(LABEL, "u").test(label) ? label : new Fault("label");
}

function readLink(text: string): Read<string | null> {
  const link = text.trim();
  if (link === "") return null;
  return link.length <= MOST_URL_CHARACTERS && new RegExp(HTTPS_URL).test(link) ? link : new Fault("link");
}

/** The name of the field for a line's pieces. */
export const piecesField = (lineId: number): string => `pieces:${lineId}`;

/** The pieces that were typed; a fault names the form's lines as a whole. */
function readPieces(typed: Typed, left: readonly LinePieces[]): Read<LinePieces[]> {
  const pieces = left.map(({ line_id, quantity }) => ({
    line_id,
    most: quantity,
    text: typed(piecesField(line_id)).trim(),
  }));
  if (pieces.some(({ text, most }) => text !== "" && (!/^\d{1,6}$/.test(text) || Number(text) > most)))
    return new Fault("pieces");
  const named = pieces.map(({ line_id, text }) => ({ line_id, quantity: Number(text) }));
  const taken = named.filter(({ quantity }) => quantity > 0);
  return taken.length > 0 ? taken : new Fault("no_pieces");
}

type AddressName = "billing_address" | "shipping_address";

/** What is typed of an address, with the most characters (people/checkout/details.ts). */
const ADDRESS = {
  ...{ first_name: 100, last_name: 100, company: 200, address1: 200, address2: 200 },
  ...{ postal_code: 20, city: 100, region: 100, phone: 50 },
} as const;
const BUYER = { email: 254, first_name: 100, last_name: 100, company: 200, phone: 50 } as const;
const REQUIRED: readonly string[] = ["email", "address1", "city"];

const addressesOf = (order: Order): AddressName[] =>
  (["shipping_address", "billing_address"] as const).filter((name) => order[name] !== null);

function correctionGroups(order: Order): Group[] {
  const { buyer } = order;
  const kinds: Partial<Record<string, Field["kind"]>> = { email: "email", phone: "tel" };
  const fieldsOf = (prefix: string, names: readonly string[], values: Readonly<Record<string, unknown>>): Field[] =>
    names.map((name) => ({
      name: `${prefix}.${name}`,
      label: name as Field["label"],
      kind: kinds[name] ?? "line",
      value: String(values[name] ?? ""),
      ...(name === "postal_code" && prefix === "shipping_address" && { hint: "postal_code" as const }),
    }));
  return [
    ...(buyer
      ? [
          {
            legend: "buyer",
            fields: fieldsOf("buyer", Object.keys(BUYER), { ...buyer, email: showEmail(buyer.email) }),
          } as const,
        ]
      : []),
    ...addressesOf(order).map((legend) => ({
      legend,
      fields: fieldsOf(legend, Object.keys(ADDRESS), { ...order[legend] }),
    })),
  ];
}

function readCorrection(typed: Typed, { order, shop }: Standing): { act: Act } | { faults: Faults } {
  const faults: Record<string, (typeof FAULTS)[number]> = {};
  const readAll = <Name extends string>(prefix: string, most: Readonly<Record<Name, number>>) => {
    const names = Object.keys(most) as Name[];
    const values = names.map((name) => [name, readTyped(typed(`${prefix}.${name}`))] as const);
    for (const [name, value] of values) {
      if (!value.isWellFormed()) faults[`${prefix}.${name}`] = "unreadable";
      else if ([...value].length > most[name]) faults[`${prefix}.${name}`] = "too_long";
      else if (value === "" && REQUIRED.includes(name)) faults[`${prefix}.${name}`] = "missing";
    }
    return Object.fromEntries(values.map(([name, value]) => [name, value || null])) as Record<Name, string | null>;
  };
  const buyer = order.buyer && readAll("buyer", BUYER);
  const email = buyer && readEmailAddress(buyer.email ?? "");
  if (buyer && buyer.email !== null && email === undefined) faults["buyer.email"] ??= "email";
  const address = (name: AddressName) => {
    if (order[name] === null) return null;
    const { address1, city, ...rest } = readAll(name, ADDRESS);
    // Where an address has one today, its country has postcodes.
    if (order[name].postal_code !== null && rest.postal_code === null) faults[`${name}.postal_code`] ??= "missing";
    return { ...rest, address1: address1 ?? "", city: city ?? "" };
  };
  const correction: Correction = {
    buyer: buyer && { ...buyer, email: email ?? "" },
    billing_address: address("billing_address"),
    shipping_address: address("shipping_address"),
    isSameDelivery: (was, is) => isSameDelivery(shop, was, is),
  };
  return Object.keys(faults).length > 0 ? { faults } : { act: { name: "correct", ...correction } };
}

type Place = Pick<NonNullable<Order["shipping_address"]>, "country_code" | "postal_code">;

/** Whether tax and delivery are the same at two addresses of a country, whatever else the shop charges by now. */
function isSameDelivery(shop: ShopFacts, was: Place, is: Place): boolean {
  if (was.postal_code === is.postal_code) return true;
  const place = ({ country_code, postal_code }: Place) => placeOf(country_code, postal_code);
  const zone = ({ country_code: country, postal_code }: Place) => deliveryZone(shop, { country, postal_code });
  return place(is) !== undefined && place(was) === place(is) && zone(was) === zone(is);
}
