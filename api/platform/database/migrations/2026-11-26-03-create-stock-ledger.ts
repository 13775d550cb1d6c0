import { type Kysely, sql } from "kysely";

/**
 * From which sequence of the orders on the ledger is exact, and up to which it was compared with the orders: none yet of
 * those that are there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists stock_ledger (
      id tinyint not null primary key,
      base bigint unsigned not null,
      compared bigint unsigned not null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
  await sql`
    insert ignore into stock_ledger (id, base, compared)
    select 1, last_sequence, 0 from counters where name = 'orders'
  `.execute(db);
}
