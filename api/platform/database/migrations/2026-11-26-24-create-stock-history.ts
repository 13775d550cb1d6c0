import { type Kysely, sql } from "kysely";

/** What the shop's own people counted: who, when, what lay on the shelf by the shop's own account, and what they found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists stock_history (
      id bigint unsigned not null auto_increment primary key,
      sku varchar(191) not null,
      was int null,
      became int null,
      done_by varchar(191) not null,
      done_at datetime(3) not null,
      key stock_history_of_sku (sku, id),
      key stock_history_kept (done_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
