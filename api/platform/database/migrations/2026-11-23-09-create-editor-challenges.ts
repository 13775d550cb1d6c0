import { type Kysely, sql } from "kysely";

/** What a passkey has to sign, once: the one who answers it deletes the row. `link_hash` is '' for signing in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists editor_challenges (
      challenge char(43) not null primary key,
      link_hash char(64) not null,
      created_at datetime(3) not null,
      key editor_challenges_created (created_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
