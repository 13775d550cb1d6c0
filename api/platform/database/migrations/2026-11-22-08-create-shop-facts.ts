import { type Kysely, sql } from "kysely";

/** One row: what the API knows of content/store.yaml, as the import read it from store.json (contract/built-files/store.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists shop_facts (
      id tinyint unsigned not null primary key,
      facts json not null,
      imported_at datetime(3) not null
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
