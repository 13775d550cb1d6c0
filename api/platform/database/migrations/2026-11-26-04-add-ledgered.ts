import { type Kysely, sql } from "kysely";

/** The sequence of an order that the ledger of stock last saw: an earlier release, which doesn't write it, leaves it behind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'ledgered'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table orders add column ledgered bigint unsigned null`.execute(db);
}
