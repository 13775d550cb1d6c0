import { type Kysely, sql } from "kysely";

/** What `products` says of a version in place of content/, since it is counted; a row only where the two differ. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists stock_words (
      sku varchar(191) not null primary key,
      availability varchar(16) not null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
