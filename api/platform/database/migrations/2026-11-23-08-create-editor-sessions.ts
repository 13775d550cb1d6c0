import { type Kysely, sql } from "kysely";

/** The browsers that editors are signed in with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists editor_sessions (
      token_hash char(64) not null primary key,
      editor_id bigint unsigned not null,
      created_at datetime(3) not null,
      key editor_sessions_editor (editor_id),
      key editor_sessions_created (created_at),
      constraint editor_sessions_of_editor foreign key (editor_id) references editors (id) on delete cascade
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
