import { type Kysely, sql } from "kysely";

/** What a person must look at in an order, and what it is about: one row for each, open until `done_at`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists attention (
      id bigint unsigned not null auto_increment primary key,
      order_id bigint unsigned not null,
      reason varchar(32) character set ascii collate ascii_bin not null,
      about varchar(191) character set ascii collate ascii_bin not null,
      amount decimal(19,4) null,
      returned decimal(19,4) not null default 0,
      currency char(3) null,
      since datetime(3) not null,
      done_by varchar(191) null,
      done_at datetime(3) null,
      unique key attention_matter (order_id, reason, about),
      key attention_open (done_at, order_id),
      constraint attention_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
