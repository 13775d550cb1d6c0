import { type Kysely, sql } from "kysely";

/** One row for each noun: the last id and the last sequence that were handed out (see sequence.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists counters (
      name varchar(32) not null primary key,
      last_id bigint unsigned not null,
      last_sequence bigint unsigned not null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
