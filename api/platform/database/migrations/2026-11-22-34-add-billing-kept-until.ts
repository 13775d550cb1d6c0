import { type Kysely, sql } from "kysely";

/** Until when the billing facts of an erased person's order are kept; null in every other order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'billing_kept_until'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table orders
      add column billing_kept_until datetime(3) null,
      add key orders_billing_kept (billing_kept_until)
  `.execute(db);
}
