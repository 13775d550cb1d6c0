import { type Kysely, sql } from "kysely";

/** The id in base64url has at most 1,364 characters (WebAuthn §5.1: 1,023 bytes). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists editor_passkeys (
      credential_id varchar(1364) character set ascii collate ascii_bin not null primary key,
      editor_id bigint unsigned not null,
      public_key blob not null,
      sign_count bigint unsigned not null,
      created_at datetime(3) not null,
      used_at datetime(3) null,
      key editor_passkeys_editor (editor_id),
      constraint editor_passkeys_of_editor foreign key (editor_id) references editors (id) on delete cascade
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
