import { type Kysely, sql } from "kysely";

/** The slugs of all categories that list a product, its own first; null where its own is the only one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'products' and column_name = 'categories'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table products add column categories json null`.execute(db);
}
