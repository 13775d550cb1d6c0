import { type Kysely, sql } from "kysely";

/** `seen_price`: the price of one piece in content/ when the line was last changed, to tell the customer what differs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists basket_lines (
      session_id bigint unsigned not null,
      sku varchar(191) not null,
      quantity int unsigned not null,
      seen_price decimal(19, 4) not null,
      added_at datetime(3) not null,
      primary key (session_id, sku),
      constraint basket_lines_of_session foreign key (session_id) references sessions (id) on delete cascade
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
