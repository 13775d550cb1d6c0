import { type Kysely, sql } from "kysely";

/** What the people who work in the shop note of an order: in no mail, and erased with the person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists order_notes (
      id bigint unsigned not null auto_increment primary key,
      order_id bigint unsigned not null,
      note text not null,
      done_by varchar(191) not null,
      done_at datetime(3) not null,
      key order_notes_of_order (order_id, id),
      constraint order_notes_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
