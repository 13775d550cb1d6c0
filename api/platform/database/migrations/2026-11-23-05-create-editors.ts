import { type Kysely, sql } from "kysely";

/** Who may write content in a browser. The user handle is what passkeys know them by (WebAuthn §5.4.3): no name or address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists editors (
      id bigint unsigned not null auto_increment primary key,
      name varchar(128) not null,
      email varchar(254) not null,
      user_handle char(43) not null,
      created_at datetime(3) not null,
      unique key editors_email (email)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
