import { type Kysely, sql } from "kysely";

/** Who bought, under which reference of theirs, how the order is taxed, and what VIES said of the VAT number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'buyer'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`
    alter table orders
      add column buyer json null,
      add column buyer_reference varchar(191) null,
      add column tax_treatment varchar(32) null,
      add column vat_check json null,
      add column erp_pushed_at datetime(3) null
  `.execute(db);
}
