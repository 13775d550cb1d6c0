import { type Kysely, sql } from "kysely";

/** What each editor may do. Those who were there before may do everything, as they could. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'editors' and column_name = 'rights'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table editors
      add column rights varchar(64) character set ascii collate ascii_bin not null default 'content,orders,shop'
  `.execute(db);
}
