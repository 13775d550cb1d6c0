import { randomUUID } from "node:crypto";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { ago, fromNow, now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { isChargeable, toMinor, ZERO_DECIMAL } from "./amounts.ts";

/** A payment page at the provider, from before it is opened. */
export type Attempt = Selectable<Tables["payment_attempts"]>;

/** How long a payment page can be paid: Stripe's longest is 24 hours from the request. */
const PAGE_OPEN_MS = 23 * 3_600_000;

/**
 * The attempt of an order whose page can be paid, or a new one, written before the provider is asked. Undefined if
 * nothing is to be paid by card: the order isn't pending, is to be paid in another way, what is due can't be charged, or a
 * bank debit is under way.
 */
export const claimAttempt = (db: Db, orderId: number): Promise<Attempt | undefined> =>
  changeAttempts(db, async (transaction) => {
    const order = await transaction
      .selectFrom("orders")
      .select(["status", "payment_method", "currency", "due"])
      .where("id", "=", orderId)
      .forUpdate() // so that two clicks claim the same
      .executeTakeFirst();
    if (order?.status !== "pending" || order.payment_method !== "card") return undefined;
    const attempts = await transaction
      .selectFrom("payment_attempts")
      .selectAll()
      .where("order_id", "=", orderId)
      .execute();
    if (attempts.some(({ state }) => state === "pending")) return undefined;
    const open = attempts.find(({ open_order_id }) => open_order_id !== null);
    if (open || !isChargeable(order.due, order.currency)) return open;
    const amountMinor = toMinor(order.due, order.currency);
    if (amountMinor === 0) return undefined;
    const { insertId } = await transaction
      .insertInto("payment_attempts")
      .values({
        ...{ order_id: orderId, open_order_id: orderId, idempotency_key: randomUUID(), state: "opening" },
        ...{ amount_minor: amountMinor, currency: order.currency },
        ...{ created_at: now(), expires_at: fromNow(PAGE_OPEN_MS) },
      })
      .executeTakeFirstOrThrow();
    return findAttempt(transaction, { id: Number(insertId) });
  });

/** Under the default level the gaps beside an order's attempts would be locked, and other orders' with them. */
const changeAttempts = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  inTransaction(db, work, READ_COMMITTED);

/** The order's attempt whose page can be paid, as far as we know. */
export const findOpenAttempt = (db: Db, orderId: number): Promise<Attempt | undefined> =>
  findAttempt(db, { open_order_id: orderId });

/** An attempt by one of its unique keys. */
export function findAttempt(
  db: Db,
  key: Partial<
    Record<"id" | "open_order_id", number> & Record<"idempotency_key" | "session_id" | "payment_intent", string>
  >,
): Promise<Attempt | undefined> {
  const [[column, value]] = Object.entries(key) as [[keyof typeof key, string & number]];
  return db.selectFrom("payment_attempts").selectAll().where(column, "=", value).executeTakeFirst();
}

/**
 * Stores the page that the provider has opened, unless that is done or the attempt was given up meanwhile. Returns the
 * attempt as it is then.
 */
export const recordPage = (db: Db, id: number, page: { sessionId: string; url: string }) =>
  changeAttempts(db, async (transaction) => {
    await transaction
      .updateTable("payment_attempts")
      .set({ state: "open", session_id: page.sessionId, url: page.url })
      .where("id", "=", id)
      .where("state", "=", "opening")
      .execute();
    return findAttempt(transaction, { id });
  });

/** The attempt with the page that belongs to it, which the provider told us by another way than its answer. */
export const adoptSession = (db: Db, { id }: Attempt, sessionId: string): Promise<Attempt | undefined> =>
  changeAttempts(db, async (transaction) => {
    await transaction
      .updateTable("payment_attempts")
      .set({ session_id: sessionId })
      .where("id", "=", id)
      .where("session_id", "is", null)
      .execute();
    const attempt = await findAttempt(transaction, { id });
    return attempt?.session_id === sessionId ? attempt : undefined;
  });

/**
 * Claims the next question about an attempt while its order is shown: one in `everyMs`, however many ask at once, and one
 * more when the customer first comes back from paying. False: it was asked just now, so what is known is new enough.
 */
export async function claimQuestion(
  db: Db,
  id: number,
  { everyMs, isReturn }: { everyMs: number; isReturn: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("payment_attempts")
    .set({ asked_at: now(), ...(isReturn && { returned_at: sql<Date>`coalesce(returned_at, ${now()})` }) })
    .where("id", "=", id)
    .where(({ or, eb }) =>
      or([
        eb("asked_at", "is", null),
        eb("asked_at", "<=", ago(everyMs)),
        ...(isReturn ? [eb("returned_at", "is", null)] : []),
      ]),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Gives up an attempt whose page never opened, so that the next one has a new idempotency key. */
export const abandonAttempt = (db: Db, id: number): Promise<void> =>
  changeAttempts(db, async (transaction) => {
    await transaction
      .updateTable("payment_attempts")
      .set({ state: "failed", open_order_id: null })
      .where("id", "=", id)
      .where("state", "=", "opening")
      .where("session_id", "is", null)
      .execute();
  });

/** The amount that a page takes, in the currency's unit. */
const amountAsked = sql<string>`payment_attempts.amount_minor
  / if(payment_attempts.currency in (${sql.join([...ZERO_DECIMAL])}), 1, 100)`;

/** Pages that can be paid although their order doesn't wait for that amount by card any more. */
export const findOutdated = (db: Db) =>
  db
    .selectFrom("payment_attempts")
    .innerJoin("orders", "orders.id", "payment_attempts.open_order_id")
    .selectAll("payment_attempts")
    .where(({ or, eb }) =>
      or([
        eb("orders.status", "!=", "pending"),
        eb("orders.payment_method", "!=", "card"),
        eb("orders.due", "!=", amountAsked),
      ]),
    );

/** The gaps between two questions about a page or a surplus. */
const MIN_GAP_SECONDS = 120;
const MAX_GAP_SECONDS = 3_600;

/**
 * Whether something is to be asked about that began at `since` and was asked about at `last`: two minutes after it began,
 * then whenever it's twice as old as when it was last asked about, at most an hour later.
 */
export function isDue(since: RawBuilder<unknown>, last: RawBuilder<unknown>): RawBuilder<boolean> {
  const gap = sql`least(${MAX_GAP_SECONDS}, greatest(${MIN_GAP_SECONDS}, timestampdiff(second, ${since}, ${last})))`;
  return sql<boolean>`timestampdiff(second, ${last}, ${now()}) >= ${gap}`;
}

/** Whether the provider may be asked now to send a surplus back, or how that stands. */
export const isSurplusDue = sql<boolean>`(surplus_asked_at is null or ${isDue(sql.ref("created_at"), sql.ref("surplus_asked_at"))})`;

/** Claims the next question about a surplus, so that several processes ask it once. */
export async function claimSurplus(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("payment_attempts")
    .set({ surplus_asked_at: now() })
    .where("id", "=", id)
    .where(isSurplusDue)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
