import { type Kysely, sql } from "kysely";

/** What the assistant passed on to a person: kept for 90 days, and only the shop reads what the customer wrote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists cases (
      id bigint unsigned not null auto_increment primary key,
      kind varchar(16) not null,
      order_id bigint unsigned null,
      reason varchar(32) not null,
      \`lines\` json null,
      message text null,
      contact varchar(255) null,
      conversation varchar(128) not null,
      channel varchar(32) null,
      subject varchar(255) null,
      created_at datetime(3) not null,
      key cases_order (order_id),
      key cases_created (created_at),
      constraint cases_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
