import { type Kysely, sql } from "kysely";

/**
 * A line's id follows from its order's (selling/orders/place-order.ts) from now on, so the next order's id must lie beyond
 * the lines that are there: placings that failed took ids too.
 */
export const up = (db: Kysely<unknown>) =>
  sql`
    update counters set last_id = greatest(last_id, (select coalesce(max(id), 0) div 1000 from order_lines))
    where name = 'orders'
  `.execute(db);
