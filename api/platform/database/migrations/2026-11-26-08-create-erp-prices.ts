import { type Kysely, sql } from "kysely";

/** The last price of each SKU that a partner's ERP has sent, and every price that was in force (selling/catalogue/prices.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists erp_prices (
      sku varchar(191) not null primary key,
      price decimal(19,4) not null,
      currency char(3) not null,
      priced_at datetime(3) not null,
      sent_by char(8) not null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
  await sql`
    create table if not exists price_history (
      id bigint unsigned not null auto_increment primary key,
      sku varchar(191) not null,
      price decimal(19,4) not null,
      currency char(3) not null,
      priced_at datetime(3) not null,
      sent_by char(8) null,
      stored_at datetime(3) not null,
      key sku (sku, id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
