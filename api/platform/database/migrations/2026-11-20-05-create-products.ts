import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists products (
      id bigint unsigned not null primary key,
      sequence bigint unsigned not null,
      slug varchar(191) not null,
      status varchar(32) not null,
      url text not null,
      title text not null,
      description text not null,
      brand text null,
      category varchar(191) not null,
      images json not null,
      specifications json not null,
      variants json not null,
      content_hash char(64) not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key products_sequence (sequence),
      unique key products_slug (slug)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
