import { type Kysely, sql } from "kysely";

/** What can be ordered, by SKU: written by the import with `products`. A SKU that left the catalogue stays, archived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists product_variants (
      sku varchar(191) not null primary key,
      product_id bigint unsigned not null,
      product_title text not null,
      title text not null,
      path varchar(255) not null,
      picture text null,
      gtin varchar(14) null,
      price decimal(19, 4) not null,
      availability varchar(16) not null,
      available_from char(10) null,
      constraint product_variants_of_product foreign key (product_id) references products (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
