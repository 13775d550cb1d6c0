import { type Kysely, sql } from "kysely";

/** What people and partners did with an order: who, when, what. Without a word that anybody wrote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists order_history (
      id bigint unsigned not null auto_increment primary key,
      order_id bigint unsigned not null,
      version int unsigned not null,
      act varchar(32) character set ascii collate ascii_bin not null,
      done_by varchar(191) not null,
      done_at datetime(3) not null,
      was varchar(32) character set ascii collate ascii_bin not null,
      became varchar(32) character set ascii collate ascii_bin not null,
      amount decimal(19,4) null,
      units int unsigned null,
      key order_history_of_order (order_id, id),
      constraint order_history_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
