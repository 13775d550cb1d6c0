import { type Kysely, sql } from "kysely";

/**
 * The pieces that an order holds, with the orders' sequences at which it was placed, was first one that the ERP books,
 * and stopped being live. What won't be sent of an order is a part of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists stock_holds (
      order_id bigint unsigned not null,
      sku varchar(191) not null,
      units int unsigned not null,
      placed bigint unsigned not null,
      part tinyint unsigned not null default 0,
      booked bigint unsigned null,
      released bigint unsigned null,
      primary key (order_id, sku, placed, part),
      key stock_holds_of_sku (sku, released, booked),
      constraint stock_holds_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
