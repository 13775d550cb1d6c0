import { type Kysely, sql } from "kysely";

/** One row per refund of an order. The API doesn't show the reference; it is null for refunds older than this table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists order_refunds (
      order_id bigint unsigned not null,
      position int unsigned not null,
      reference varchar(255) null,
      created_at datetime(3) not null,
      reason text null,
      amount decimal(19, 4) not null,
      primary key (order_id, position),
      unique key order_refunds_reference (order_id, reference),
      constraint order_refunds_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
