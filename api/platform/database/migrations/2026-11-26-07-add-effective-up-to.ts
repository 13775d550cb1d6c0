import { type Kysely, sql } from "kysely";

/** Up to which of their sequences the products have what is in force: an earlier release's import writes what content/ says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'counters' and column_name = 'effective_up_to'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table counters add column effective_up_to bigint unsigned not null default 0`.execute(db);
}
