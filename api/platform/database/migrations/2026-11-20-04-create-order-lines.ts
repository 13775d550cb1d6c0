import { type Kysely, sql } from "kysely";

/** Clustered by order and position, so that the lines of a page lie side by side. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists order_lines (
      id bigint unsigned not null auto_increment,
      order_id bigint unsigned not null,
      position int unsigned not null,
      product_id bigint unsigned null,
      sku varchar(191) null,
      gtin varchar(14) null,
      name text not null,
      quantity int unsigned not null,
      unit_price decimal(19, 4) not null,
      discount_total decimal(19, 4) not null,
      net_total decimal(19, 4) not null,
      tax_total decimal(19, 4) not null,
      total decimal(19, 4) not null,
      tax_lines json not null,
      primary key (order_id, position),
      unique key order_lines_id (id),
      constraint order_lines_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
