import Type, { type Static } from "typebox";
import { parseMoney } from "../../contract/money.ts";
import { toRfc3339 } from "../../platform/database/columns.ts";
import { listsOf } from "../../platform/database/order-search.ts";
import type { AttentionReason } from "../../platform/database/tables.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import { wordOf } from "../../platform/private-pages/page.ts";
import { ATTENTION_REASONS } from "../../selling/orders/attention.ts";
import type { listExports } from "./export.ts";
import { type Asked, listPath, ORDER_LISTS, ORDERS_PATH } from "./filter.ts";
import { type countLists, type findOrders, MOST_READ } from "./find-orders.ts";
import type { ListedOrder } from "./listed-orders.ts";

const text = Type.String();

/** How an order stands, in the shop's terms. */
const STATES = [
  ...(["to_accept", "unpaid", "to_send", "part_sent", "sent_unpaid", "on_hold"] as const),
  ...(["completed", "cancelled", "refunded", "failed"] as const),
] as const;

const REASONS = Object.keys(ATTENTION_REASONS) as AttentionReason[];

const Listed = Type.Object({
  number: text,
  path: text,
  placed_at: text,
  /** The company, else the name, else the e-mail address; null where nobody is known. */
  who: nullable(text),
  /** The name beside a company. */
  contact: nullable(text),
  city: nullable(text),
  country_code: nullable(text),
  currency: text,
  total: text,
  /** Null where nothing is. */
  due: nullable(text),
  state: wordOf("staff_orders.state", STATES),
  matters: Type.Array(wordOf("staff_orders.matter", REASONS)),
});

/** The shop's orders, the newest first: a list of them, or what somebody searches for. */
export const orderListPage = {
  template: "staff/orders",
  view: Type.Object({
    title_word: wordOf("staff_orders", ["title"]),
    lists: Type.Array(
      Type.Object({
        name: wordOf("staff_orders.list", ORDER_LISTS),
        path: text,
        /** At most 1,000; `is_more`: there are more. */
        count: Type.Integer({ minimum: 0 }),
        is_more: Type.Boolean(),
        is_current: Type.Boolean(),
      }),
    ),
    /** What was asked for. */
    list: text,
    query: text,
    from: text,
    to: text,
    has_bad_day: Type.Boolean(),
    /** Whether it's searched or within days; `all_path`: the same list without that. */
    is_narrowed: Type.Boolean(),
    all_path: text,
    orders: Type.Array(Listed),
    /** Null on the first page, and on the last. */
    newest_path: nullable(text),
    older_path: nullable(text),
    older_word: wordOf("staff_orders", ["older", "further"]),
    /** Who took orders out as a table last; `orders` null: it was broken off, or still goes on. */
    exports: Type.Array(Type.Object({ name: text, at: text, orders: nullable(Type.Integer()) })),
  }),
};

interface Shown {
  asked: Asked;
  counts: Awaited<ReturnType<typeof countLists>>;
  found: Awaited<ReturnType<typeof findOrders>>;
  orders: readonly ListedOrder[];
  exports: Awaited<ReturnType<typeof listExports>>;
}

export function viewOrderList({ asked, counts, found, orders, exports }: Shown): Static<typeof orderListPage.view> {
  const { filter, before, hasBadDay } = asked;
  const unnarrowed = { ...filter, query: "", from: null, to: null };
  return {
    title_word: "staff_orders.title",
    lists: ORDER_LISTS.map((list) => ({
      name: `staff_orders.list.${list}`,
      path: listPath({ ...filter, list }),
      count: Math.min(counts[list], MOST_READ - 1),
      is_more: counts[list] >= MOST_READ,
      is_current: list === filter.list,
    })),
    ...{ list: filter.list, query: filter.query, from: filter.from ?? "", to: filter.to ?? "" },
    has_bad_day: hasBadDay,
    is_narrowed: listPath(filter) !== listPath(unnarrowed),
    all_path: listPath(unnarrowed),
    orders: orders.map(viewListed),
    newest_path: before ? listPath(filter) : null,
    older_path: found.next ? listPath(filter, found.next) : null,
    older_word: found.isCutShort ? "staff_orders.further" : "staff_orders.older",
    exports: exports.map(({ done_by, done_at, orders }) => ({ name: done_by, at: toRfc3339(done_at), orders })),
  };
}

function viewListed(order: ListedOrder): Static<typeof Listed> {
  const { number, currency, placed_at, email, name, company, city, country_code, total, due, matters } = order;
  return {
    ...{ number, currency, placed_at, total },
    path: `${ORDERS_PATH}/${number}`,
    who: company || name || email || null,
    contact: (company && name) || null,
    city: city || null,
    country_code: country_code || null,
    due: parseMoney(due) > 0n ? due : null,
    state: `staff_orders.state.${stateOf(order)}`,
    matters: matters.map((reason) => `staff_orders.matter.${reason}` as const),
  };
}

function stateOf(order: ListedOrder): (typeof STATES)[number] {
  const { status, fulfillment_status } = order;
  if (status === "pending") return listsOf(order, false).includes("accept") ? "to_accept" : "unpaid";
  if (status !== "processing") return status;
  if (fulfillment_status === "partial") return "part_sent";
  return fulfillment_status === "unfulfilled" ? "to_send" : "sent_unpaid";
}
