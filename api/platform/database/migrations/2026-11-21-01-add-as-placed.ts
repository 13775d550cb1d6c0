import { type Kysely, sql } from "kysely";

/** The immutable part of an order as the API's JSON, and the shape it was written in (selling/orders/as-placed.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'as_placed'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table orders add column as_placed mediumblob null, add column as_placed_shape char(16) null
  `.execute(db);
}
