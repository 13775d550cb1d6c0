import { type Kysely, sql } from "kysely";

/** How the customer chose to pay; null in orders from before there was a choice, and in those of other systems. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'payment_method'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table orders add column payment_method varchar(16) null`.execute(db);
}
