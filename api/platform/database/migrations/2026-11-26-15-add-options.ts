import { type Kysely, sql } from "kysely";

/** By which options a version is chosen, as pairs in the product's order, and room for a path that ends in its SKU. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'product_variants' and column_name = 'options'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table product_variants add column options json null, modify column path varchar(1024) not null
  `.execute(db);
}
