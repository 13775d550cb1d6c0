import { type Kysely, sql } from "kysely";

/** One row per payment of an order: `position` is its id in the API, and a method and reference identify it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists order_payments (
      order_id bigint unsigned not null,
      position int unsigned not null,
      method varchar(64) not null,
      reference varchar(255) null,
      amount decimal(19, 4) not null,
      status varchar(32) not null,
      primary key (order_id, position),
      unique key order_payments_reference (order_id, method, reference),
      constraint order_payments_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
