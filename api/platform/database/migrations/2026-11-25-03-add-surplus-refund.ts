import { type Kysely, sql } from "kysely";

/** When the provider was last asked about money to send back, and when it became clear that it doesn't go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'payment_attempts' and column_name = 'surplus_asked_at'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table payment_attempts
      add column surplus_asked_at datetime(3) null,
      add column surplus_failed_at datetime(3) null
  `.execute(db);
}
