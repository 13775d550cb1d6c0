import { type Kysely, sql } from "kysely";

/** What a version becomes where its last piece is sold: out_of_stock or backorder. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'product_variants' and column_name = 'when_sold_out'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table product_variants add column when_sold_out varchar(16) not null default 'out_of_stock'
  `.execute(db);
}
