import { currencyDigits } from "../../contract/currencies.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { changeOrder, type OrderChange } from "../../selling/orders/change-order.ts";
import { placeOrder } from "../../selling/orders/place-order.ts";
import { findOrder } from "../../selling/orders/queries.ts";
import { priceBasket } from "../../selling/orders/totals-and-tax.ts";
import { readShop, type Shop } from "./articles.ts";
import { inventOrder } from "./baskets.ts";
import { inventHistory } from "./histories.ts";
import { listMarkets } from "./markets.ts";
import { seededRandom } from "./random.ts";

const COUNT = 180;
const SEED = 20_261_120;
const FIRST = Date.parse("2026-08-03T06:00:00.000Z");
const LAST = Date.parse("2026-11-06T18:00:00.000Z");

/**
 * Adds demo orders from August to November 2026 with this shop's articles, currency and tax, in one transaction and
 * only if the shop has no orders. The same catalogue gives the same orders. Returns the number added.
 */
export function addDemoOrders(db: Db): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    if (await transaction.selectFrom("orders").select("id").limit(1).executeTakeFirst()) return 0;
    const events = inventEvents(await readShop(transaction));
    const ids = new Map<number, number>();
    for (const { order, act, at } of events) {
      const result = await act(transaction, ids.get(order) ?? 0, at);
      if ("id" in result) ids.set(order, result.id);
    }
    return ids.size;
  });
}

interface Event {
  order: number;
  at: Date;
  act: (db: Db, id: number, at: Date) => Promise<{ id: number } | { sequence: number }>;
}

/** Everything that happens to the demo orders, by time, so that ids and sequences follow it. */
function inventEvents(shop: Shop): Event[] {
  const { home, abroad } = listMarkets(shop);
  const random = seededRandom(SEED);
  const events: Event[] = [];
  for (let order = 0; order < COUNT; order += 1) {
    const spread = (LAST - FIRST) / COUNT;
    const at = new Date(Math.floor(FIRST + spread * order) + random.between(0, Math.floor(spread)));
    const market = order % 3 === 2 ? abroad : home;
    const basket = inventOrder(random, market, shop.articles, at);
    events.push({ order, at, act: (db, _id, at) => placeOrder(db, basket, at) });
    const course = { total: priceBasket(basket).totals.total, digits: currencyDigits(market.currency), placedAt: at };
    for (const { minutes, change, sends, comesBack } of inventHistory(random, course)) {
      const changedAt = new Date(at.getTime() + minutes * 60_000 + random.between(0, 999));
      const act: Event["act"] = async (db, id, at) => {
        const sending = sends && (await inventParcel(db, id, sends, at));
        const returning = comesBack && (await inventReturn(db, id, at));
        return changeOrder(db, id, { ...change, ...sending, ...returning }, at);
      };
      events.push({ order, at: changedAt, act });
    }
  }
  return events.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** A parcel with all of an order, or with a part of it where there is more than one piece. */
async function inventParcel(
  db: Db,
  id: number,
  sends: "all" | "part",
  at: Date,
): Promise<Pick<OrderChange, "fulfillments" | "fulfillment_status">> {
  const order = await findOrder(db, id);
  if (!order) throw new Error("A demo order is sent that wasn't placed.");
  const all = order.lines.map((line) => ({ line_id: line.id, quantity: line.quantity }));
  const lines = sends === "all" ? all : partOf(all);
  const parcel = {
    ...{ id: 1, reference: `P-${order.number.slice(2)}`, shipped_at: at.toISOString(), lines },
    ...{ carrier: null, tracking_number: null, tracking_url: null },
  };
  return { fulfillments: [parcel], fulfillment_status: lines === all ? "fulfilled" : "partial" };
}

/** All that was sent of an order comes back. */
async function inventReturn(
  db: Db,
  id: number,
  at: Date,
): Promise<Pick<OrderChange, "returns" | "fulfillment_status">> {
  const order = await findOrder(db, id);
  if (!order) throw new Error("Goods of a demo order come back that wasn't placed.");
  const back = {
    ...{ id: 1, reference: `R-${order.number.slice(2)}`, received_at: at.toISOString() },
    lines: order.fulfillments.flatMap(({ lines }) => lines),
  };
  return { returns: [back], fulfillment_status: "returned" };
}

/** The first line, or all of its pieces but one; a single piece can't be parted. */
function partOf<Line extends { quantity: number }>(lines: Line[]): Line[] {
  const [first, ...others] = lines;
  if (!first || (others.length === 0 && first.quantity === 1)) return lines;
  return [others.length > 0 ? first : { ...first, quantity: first.quantity - 1 }];
}
