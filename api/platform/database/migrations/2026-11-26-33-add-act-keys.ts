import { type Kysely, sql } from "kysely";

/** The key of the form that an act was asked for with, so that the same form does it once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'order_history' and column_name = 'act_key'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table order_history
      add column act_key varchar(36) character set ascii collate ascii_bin null,
      add unique key order_history_act_key (act_key)
  `.execute(db);
}
