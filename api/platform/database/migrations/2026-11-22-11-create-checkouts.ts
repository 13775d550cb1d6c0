import { type Kysely, sql } from "kysely";

/**
 * The details of an order to come. A session has at most one that isn't placed: `open_session_id` is its session's id
 * until it is placed, then null.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists checkouts (
      id bigint unsigned not null auto_increment primary key,
      session_id bigint unsigned not null,
      open_session_id bigint unsigned null,
      details json not null,
      vat_check json null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key checkouts_open (open_session_id),
      key checkouts_session (session_id),
      key checkouts_updated (updated_at),
      constraint checkouts_of_session foreign key (session_id) references sessions (id) on delete cascade
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
