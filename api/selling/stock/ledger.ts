import { type Selectable, sql } from "kysely";
import { readJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Tables } from "../../platform/database/tables.ts";

// The ledger of stock: which order holds how many pieces of what, and since which sequence of the orders. A count says up
// to which sequence it knows (counts.ts), so that both together say exactly what is free to sell, whatever crossed on the
// way. Every step of an order writes the ledger in its own transaction, which holds the orders' sequence row; rows of
// `stock` are locked after that one, in ascending order.

/** Pieces of a SKU. */
export interface Pieces {
  sku: string;
  units: number;
}

type OrderRow = Selectable<Tables["orders"]>;

/** What the ledger reads of an order. */
export type LedgerOrder = Pick<OrderRow, "status" | "fulfillments">;

/** An order asks for more of something than is left, and nothing was taken. */
export class TooFewLeft extends Error {
  override readonly name = "TooFewLeft";
}

const isPartSent = ({ fulfillments }: LedgerOrder) => fulfillments !== null && readJson(fulfillments).length > 0;

/** Whether an ERP has booked the order, as far as the order's JSON tells it: a count lacks its pieces from then on. */
const isBooked = (order: LedgerOrder): boolean =>
  ["processing", "on_hold", "completed"].includes(order.status) || (order.status === "refunded" && isPartSent(order));

/** Whether the order holds its pieces. */
export const isLive = (order: LedgerOrder): boolean => order.status === "pending" || isBooked(order);

/** The pieces of an order's lines, in the order in which their rows are locked. Lines without a SKU have none. */
export function sumPieces(lines: readonly { sku: string | null; quantity: number }[]): Pieces[] {
  const units = new Map<string, number>();
  for (const { sku, quantity } of lines) if (sku !== null) units.set(sku, (units.get(sku) ?? 0) + quantity);
  return [...units].map(([sku, units]) => ({ sku, units })).sort((a, b) => (a.sku < b.sku ? -1 : 1));
}

/**
 * Takes the pieces of an order that is about to be placed. Throws TooFewLeft where something that is counted has fewer
 * left, unless it's among `mayGoShort`: what its buyer was told to wait for.
 */
export async function takePieces(
  transaction: Db,
  pieces: readonly Pieces[],
  mayGoShort: ReadonlySet<string>,
): Promise<void> {
  if (pieces.length === 0) return;
  const taken = await take(transaction, pieces, mayGoShort);
  if (taken === pieces.length) return;
  const skus = pieces.map(({ sku }) => sku);
  const rows = await transaction.selectFrom("stock").select("sku").where("sku", "in", skus).execute();
  if (taken < rows.length) throw new TooFewLeft();
  // An earlier release, which runs beside this one, has imported what has no row yet.
  const known = new Set(rows.map(({ sku }) => sku));
  const missing = pieces.filter(({ sku }) => !known.has(sku));
  await addSkus(transaction, missing);
  await take(transaction, missing, mayGoShort);
}

