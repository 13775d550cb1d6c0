import { type Kysely, sql } from "kysely";

/** The documents of `orders.invoices`, apart from them, so that nobody who lists orders reads a document. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists invoices (
      order_id bigint unsigned not null,
      position int unsigned not null,
      number varchar(64) character set ascii collate ascii_bin not null,
      pdf mediumblob not null,
      xml mediumblob null,
      primary key (order_id, position),
      unique key invoices_number (number),
      constraint invoices_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
