import { type Kysely, sql } from "kysely";

/** By which orders are found by e-mail address; binary, since other collations compare ü and u alike. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'email_key'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table orders
      add column email_key varchar(254) character set utf8mb4 collate utf8mb4_bin null,
      add key orders_email_key (email_key)
  `.execute(db);
}
