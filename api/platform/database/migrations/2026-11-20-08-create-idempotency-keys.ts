import { type Kysely, sql } from "kysely";

/** What was answered to a push with an Idempotency-Key, for 24 hours; without an answer while that push still runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists idempotency_keys (
      key_hash char(64) not null primary key,
      order_id bigint unsigned not null,
      created_at datetime(3) not null,
      status smallint unsigned null,
      answer longtext null,
      key idempotency_keys_created (created_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
