import type { Connection, RowDataPacket } from "mysql2/promise";
import { currencyDigits } from "../../../api/contract/currencies.ts";
import { readShop, type Shop } from "../../../api/operation/demo/articles.ts";
import { inventOrder } from "../../../api/operation/demo/baskets.ts";
import { inventHistory, type Step } from "../../../api/operation/demo/histories.ts";
import { listMarkets } from "../../../api/operation/demo/markets.ts";
import { type Random, seededRandom } from "../../../api/operation/demo/random.ts";
import type { Db } from "../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { priceBasket } from "../../../api/selling/orders/totals-and-tax.ts";
import { AS_PARTNER } from "./processes.ts";

const SEED = 20_261_121;
/** Orders placed by the API's own functions, with 3 lines each. All others are copies of these. */
export const TEMPLATES = 1_000;
const LINES = 3;
const POSITIONS = Array.from({ length: LINES }, (_, index) => index + 1);
/** Time between two placed orders, so that changes are close to new orders. */
const MINUTES_APART = 20;

/** Places and changes the first 1,000 orders in chronological order. */
export async function placeTemplates(db: Db): Promise<void> {
  const random = seededRandom(SEED);
  const shop = await readShop(db);
  const begin = Date.parse("2026-08-03T06:00:00.000Z");
  const events: { at: number; act: (db: Db, at: Date) => Promise<unknown> }[] = [];
  const ids = new Map<number, number>();
  for (let order = 0; order < TEMPLATES; order += 1) {
    const placed = begin + order * MINUTES_APART * 60_000;
    const { basket, history } = inventTemplate(random, order, shop, new Date(placed));
    events.push({ at: placed, act: async (db, at) => ids.set(order, (await placeOrder(db, basket, at)).id) });
    for (const { minutes, change } of history)
      events.push({ at: placed + minutes * 60_000, act: (db, at) => changeOrder(db, ids.get(order) ?? 0, change, at) });
  }
  await db.transaction().execute(async (transaction) => {
    for (const { at, act } of events.sort((one, other) => one.at - other.at)) await act(transaction, new Date(at));
  });
}

function inventTemplate(random: Random, order: number, shop: Shop, placedAt: Date) {
  const { home, abroad } = listMarkets(shop);
  const market = order % 3 === 2 ? abroad : home;
  let basket = inventOrder(random, market, shop.articles, placedAt);
  while (basket.lines.length !== LINES) basket = inventOrder(random, market, shop.articles, placedAt);
  const course = { total: priceBasket(basket).totals.total, digits: currencyDigits(market.currency), placedAt };
  const history: Step[] = inventHistory(random, course);
  return { basket, history };
}

const TABLES = ["orders", "order_lines"] as const;

/** Columns that differ in a copy; ids and sequences continue from the copy before it. */
const COPY_COLUMNS: Readonly<Record<(typeof TABLES)[number], Readonly<Record<string, string>>>> = {
  orders: {
    id: `id + ${TEMPLATES} * seq`,
    number: `concat('A-', 1000 + id + ${TEMPLATES} * seq)`,
    sequence: "sequence + @last_sequence * seq",
    status: "if(seq < @first_open and status in ('pending', 'on_hold'), 'completed', status)",
    as_placed: renumberLines("as_placed"),
  },
  order_lines: { id: "id + @last_line * seq", order_id: `order_id + ${TEMPLATES} * seq` },
};

/** Replaces the lines' ids within `as_placed`; each new id is larger than those still to be replaced. */
function renumberLines(text: string): string {
  const field = (id: string) => `concat('"id":', ${id}, ',"product_id"')`;
  return POSITIONS.reduce(
    (renumbered, position) =>
      `replace(${renumbered}, ${field(`line_${position}`)}, ${field(`line_${position} + @last_line * seq`)})`,
    text,
  );
}

/** Copies of the thousand orders per statement. */
const COPIES_PER_STATEMENT = 10;

