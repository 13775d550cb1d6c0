import { type Kysely, sql } from "kysely";

/** What was sent of an order, and with which carrier; null until something was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'fulfillments'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table orders add column fulfillments json null`.execute(db);
}
