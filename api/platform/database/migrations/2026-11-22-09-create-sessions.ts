import { type Kysely, sql } from "kysely";

/** A browser that has put something into its basket: the SHA-256 of its cookie in hexadecimal digits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists sessions (
      id bigint unsigned not null auto_increment primary key,
      token_hash char(64) not null,
      created_at datetime(3) not null,
      used_at datetime(3) not null,
      unique key sessions_token (token_hash),
      key sessions_used (used_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
