// Places orders with mysql2 alone: it reads and writes what POST /checkout/place does, by the same statements.
import { createHash } from "node:crypto";
import { createPool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from "mysql2/promise";

const [, , socketPath = ""] = process.argv;
const pool = createPool({
  ...{ socketPath, user: "root", database: "twinfront", timezone: "Z" },
  ...{ dateStrings: true, supportBigNumbers: true, jsonStrings: true },
});

interface Ready {
  /** `name=value` of the session. */
  cookie: string;
  /** The checkout's id. */
  id: number;
}

/** An order, its lines and its words to write again and again, without their numbers. */
interface Pattern {
  order: Record<string, unknown>;
  lines: Record<string, unknown>[];
  words: { word: string; placed: string }[];
}

const NOW = "utc_timestamp(3)";
const HOUR = "interval 1 hour";

async function rows(connection: Pick<PoolConnection, "query">, statement: string, values: readonly unknown[] = []) {
  return (await connection.query<RowDataPacket[]>(statement, [...values]))[0];
}

async function readPattern(): Promise<Pattern> {
  const [[order = {}], lines, words] = [
    await rows(pool, "select * from orders where id = 1"),
    await rows(pool, "select * from order_lines where order_id = 1 order by position"),
    await rows(pool, "select word, placed from order_search where order_id = 1"),
  ];
  return { order, lines, words: words.map(({ word, placed }) => ({ word, placed })) };
}

const PLACED =
  "select orders.id, orders.number, as_placed_shape from placements inner join orders on orders.id = placements.order_id where checkout_id = ? and session_id = ?";

async function place({ cookie, id }: Ready, pattern: Pattern): Promise<void> {
  const hash = createHash("sha256")
    .update(cookie.slice(cookie.indexOf("=") + 1))
    .digest("hex");
  const [session] = await rows(
    pool,
    `select id, used_at < ${NOW} - ${HOUR} as is_old from sessions where token_hash = ? and used_at > ${NOW} - interval 30 day`,
    [hash],
  );
  const sessionId: number = session?.["id"];
  await rows(pool, PLACED, [id, sessionId]);
  await pool.query(
    `insert into request_counts (name, client, began_at, requests) values ('placements', ?, ${NOW}, 1) on duplicate key update requests = last_insert_id(if(began_at <= ${NOW} - ${HOUR}, 1, requests + 1)), began_at = if(began_at <= ${NOW} - ${HOUR}, ${NOW}, began_at)`,
    [`raw ${sessionId}`],
  );
  await rows(pool, "select id, details, vat_check from checkouts where open_session_id = ?", [sessionId]);
  await rows(pool, "select facts from shop_facts");
  const basket = await rows(
    pool,
    "select sku, quantity, seen_price from basket_lines where session_id = ? order by added_at, sku",
    [sessionId],
  );
  await rows(pool, "select * from product_variants where sku in (?)", [basket.map(({ sku }) => sku)]);
  const connection = await pool.getConnection();
  await connection.query("set transaction isolation level read committed");
  await connection.query("begin");
  await write(connection, { sessionId, id, basket }, pattern);
  await connection.query("commit");
  connection.release();
  const [placed] = await rows(pool, PLACED, [id, sessionId]);
  await pool.query(
    "insert into session_orders (session_id, order_id) values (?, ?) on duplicate key update order_id = order_id",
    [sessionId, placed?.["id"]],
  );
}

interface Reviewed {
  sessionId: number;
  id: number;
  basket: RowDataPacket[];
}

async function write(
  connection: PoolConnection,
  { sessionId, id, basket }: Reviewed,
  { order, lines, words }: Pattern,
) {
  const run = (statement: string, values: readonly unknown[] = []) =>
    connection.query<ResultSetHeader>(statement, [...values]);
  await rows(connection, "select id from sessions where id = ? for update", [sessionId]);
  const cases = basket.flatMap(({ sku, quantity }) => [sku, quantity]);
  const ordered = `case sku ${"when ? then ? ".repeat(basket.length)}end`;
  await run(
    `update basket_lines set quantity = quantity - ${ordered} where session_id = ? and quantity >= ${ordered}`,
    [...cases, sessionId, ...cases],
  );
  await run("delete from basket_lines where session_id = ? and quantity = 0", [sessionId]);
  await run(`update checkouts set open_session_id = null, updated_at = ${NOW} where id = ? and open_session_id = ?`, [
    ...[id, sessionId],
  ]);
  const [{ insertId: orderId }] = await run(
    "update counters set last_id = last_insert_id(last_id + 1), last_sequence = last_sequence + 1 where name = 'orders'",
  );
  const { sequence: _, ...columns } = order;
  await run("insert into orders set ?, sequence = (select last_sequence from counters where name = 'orders')", [
    { ...columns, id: orderId, number: `A-${1000 + orderId}` },
  ]);
  const values = lines.map((line, index) =>
    Object.values({ ...line, id: orderId * 1_000 + index + 1, order_id: orderId }),
  );
  await run("insert into order_lines (??) values ?", [Object.keys(lines[0] ?? {}), values]);
  await run("insert into order_search (word, placed, order_id) values ?", [
    words.map(({ word, placed }) => [word, placed, orderId]),
  ]);
  await run(
    `insert into mails (order_id, kind, state, created_at, next_attempt_at) values (?, 'order_received', 'pending', ${NOW}, ${NOW}), (?, 'shop_new_order', 'pending', ${NOW}, ${NOW}) on duplicate key update kind = kind`,
    [orderId, orderId],
  );
  await run(`insert into placements (checkout_id, order_id, session_id, placed_at) values (?, ?, ?, ${NOW})`, [
    ...[id, orderId, sessionId],
  ]);
}

/** Orders a second. */
async function measure({ checkouts, atOnce }: { checkouts: Ready[]; atOnce: number }): Promise<number> {
  const pattern = await readPattern();
  const orders = checkouts.length;
  const begin = performance.now();
  const placeOn = async () => {
    for (let next = checkouts.pop(); next; next = checkouts.pop()) await place(next, pattern);
  };
  await Promise.all(Array.from({ length: atOnce }, placeOn));
  return (orders * 1000) / (performance.now() - begin);
}

process.on("message", async (message: Parameters<typeof measure>[0]) => process.send?.(await measure(message)));
process.on("disconnect", () => process.exit());
process.send?.("ready");
