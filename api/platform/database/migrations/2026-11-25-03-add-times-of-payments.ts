import { type Kysely, sql } from "kysely";

/**
 * When an order to be paid by card became one to be paid by transfer. Of payment pages: when the customer first came back
 * from paying, since when the provider's answers can't be read, when it was last asked to send money back, and when it
 * became clear that this doesn't go. Of events: when an answer about them last couldn't be read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ["orders", "transfer_since"],
    ["payment_attempts", "returned_at"],
    ["payment_attempts", "unreadable_since"],
    ["payment_attempts", "surplus_asked_at"],
    ["payment_attempts", "surplus_failed_at"],
    ["payment_events", "unreadable_at"],
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
