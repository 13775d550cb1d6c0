import { type Kysely, sql } from "kysely";

/**
 * Orders that a part payment put on hold, which money alone releases when the rest comes. One whose payment was disputed
 * waits for a person all the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert ignore into attention (order_id, reason, about, amount, currency, since)
    select id, 'part_paid', '', due, currency, updated_at from orders
    where status = 'on_hold' and payment_status = 'partially_paid' and due > 0
      and not exists (select 1 from payment_attempts where order_id = orders.id and is_disputed = 1)
  `.execute(db);
}
