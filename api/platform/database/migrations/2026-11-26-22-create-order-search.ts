import { type Kysely, sql } from "kysely";

/**
 * The words by which orders are found and the lists that they stand in, in the order in which they were placed, so that a
 * page of a list is read from its index alone. Up to which sequence all orders were compared with their words, and at
 * which each of them agreed. Who took orders out as a table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists order_search (
      word varchar(64) not null,
      placed datetime(3) not null,
      order_id bigint unsigned not null,
      primary key (word, placed, order_id),
      key order_search_of_order (order_id, word),
      constraint order_search_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
  await sql`
    create table if not exists order_search_state (
      id tinyint not null primary key,
      compared bigint unsigned not null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
  await sql`insert ignore into order_search_state (id, compared) values (1, 0)`.execute(db);
  await sql`
    create table if not exists order_exports (
      id bigint unsigned not null auto_increment primary key,
      done_by varchar(191) not null,
      done_at datetime(3) not null,
      list varchar(16) character set ascii collate ascii_bin not null,
      from_day char(10) null,
      to_day char(10) null,
      is_search tinyint not null,
      orders int unsigned null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'orders' and column_name = 'searched'
  `.execute(db);
  if (rows.length > 0) return;
  await sql`alter table orders add column searched bigint unsigned null`.execute(db);
}
