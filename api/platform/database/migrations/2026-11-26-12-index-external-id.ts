import { type Kysely, sql } from "kysely";

/** Partners find an order by its id in their system. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add key if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = 'orders' and index_name = 'orders_external_id'
  `.execute(db);
  if (rows.length === 0) await sql`alter table orders add key orders_external_id (external_id)`.execute(db);
}
