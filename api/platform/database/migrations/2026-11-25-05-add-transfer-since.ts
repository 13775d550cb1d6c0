import { type Kysely, sql } from "kysely";

/**
 * When an order to be paid by card became one to be paid by transfer; and of payment pages, when the customer first came
 * back from paying, and since when the provider's answers can't be read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ["orders", "transfer_since"],
    ["payment_attempts", "returned_at"],
    ["payment_attempts", "unreadable_since"],
  ] as const) {
    // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
    const { rows } = await sql`
      select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column}
    `.execute(db);
    if (rows.length === 0)
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} datetime(3) null`.execute(db);
  }
}
