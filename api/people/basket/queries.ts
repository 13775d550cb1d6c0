import { sql } from "kysely";
import { MAX_QUANTITY } from "../../contract/order-quantity.ts";
import { fromNow } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import {
  asOfNow,
  findVariants,
  forPieces,
  OFFER_COLUMNS,
  type Offer,
  type StoredVariant,
  type Variant,
} from "../../selling/catalogue/variants.ts";
import { type Item, MAX_LINES } from "./items.ts";

export interface BasketLine extends Item {
  /** The price of one piece that was in force when the line was last changed. */
  seen_price: string;
  /** As the catalogue has it now; undefined if it never had the SKU. */
  variant: Variant | undefined;
}

/** A basket would have more than MAX_LINES lines. */
export class BasketFull extends Error {
  override readonly name = "BasketFull";
}

/** A basket holds less of something than was to be taken out of it. */
export class BasketChanged extends Error {
  override readonly name = "BasketChanged";
}

/** The lines of a session's basket, in the order in which they were added. */
export async function readBasket(db: Db, sessionId: number): Promise<BasketLine[]> {
  const rows = await db
    .selectFrom("basket_lines")
    .leftJoin("product_variants", "product_variants.sku", "basket_lines.sku")
    .leftJoin("stock", "stock.sku", "basket_lines.sku")
    .selectAll("product_variants")
    .select(OFFER_COLUMNS)
    .select(["basket_lines.sku as line_sku", "quantity", "seen_price"])
    .where("session_id", "=", sessionId)
    .orderBy("added_at")
    .orderBy("line_sku")
    .execute();
  return rows.map(({ line_sku: sku, quantity, seen_price, ...variant }) => {
    return {
      sku,
      quantity,
      seen_price,
      variant: isStored(variant) ? forPieces(asOfNow(variant), quantity) : undefined,
    };
  });
}

/** All its columns are null where the join found none. */
const isStored = (
  joined: (StoredVariant & Offer) | Record<keyof (StoredVariant & Offer), unknown>,
): joined is StoredVariant & Offer => joined.sku !== null;

/**
 * Adds pieces to a session's basket, to at most MAX_QUANTITY of each version. Throws BasketFull, and then nothing was
 * added.
 */
export const addToBasket = (
  db: Db,
  sessionId: number,
  items: readonly { variant: Variant; quantity: number }[],
): Promise<void> =>
  inTransaction(db, async (transaction) => {
    await lockBasket(transaction, sessionId);
    await transaction
      .insertInto("basket_lines")
      .values(
        // A millisecond apart, so that they stay in their order.
        items.map(({ variant: { sku, price }, quantity }, index) => {
          return { session_id: sessionId, sku, quantity, seen_price: price, added_at: fromNow(index) };
        }),
      )
      .onDuplicateKeyUpdate({
        quantity: sql<number>`least(basket_lines.quantity + values(quantity), ${MAX_QUANTITY})`,
        seen_price: sql<string>`values(seen_price)`,
      })
      .execute();
    const { lines } = await transaction
      .selectFrom("basket_lines")
      .select(({ fn }) => fn.countAll<number>().as("lines"))
      .where("session_id", "=", sessionId)
      .executeTakeFirstOrThrow();
    if (lines > MAX_LINES) throw new BasketFull();
  });

/** Sets the quantities of lines; 0 removes one. A line that is gone by now stays gone. */
export const setQuantities = (db: Db, sessionId: number, items: readonly Item[]): Promise<void> =>
  inTransaction(db, async (transaction) => {
    const variants = await findVariants(
      transaction,
      items.map(({ sku }) => sku),
    );
    await lockBasket(transaction, sessionId);
    for (const { sku, quantity } of items) {
      const price = variants.get(sku)?.price;
      await transaction
        .updateTable("basket_lines")
        .set({ quantity, ...(price !== undefined && { seen_price: price }) })
        .where("session_id", "=", sessionId)
        .where("sku", "=", sku)
        .execute();
    }
    await deleteEmptyLines(transaction, sessionId);
  });

/**
 * Takes out of a session's basket what was ordered; what was added meanwhile stays. Call it in the transaction that
 * places the order. Throws BasketChanged if less is there than was ordered.
 */
export async function subtractFromBasket(transaction: Db, sessionId: number, items: readonly Item[]): Promise<void> {
  await lockBasket(transaction, sessionId);
  // One statement however many lines, since every other order waits meanwhile.
  const cases = items.map(({ sku, quantity }) => sql`when ${sku} then ${quantity}`);
  const ordered = sql<number>`case sku ${sql.join(cases, sql` `)} end`;
  const { numUpdatedRows } = await transaction
    .updateTable("basket_lines")
    .set(({ eb }) => ({ quantity: eb("quantity", "-", ordered) }))
    .where("session_id", "=", sessionId)
    .where("quantity", ">=", ordered)
    .executeTakeFirst();
  if (numUpdatedRows < items.length) throw new BasketChanged();
  await deleteEmptyLines(transaction, sessionId);
}

/** One after another, so that two changes at once neither deadlock nor exceed MAX_LINES together. */
const lockBasket = (transaction: Db, sessionId: number) =>
  transaction.selectFrom("sessions").select("id").where("id", "=", sessionId).forUpdate().execute();

const deleteEmptyLines = (transaction: Db, sessionId: number) =>
  transaction.deleteFrom("basket_lines").where("session_id", "=", sessionId).where("quantity", "=", 0).execute();
