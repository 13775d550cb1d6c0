import { type Kysely, sql } from "kysely";

/** What `products` says of a version in place of content/ is its price, too; null where content's word or price holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.tables where table_schema = database() and table_name = 'shown_offers'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table stock_words modify availability varchar(16) null, add column price decimal(19,4) null,
    rename to shown_offers
  `.execute(db);
}
