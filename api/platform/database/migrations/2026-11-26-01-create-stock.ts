import { type Kysely, sql } from "kysely";

/**
 * What is free to sell, by SKU: every SKU that can be ordered has a row, so that whoever takes pieces always finds one to
 * lock. `count` is null where nobody counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists stock (
      sku varchar(191) not null primary key,
      count int null,
      restock_on char(10) null,
      changed_after bigint unsigned null,
      counted_at datetime(3) null,
      counted_by char(8) null,
      held int not null default 0
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
  await sql`insert ignore into stock (sku) select sku from product_variants`.execute(db);
}
