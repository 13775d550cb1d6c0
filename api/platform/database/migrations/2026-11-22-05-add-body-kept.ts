import { type Kysely, sql } from "kysely";

/** Whether a delivery still has its body, and an index that finds expired ones (jobs/retention.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // As in 2026-11-21-01: it may run again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'deliveries' and column_name = 'body_kept'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table deliveries
      add column body_kept boolean not null default true,
      add key deliveries_kept (body_kept, delivered_at)
  `.execute(db);
}
