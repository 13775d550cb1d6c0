import { randomUUID } from "node:crypto";
import { hasDecimalComma, parseMoney } from "../../contract/money.ts";
import { viewAddress } from "../../selling/order-view/order-view.ts";
import { type Seen, seenOf } from "../../selling/orders/acts.ts";
import {
  ACT_FORMS,
  type ActName,
  type Faults,
  type Field,
  piecesField,
  type Standing,
  type Typed,
} from "./act-forms.ts";
import type { HistoryRow } from "./read-standing.ts";
import { nameOfAct, staffOrderPath, standsAs, viewHistory } from "./view-order.ts";
import type { ActView } from "./views.ts";

/** What became of a form that was sent; nothing of one that is opened. */
export interface Tried {
  typed: Typed;
  faults?: Faults;
  refused?: NonNullable<ActView["refused"]>;
  /** What others have done since it was opened, and whether something that it depends on has changed. */
  meanwhile: readonly HistoryRow[];
  hasChanged: boolean;
}

/** The names of hidden fields. */
export const KEY = "key";
export const SEEN_HISTORY = "seen_history";
export const seenField = (name: keyof Seen): string => `seen_${name}`;

/** Acts whose button warns, since they can't be taken back. */
const DANGEROUS: readonly ActName[] = ["cancel", "close", "card-refund"];

/**
 * The page of a form, empty, or as it was sent. `lastHistory` is the id of the last thing that somebody did; `chosen` is
 * what stands in it at first, by the name of the field, other than the form's own.
 */
export function viewAct(
  name: ActName,
  standing: Standing,
  { lastHistory, chosen, tried }: { lastHistory: number; chosen: Typed; tried?: Tried | undefined },
): ActView {
  const { order } = standing;
  const form = ACT_FORMS[name];
  const isOffered = form.isOffered(standing);
  const seen = seenOf(order);
  const act = nameOfAct(name, order);
  const faults = tried?.faults ?? {};
  const groups = isOffered ? form.groups(standing) : [];
  const lines = (isOffered && form.lines?.(standing)) || [];
  const errorOf = (field: string) => {
    const fault = faults[field];
    return fault === undefined ? null : (`staff_order.fault.${fault}` as const);
  };
  const errorAt = (field: string, { id, ...named }: { id: string; label: string; legend: string | null }) => {
    const message = errorOf(field);
    return message === null ? [] : [{ field: id, message, ...named }];
  };
  const firstLine = lines[0] && piecesField(lines[0].line_id);
  return {
    ...{ title_word: act, submit: act, is_danger: DANGEROUS.includes(name) },
    ...{ number: order.number, currency: order.currency },
    path: `${staffOrderPath(order.number)}/${name}`,
    back: staffOrderPath(order.number),
    status: standsAs(order),
    due: parseMoney(order.totals.due) > 0n ? order.totals.due : null,
    goes_to: name === "sent" && order.shipping_address ? viewAddress(order.shipping_address) : null,
    note: name === "sent" ? order.note : null,
    slip: name === "sent" ? `${staffOrderPath(order.number)}/packing-slip` : null,
    hidden: [
      { name: KEY, value: randomUUID() },
      { name: SEEN_HISTORY, value: String(lastHistory) },
      ...form.depends.map((part) => ({ name: seenField(part), value: seen[part] ?? "" })),
    ],
    errors: [
      ...errorAt("lines", { id: idOf(firstLine ?? ""), label: "staff_order.pieces_of", legend: null }),
      ...groups.flatMap(({ legend, fields }) =>
        fields.flatMap(({ name, label }) =>
          errorAt(name, {
            ...{ id: idOf(name), label: `staff_order.field.${label}` },
            legend: isAddress(legend) ? `staff_order.legend.${legend}` : null,
          }),
        ),
      ),
    ],
    refused: tried?.refused ?? null,
    meanwhile: viewHistory(tried?.meanwhile ?? [], order),
    has_changed: tried?.hasChanged ?? false,
    is_offered: isOffered,
    effects: isOffered
      ? form.effects(standing).map(({ word, amount = null, email = null }) => ({
          ...{ word: `staff_order.effect.${word}`, amount, email },
        }))
      : [],
    groups: groups.map(({ legend, fields }) => ({
      legend: legend === "" ? null : `staff_order.legend.${legend}`,
      country_code: isAddress(legend) ? (order[legend]?.country_code ?? null) : null,
      fields: fields.map((field) =>
        viewField(field, order.currency, { error: errorOf(field.name), tried, chosen, locale: standing.shop.locale }),
      ),
    })),
    lines: lines.map(({ line_id, quantity: most }) => {
      const line = order.lines.find(({ id }) => id === line_id);
      const field = piecesField(line_id);
      // What is left is mostly what goes; what comes back is counted.
      const value = tried ? tried.typed(field) : name === "sent" ? String(most) : "";
      return { ...{ id: idOf(field), name: field, label: line?.name ?? "", sku: line?.sku ?? null, most, value } };
    }),
    lines_error: errorOf("lines"),
  };
}

const isAddress = (legend: string): legend is "billing_address" | "shipping_address" =>
  legend === "billing_address" || legend === "shipping_address";

const idOf = (field: string) => field.replaceAll(/[^a-z0-9]+/gi, "-");

interface Filled {
  error: ActView["lines_error"];
  tried: Tried | undefined;
  chosen: Typed;
  locale: string;
}

/** An amount as people of the locale type it: readAmount reads both. */
const typeAmount = (amount: string, locale: string): string =>
  hasDecimalComma(locale) ? amount.replace(".", ",") : amount;

function viewField(
  { name, label, hint, kind = "line", value = "", choices = [] }: Field,
  currency: string,
  { error, tried, chosen, locale }: Filled,
): ActView["groups"][number]["fields"][number] {
  const typed = tried ? tried.typed(name) : chosen(name) || (kind === "amount" ? typeAmount(value, locale) : value);
  return {
    ...{ id: idOf(name), name, label: `staff_order.field.${label}`, error },
    hint: hint === undefined ? null : `staff_order.hint.${hint}`,
    kind: kind === "line" || kind === "amount" ? "text" : kind === "text" ? "textarea" : kind,
    inputmode: kind === "amount" ? "decimal" : null,
    value: typed,
    choices: choices.map((choice, index) => ({
      id: index === 0 ? idOf(name) : `${idOf(name)}-${index}`,
      value: choice.value,
      word: wordOfChoice(name, choice.word),
      amount: choice.amount ?? null,
      // A matter's is told with it, since money of another one may have come.
      currency: name === "matter" ? (choice.text ?? currency) : currency,
      text: name === "matter" ? "" : (choice.text ?? ""),
      is_chosen: choice.value === typed || choices.length === 1,
    })),
  };
}

/** Where the words of what can be chosen are. */
function wordOfChoice(field: string, word: string): string {
  if (field === "matter") return `order.attention.${word}`;
  return field === "mail" ? `staff_order.mail.${word}` : `staff_order.choice.${word}`;
}
