import { type Kysely, sql } from "kysely";

/** A row is written when an attempt is claimed and filled in when it ends: what a killed process began stays visible. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists delivery_attempts (
      delivery_id bigint unsigned not null,
      number int unsigned not null,
      started_at datetime(3) not null,
      duration_ms int unsigned null,
      outcome varchar(32) not null,
      http_status smallint unsigned null,
      response_excerpt text null,
      primary key (delivery_id, number),
      constraint delivery_attempts_of_delivery foreign key (delivery_id) references deliveries (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
