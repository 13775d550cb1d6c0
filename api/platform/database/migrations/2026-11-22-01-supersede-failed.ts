import { type Kysely, sql } from "kysely";

/** Marks failed deliveries of older versions as superseded, as erp/push.ts now does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update deliveries as older
    join deliveries as newer on newer.order_id = older.order_id and newer.order_version > older.order_version
    set older.superseded = true
    where older.state = 'failed' and older.superseded = false
  `.execute(db);
}
