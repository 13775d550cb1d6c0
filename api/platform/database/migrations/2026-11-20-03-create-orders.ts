import { type Kysely, sql } from "kysely";

/** utf8mb4_bin is the binary collation that MySQL and MariaDB share: `AB-1` and `ab-1` differ. Times are UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists orders (
      id bigint unsigned not null primary key,
      sequence bigint unsigned not null,
      version int unsigned not null,
      number varchar(64) not null,
      status varchar(32) not null,
      payment_status varchar(32) not null,
      fulfillment_status varchar(32) not null,
      currency char(3) not null,
      prices_include_tax boolean not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      placed_at datetime(3) null,
      paid_at datetime(3) null,
      cancelled_at datetime(3) null,
      cancel_reason text null,
      customer json null,
      billing_address json null,
      shipping_address json null,
      shipping_lines json not null,
      discounts json not null,
      payments json not null,
      refunds json not null,
      tax_lines json not null,
      items_net decimal(19, 4) not null,
      items_tax decimal(19, 4) not null,
      shipping_net decimal(19, 4) not null,
      shipping_tax decimal(19, 4) not null,
      discount decimal(19, 4) not null,
      tax decimal(19, 4) not null,
      total decimal(19, 4) not null,
      refunded decimal(19, 4) not null,
      due decimal(19, 4) not null,
      note text null,
      external_id varchar(191) null,
      unique key orders_sequence (sequence),
      unique key orders_number (number),
      key orders_status_id (status, id),
      key orders_status_sequence (status, sequence)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
