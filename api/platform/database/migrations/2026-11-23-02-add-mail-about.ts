import { type Kysely, sql } from "kysely";

/** Mails about something else than an order, or about one of several things of an order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'mails' and column_name = 'about'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table mails
      modify column order_id bigint unsigned null,
      add column about bigint unsigned not null default 0,
      drop key mails_kind,
      add unique key mails_kind (order_id, kind, about)
  `.execute(db);
}
