import { DAY_MS } from "../../contract/duration.ts";
import type { OrderList } from "../../platform/database/tables.ts";
import { readTyped } from "../../platform/typed-text.ts";

/** The lists, as the page's tabs have them. */
export const ORDER_LISTS = ["accept", "send", "pay", "person", "all"] as const satisfies readonly OrderList[];

/** Which orders are shown. */
export interface OrderFilter {
  list: OrderList;
  /** What somebody searches for; "" where nothing. */
  query: string;
  /** The first and the last day on which they were placed, YYYY-MM-DD in UTC, as all pages write days. */
  from: string | null;
  to: string | null;
}

/** Where an order stands in a list. The newest is first. */
export interface Place {
  placed: Date;
  order_id: number;
}

/** What an address or a form says. */
export interface Asked {
  filter: OrderFilter;
  /** Orders older than this one; the newest if undefined. */
  before: Place | undefined;
  /** Whether a day was written that isn't one. */
  hasBadDay: boolean;
}

const MOST_QUERY_CHARACTERS = 200;

/** Reads `list`, `q`, `from`, `to` and `before`. What can't be read is left out. */
export function readAsked(given: Readonly<Record<string, unknown>>): Asked {
  const text = (name: string) => readTyped(typeof given[name] === "string" ? given[name] : "");
  const days = [text("from"), text("to")] as const;
  const [from, to] = days.map((day) => (isDay(day) ? day : null));
  return {
    filter: {
      list: ORDER_LISTS.find((list) => list === given["list"]) ?? "all",
      query: text("q").slice(0, MOST_QUERY_CHARACTERS).toWellFormed(),
      ...{ from: from ?? null, to: to ?? null },
    },
    before: readPlace(text("before")),
    hasBadDay: days.some((day) => day !== "" && !isDay(day)),
  };
}

function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function readPlace(text: string): Place | undefined {
  const [, placed, id] = /^(\d{1,14})-(\d{1,15})$/.exec(text) ?? [];
  return placed === undefined ? undefined : { placed: new Date(Number(placed)), order_id: Number(id) };
}

/** From when, and until before when, orders of these days were placed. */
export const daysOf = ({ from, to }: OrderFilter) => ({
  since: from === null ? undefined : new Date(`${from}T00:00:00Z`),
  until: to === null ? undefined : new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS),
});

/** The address of a list, or of its orders older than one. */
export function listPath({ list, query, from, to }: OrderFilter, before?: Place): string {
  const parameters = new URLSearchParams();
  if (list !== "all") parameters.set("list", list);
  if (query !== "") parameters.set("q", query);
  if (from !== null) parameters.set("from", from);
  if (to !== null) parameters.set("to", to);
  if (before) parameters.set("before", `${before.placed.getTime()}-${before.order_id}`);
  return parameters.size > 0 ? `${ORDERS_PATH}?${parameters}` : ORDERS_PATH;
}

export const ORDERS_PATH = "/admin/orders";