/** Adds pieces to what is held, by one statement, and returns how many SKUs had enough of them. */
async function take(transaction: Db, pieces: readonly Pieces[], mayGoShort: ReadonlySet<string>): Promise<number> {
  const guarded = pieces.filter(({ sku }) => !mayGoShort.has(sku)).map(({ sku }) => sku);
  const { numUpdatedRows } = await moveHeld(transaction, pieces, 1)
    .$if(guarded.length > 0, (query) =>
      query.where(({ or, eb }) =>
        or([eb("count", "is", null), eb("sku", "not in", guarded), eb(sql`count - held`, ">=", unitsOf(pieces))]),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Every SKU that can be ordered has a row; without a count, nobody counts it. */
export async function addSkus(transaction: Db, skus: readonly { sku: string }[]): Promise<void> {
  if (skus.length === 0) return;
  await transaction
    .insertInto("stock")
    .ignore()
    .values(skus.map(({ sku }) => ({ sku })))
    .execute();
}

const unitsOf = (pieces: readonly Pieces[]) =>
  sql<number>`case sku ${sql.join(
    pieces.map(({ sku, units }) => sql`when ${sku} then ${units}`),
    sql` `,
  )} end`;

const moveHeld = (transaction: Db, pieces: readonly Pieces[], sign: 1 | -1) =>
  transaction
    .updateTable("stock")
    .set(({ eb }) => ({ held: eb("held", sign === 1 ? "+" : "-", unitsOf(pieces)) }))
    .where(
      "sku",
      "in",
      pieces.map(({ sku }) => sku),
    );

/** From which sequence on the ledger is exact: a count that knows less can't be added to it. */
export const readLedger = (db: Db): Promise<{ base: number }> =>
  db.selectFrom("stock_ledger").select("base").executeTakeFirstOrThrow();

/** Writes the rows of pieces that takePieces has taken, or that a step has brought back. */
export async function writeHolds(
  transaction: Db,
  { orderId, sequence, order }: { orderId: number; sequence: number; order: LedgerOrder },
  pieces: readonly Pieces[],
): Promise<void> {
  if (pieces.length === 0) return;
  const booked = isBooked(order) ? sequence : null;
  await transaction
    .insertInto("stock_holds")
    .values(pieces.map(({ sku, units }) => ({ order_id: orderId, sku, units, placed: sequence, booked })))
    .execute();
}

/** A change of an order, under the sequence row's lock. */
export interface LedgerStep {
  /** As it was before. */
  order: SeenOrder;
  /** Its new sequence. */
  sequence: number;
  is: LedgerOrder;
  /** What won't be sent of an order that was sent in part. */
  closed: readonly Pieces[];
}

/**
 * Follows a change of an order: notes that its pieces are booked, gives them back, or takes them again, whatever is left.
 * Returns the SKUs of which less than nothing is left then.
 */
export async function followLedger(transaction: Db, { order, sequence, is, closed }: LedgerStep): Promise<string[]> {
  if (order.ledgered !== order.sequence) await agreeWith(transaction, order, (await readLedger(transaction)).base);
  if (isLive(order) && !isLive(is)) await release(transaction, order, sequence, isAllSent(order));
  else if (isLive(is) && !isLive(order)) return takeAgain(transaction, order.id, sequence, is);
  else if (isBooked(is) && !isBooked(order)) await book(transaction, order.id, sequence);
  if (closed.length > 0) await releasePart(transaction, order.id, sequence, closed);
  return [];
}

/** Gives back pieces that won't be sent, as a part of their own: what was sent stays booked. */
async function releasePart(
  transaction: Db,
  orderId: number,
  sequence: number,
  closed: readonly Pieces[],
): Promise<void> {
  await moveHeld(transaction, closed, -1).execute();
  for (const { sku, units } of closed) {
    const row = await transaction
      .selectFrom("stock_holds")
      .select(["placed", "booked", "units"])
      .where("order_id", "=", orderId)
      .where("sku", "=", sku)
      .where("released", "is", null)
      .executeTakeFirstOrThrow();
    const whole = { order_id: orderId, sku, placed: row.placed, part: 0 };
    const isAll = row.units === units;
    await transaction
      .updateTable("stock_holds")
      .set(isAll ? { released: sequence } : { units: row.units - units })
      .where(({ and }) => and(whole))
      .execute();
    if (isAll) continue;
    await transaction
      .insertInto("stock_holds")
      .values({ ...whole, ...{ part: 1, units, booked: row.booked, released: sequence } })
      .execute();
  }
}

const book = (transaction: Db, orderId: number, sequence: number) =>
  transaction
    .updateTable("stock_holds")
    .set({ booked: sequence })
    .where("order_id", "=", orderId)
    .where("booked", "is", null)
    .where("released", "is", null)
    .execute();

/** Gives back what an order holds: with `andForgotten` what has no row any more, too, since every count has it. */
async function release(
  transaction: Db,
  { id }: { id: number },
  sequence: number,
  andForgotten: boolean,
): Promise<void> {
  const rows = await transaction
    .selectFrom("stock_holds")
    .select(["sku", "units", "released"])
    .where("order_id", "=", id)
    .execute();
  const open = rows.filter(({ released }) => released === null);
  const known = new Set(rows.map(({ sku }) => sku));
  const forgotten = andForgotten ? (await readPieces(transaction, id)).filter(({ sku }) => !known.has(sku)) : [];
  if (open.length + forgotten.length === 0) return;
  await moveHeld(transaction, [...open, ...forgotten], -1).execute();
  await transaction
    .updateTable("stock_holds")
    .set({ released: sequence })
    .where("order_id", "=", id)
    .where("released", "is", null)
    .execute();
  if (forgotten.length === 0) return;
  await transaction
    .insertInto("stock_holds")
    .values(forgotten.map((pieces) => ({ order_id: id, ...pieces, placed: 0, booked: 0, released: sequence })))
    .execute();
}

/** The pieces of an order that was placed, without those that won't be sent. */
async function readPieces(transaction: Db, orderId: number): Promise<Pieces[]> {
  const lines = await transaction
    .selectFrom("order_lines")
    .select(["sku", sql<number>`quantity - closed_quantity`.as("quantity")])
    .where("order_id", "=", orderId)
    .execute();
  return sumPieces(lines.filter(({ quantity }) => quantity > 0));
}

async function takeAgain(transaction: Db, orderId: number, sequence: number, order: LedgerOrder): Promise<string[]> {
  const pieces = await readPieces(transaction, orderId);
  if (pieces.length === 0) return [];
  await addSkus(transaction, pieces);
  await moveHeld(transaction, pieces, 1).execute();
  await writeHolds(transaction, { orderId, sequence, order }, pieces);
  const short = await transaction
    .selectFrom("stock")
    .select("sku")
    .where(
      "sku",
      "in",
      pieces.map(({ sku }) => sku),
    )
    .where(sql<boolean>`count < held`)
    .execute();
  return short.map(({ sku }) => sku);
}

const isAllSent = ({ fulfillment_status }: Pick<OrderRow, "fulfillment_status">): boolean =>
  fulfillment_status === "fulfilled" || fulfillment_status === "returned";

/**
 * Of `orders` beside `stock_holds`: one that was sent whole and then cancelled keeps its rows, since an order without any
 * that was sent whole still holds its pieces.
 */
export const WAS_SENT_AND_ENDED = sql<boolean>`(orders.fulfillment_status in ('fulfilled', 'returned')
  and orders.status in ('cancelled', 'failed'))`;

/** Of `orders`: one that holds pieces of what is counted, for which others may be waiting. */
export const HOLDS_COUNTED = sql<number>`(exists (select 1 from stock_holds join stock on stock.sku = stock_holds.sku
  where stock_holds.order_id = orders.id and stock_holds.released is null and stock.count is not null))`;

/** An order as it is found, with the sequence that the ledger last saw; null: it never saw the order. */
export type SeenOrder = LedgerOrder & Pick<OrderRow, "id" | "sequence" | "ledgered" | "buyer" | "fulfillment_status">;

/** The ledger has every order of the checkout; an erased person's keeps its rows. */
export const isLedgered = ({ buyer, ledgered }: Pick<SeenOrder, "buyer" | "ledgered">): boolean =>
  buyer !== null || ledgered !== null;

/**
 * Makes the rows of an order agree with what it is now, where an earlier release has changed it, which doesn't write the
 * ledger. Call it under the sequence row's lock. Nothing is needed of an order that had been sent whole before the ledger
 * began, at the sequence `base`: every count has it.
 */
export async function agreeWith(transaction: Db, order: SeenOrder, base: number): Promise<void> {
  const { id: orderId, sequence, ledgered } = order;
  const rows = await transaction.selectFrom("stock_holds").select("released").where("order_id", "=", orderId).execute();
  if (!isLive(order)) return release(transaction, order, sequence, ledgered !== null && isAllSent(order));
  if (rows.some(({ released }) => released === null)) {
    if (isBooked(order)) await book(transaction, orderId, sequence);
    return;
  }
  // Its rows go once a count has it (forget-settled.ts); one that ended meanwhile has kept them.
  if (rows.length === 0 && isAllSent(order) && (ledgered !== null || sequence <= base)) return;
  await takeAgain(transaction, orderId, sequence, order);
}
