import { type Kysely, sql } from "kysely";

/** What a version weighs, how it is taxed, what it holds and in which numbers it is sold; null is what was before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'product_variants' and column_name = 'weight_g'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table product_variants
      add column weight_g int unsigned null,
      add column tax_class varchar(64) null,
      add column content json null,
      add column order_least int unsigned not null default 1,
      add column order_step int unsigned not null default 1
  `.execute(db);
}
