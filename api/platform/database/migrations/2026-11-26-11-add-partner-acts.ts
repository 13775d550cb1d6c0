import { type Kysely, sql } from "kysely";

/**
 * What a partner notes of an order; why its rest won't come, what that costs, and how many pieces of a line it is; what came back; which
 * invoices it has; whether a partner has put it on hold.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column, type] of [
    ["orders", "partner_note", "text null"],
    ["orders", "close_reason", "text null"],
    ["orders", "returns", "json null"],
    ["orders", "invoices", "json null"],
    ["orders", "closed_total", "decimal(19,4) not null default 0"],
    ["orders", "held_by_partner", "tinyint not null default 0"],
    ["order_lines", "closed_quantity", "int unsigned not null default 0"],
  ] as const) {
    // MySQL lacks `add column if not exists`, and a migration interrupted before it was recorded runs again.
    const { rows } = await sql`
      select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column}
    `.execute(db);
    if (rows.length === 0)
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(type)}`.execute(db);
  }
}
