import { type Kysely, sql } from "kysely";

/** What of an order never changes, as the API's JSON, and the shape that it was written in (orders/as-placed.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL has no `add column if not exists`, and a migration may run again that ended before it was written down.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'as_placed'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table orders add column as_placed mediumblob null, add column as_placed_shape char(16) null
  `.execute(db);
}
