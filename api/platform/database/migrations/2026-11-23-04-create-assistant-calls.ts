import { type Kysely, sql } from "kysely";

/** One row for each call of the assistant's tools, kept for 90 days. It has hashes of conversation and arguments, no texts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists assistant_calls (
      id bigint unsigned not null auto_increment primary key,
      called_at datetime(3) not null,
      conversation_key char(64) null,
      tool varchar(64) not null,
      arguments_hash char(64) not null,
      status smallint unsigned not null,
      is_verified tinyint unsigned not null,
      key assistant_calls_called (called_at),
      key assistant_calls_conversation (conversation_key, called_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
