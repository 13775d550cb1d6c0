import { type Kysely, sql } from "kysely";

/** Requests of an address within an hour, counted for all processes together (http/shared-limits.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists request_counts (
      name varchar(32) not null,
      client varchar(64) not null,
      began_at datetime(3) not null,
      requests int unsigned not null,
      primary key (name, client),
      key request_counts_began (began_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
