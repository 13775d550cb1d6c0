import { type Kysely, sql } from "kysely";

/** The orders that a browser may see: it placed them, or opened them with a key from a mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists session_orders (
      session_id bigint unsigned not null,
      order_id bigint unsigned not null,
      primary key (session_id, order_id),
      key session_orders_order (order_id),
      constraint session_orders_of_session foreign key (session_id) references sessions (id) on delete cascade,
      constraint session_orders_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
