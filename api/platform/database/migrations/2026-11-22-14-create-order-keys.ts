import { type Kysely, sql } from "kysely";

/** The keys in mails that open an order's page: the SHA-256 of each in hexadecimal digits, valid for 90 days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists order_keys (
      key_hash char(64) not null primary key,
      order_id bigint unsigned not null,
      created_at datetime(3) not null,
      key order_keys_order (order_id),
      key order_keys_created (created_at),
      constraint order_keys_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
