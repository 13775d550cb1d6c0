import { now, readJson, writeJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { StoredCheckoutDetails, StoredVatCheck } from "../../platform/database/tables.ts";
import { addSessionOrder } from "../account/queries.ts";

export interface Checkout {
  id: number;
  details: StoredCheckoutDetails;
  /** What VIES said of `details.vat_id`; null without one. */
  vat_check: StoredVatCheck | null;
}

/** The session's checkout that isn't placed yet. */
export async function findOpenCheckout(db: Db, sessionId: number): Promise<Checkout | undefined> {
  const row = await db
    .selectFrom("checkouts")
    .select(["id", "details", "vat_check"])
    .where("open_session_id", "=", sessionId)
    .executeTakeFirst();
  return row && { ...row, details: readJson(row.details), vat_check: row.vat_check && readJson(row.vat_check) };
}

/** The session's newest checkout, placed or not, whose details save typing them again. */
export async function findLastCheckout(db: Db, sessionId: number): Promise<Omit<Checkout, "id"> | undefined> {
  const row = await db
    .selectFrom("checkouts")
    .select(["details", "vat_check"])
    .where("session_id", "=", sessionId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { details: readJson(row.details), vat_check: row.vat_check && readJson(row.vat_check) };
}

/** Stores the details of the session's open checkout, which it opens if there is none. */
export async function saveCheckout(
  db: Db,
  sessionId: number,
  { details, vat_check }: Omit<Checkout, "id">,
): Promise<void> {
  const given = { details: writeJson(details), vat_check: vat_check && writeJson(vat_check), updated_at: now() };
  await db
    .insertInto("checkouts")
    .values({ session_id: sessionId, open_session_id: sessionId, created_at: now(), ...given })
    .onDuplicateKeyUpdate(given)
    .execute();
}

/** Stores another way of delivery, none if it's empty, in the session's open checkout, if it is still that one. */
export async function chooseMethod(
  db: Db,
  sessionId: number,
  { id, details }: Checkout,
  method: string,
): Promise<void> {
  await db
    .updateTable("checkouts")
    .set({ details: writeJson({ ...details, method: method || null }), updated_at: now() })
    .where("id", "=", id)
    .where("open_session_id", "=", sessionId)
    .execute();
}

/** Closes the session's open checkout, in the transaction that places its order. False if it isn't open any more. */
export async function closeCheckout(transaction: Db, sessionId: number, checkoutId: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("checkouts")
    .set({ open_session_id: null, updated_at: now() })
    .where("id", "=", checkoutId)
    .where("open_session_id", "=", sessionId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The number of the order that this session placed with a checkout, and may see from now on. */
export const findPlacedOrder = (db: Db, sessionId: number, checkoutId: number): Promise<string | undefined> =>
  openPlaced(db, sessionId, checkoutId);

/** The same of the order that this session placed last. */
export const findLastOrder = (db: Db, sessionId: number): Promise<string | undefined> => openPlaced(db, sessionId);

/**
 * The order of a checkout, or else the session's last. Who is led to an order may see it: this isn't stored while it is
 * placed, because every other order would wait for it.
 */
async function openPlaced(db: Db, sessionId: number, checkoutId?: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("placements")
    .innerJoin("orders", "orders.id", "placements.order_id")
    .select(["orders.id", "orders.number"])
    .where("session_id", "=", sessionId)
    .$if(checkoutId !== undefined, (query) => query.where("checkout_id", "=", Number(checkoutId)))
    .orderBy("checkout_id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row) await addSessionOrder(db, sessionId, row.id);
  return row?.number;
}
