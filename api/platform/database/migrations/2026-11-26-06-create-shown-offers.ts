import { type Kysely, sql } from "kysely";

/**
 * What `products` says of a version in place of content/, since it is counted or the ERP has sent its price: null where
 * content's word or price holds, and a row only where they differ.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists shown_offers (
      sku varchar(191) not null primary key,
      availability varchar(16) null,
      price decimal(19,4) null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