/** Prepares `growOrders`. */
export async function saveTemplates(connection: Connection): Promise<void> {
  await connection.query("create table template_order_lines as select * from order_lines");
  const lineIds = POSITIONS.map(
    (position) =>
      `(select id from order_lines where order_id = orders.id and position = ${position}) as line_${position}`,
  );
  await connection.query(`create table template_orders as select *, ${lineIds} from orders`);
  await connection.query("set @last_sequence = (select max(sequence) from template_orders)");
  await connection.query("set @last_line = (select max(id) from template_order_lines)");
  // Without join buffers, rows are written in the order of their keys.
  await connection.query("set join_cache_level = 0");
}

/** Completes all open orders except the newest twentieth, as in a real shop. */
async function completeOld(connection: Connection, from: number, to: number): Promise<void> {
  const open = Math.max(1, Math.round(to / TEMPLATES / 20));
  await connection.query("set @first_open = ?", [to / TEMPLATES - open]);
  await connection.query("update orders set status = 'completed' where id <= ? and status in ('pending', 'on_hold')", [
    from,
  ]);
}

/** Copies the templates within the database, from `from` to `to` orders: multiples of 10,000, or 1,000. */
export async function growOrders(connection: Connection, from: number, to: number): Promise<void> {
  await connection.query("set global innodb_flush_log_at_trx_commit = 0");
  await completeOld(connection, from, to);
  for (const table of TABLES) {
    const columns = await columnsOf(connection, table);
    const values = columns.map((name) => COPY_COLUMNS[table][name] ?? `\`${name}\``);
    for (let copy = from / TEMPLATES; copy < to / TEMPLATES; copy += COPIES_PER_STATEMENT) {
      const last = Math.min(copy + COPIES_PER_STATEMENT, to / TEMPLATES) - 1;
      await connection.query(
        `insert into ${table} (${columns.map((name) => `\`${name}\``)}) select ${values} from seq_${copy}_to_${last} straight_join template_${table}`,
      );
    }
  }
  const ends = "select max(id) as last_id, max(sequence) as last_sequence from orders";
  await connection.query(
    `update counters join (${ends}) ends set counters.last_id = ends.last_id, counters.last_sequence = ends.last_sequence where name = 'orders'`,
  );
  await connection.query("analyze table orders, order_lines");
  await connection.query("set global innodb_flush_log_at_trx_commit = 1");
}

/** Lists the columns that the peers read: all except `as_placed`, which repeats the others in the API's format. */
export async function columnsWithoutCopies(connection: Connection): Promise<string> {
  const columns = await columnsOf(connection, "orders");
  return columns
    .filter((name) => !name.startsWith("as_placed"))
    .map((name) => `\`${name}\``)
    .join(", ");
}

async function columnsOf(connection: Connection, table: string): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    "select column_name as name from information_schema.columns where table_schema = database() and table_name = ? order by ordinal_position",
    [table],
  );
  return rows.map(({ name }) => name);
}

const LIMIT = 20;

/**
 * Throws unless copied orders are the same on a page and alone, byte for byte: a page reads `as_placed`, whose line ids
 * were replaced, and a single order reads its columns.
 */
export async function checkCopies(api: string, orders: number): Promise<void> {
  const get = async (path: string) => {
    const answer = await fetch(api + path, { headers: AS_PARTNER });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    return answer.text();
  };
  for (const since of [0, Math.floor(orders / 2), orders - LIMIT]) {
    const ids = Array.from({ length: LIMIT }, (_, index) => since + index + 1);
    const alone = await Promise.all(ids.map((id) => get(`/api/orders/${id}`)));
    const page = await get(`/api/orders?since_id=${since}&limit=${LIMIT}`);
    if (!page.startsWith(`{"orders":[${alone}],`)) throw new Error(`The orders after ${since} differ on their page.`);
  }
}
