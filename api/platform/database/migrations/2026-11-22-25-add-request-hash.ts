import { type Kysely, sql } from "kysely";

/** What a request with an Idempotency-Key sent, so that the same key with another body is refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'idempotency_keys' and column_name = 'request_hash'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table idempotency_keys add column request_hash char(64) null`.execute(db);
}
