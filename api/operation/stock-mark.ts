import { sql } from "kysely";
import type { DatabaseAddress } from "../platform/database/database-address.ts";
import { describeOutage } from "../platform/database/outage.ts";
import { closeDatabase, type Db, MONITORING, openDatabase } from "../platform/database/pool.ts";
import { ERP_CURRENCY } from "../selling/catalogue/variants.ts";
import { findShopFacts } from "../selling/shop/queries.ts";

/** Tells whether what is left of the versions that are counted, or a price of the ERP, may change a page. */
export interface StockMark {
  /**
   * Differs whenever the pages of a version may; empty if nothing is counted and no price is the ERP's. Rejects with
   * what is wrong with the database.
   */
  read(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens it at a database's address. It costs three short statements, so that it can be read all day
 * (nginx/release/refresh.ts).
 */
export function openStockMark(address: DatabaseAddress): StockMark {
  // A connection that has been idle between two readings is opened anew.
  const db = openDatabase(address, { timeouts: MONITORING });
  return {
    read: () =>
      readMark(db).catch((error: unknown) => {
        throw new Error(describeOutage(error) ?? String(error), { cause: error });
      }),
    close: () => closeDatabase(db),
  };
}

async function readMark(db: Db): Promise<string> {
  const { few_left } = (await findShopFacts(db)) ?? { few_left: null };
  // Whether any are left, and whether more than a few are: pages say no more.
  const { counted, mark } = await db
    .selectFrom("stock")
    .select(({ fn }) => [
      fn.countAll<number>().as("counted"),
      sql<string>`sum(crc32(concat_ws(' ', stock.sku,
        stock.count > stock.held, stock.count - stock.held > ${few_left ?? 0},
        case when stock.count > stock.held or stock.restock_on < utc_date() then '' else stock.restock_on end)))`.as(
        "mark",
      ),
    ])
    .where("count", "is not", null)
    .executeTakeFirstOrThrow();
  const prices = await db
    .selectFrom("erp_prices")
    .select(({ fn }) => [
      fn.countAll<number>().as("sent"),
      sql<string>`sum(crc32(concat_ws(' ', sku, price, currency)))`.as("mark"),
    ])
    .where("currency", "=", ERP_CURRENCY)
    .executeTakeFirstOrThrow();
  return [
    ...(Number(counted) === 0 ? [] : [counted, few_left, mark]),
    ...(Number(prices.sent) === 0 ? [] : ["prices", prices.sent, prices.mark]),
  ].join(" ");
}
