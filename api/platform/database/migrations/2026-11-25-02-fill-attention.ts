import { type Kysely, sql } from "kysely";

/**
 * Orders that part payments put on hold, which money alone releases when the rest comes: those that nothing else has
 * changed, since a hold by a person leaves no other trace, and a person releases the others. A version is a change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert ignore into attention (order_id, reason, about, amount, currency, since)
    select id, 'part_paid', '', due, currency, updated_at from orders
    where status = 'on_hold' and payment_status = 'partially_paid' and due > 0
      and version = 1 + json_length(payments)
  `.execute(db);
}
