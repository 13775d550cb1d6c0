import { type Kysely, sql } from "kysely";

/**
 * Who asked the assistant about which order, and whether they proved by a code that it is theirs. The code's hash comes
 * when its mail is sent. `asked` is a hash of the order number that was given; `order_id` is null if it isn't theirs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists verifications (
      id bigint unsigned not null auto_increment primary key,
      conversation_key char(64) not null,
      asked char(64) not null,
      order_id bigint unsigned null,
      code_hash char(64) null,
      tries tinyint unsigned not null default 0,
      created_at datetime(3) not null,
      confirmed_at datetime(3) null,
      key verifications_conversation (conversation_key, created_at),
      key verifications_order (order_id),
      key verifications_created (created_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
