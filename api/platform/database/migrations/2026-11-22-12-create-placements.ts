import { type Kysely, sql } from "kysely";

/** The guard against two orders of one checkout. It outlives the checkout and the session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists placements (
      checkout_id bigint unsigned not null primary key,
      order_id bigint unsigned not null,
      session_id bigint unsigned not null,
      placed_at datetime(3) not null,
      unique key placements_order (order_id),
      key placements_session (session_id),
      constraint placements_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
