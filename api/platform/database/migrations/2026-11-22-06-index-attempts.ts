import { type Kysely, sql } from "kysely";

/** Finds expired attempts (jobs/retention.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add key if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = 'delivery_attempts' and index_name = 'delivery_attempts_started'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table delivery_attempts add key delivery_attempts_started (started_at)`.execute(db);
}
