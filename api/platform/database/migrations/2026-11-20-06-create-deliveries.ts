import { type Kysely, sql } from "kysely";

/**
 * The outbox: one row for each message to the ERP's webhook, with the bytes that every attempt sends. `attempts` counts
 * all of them, `tries` those since somebody last pushed: the place in the retry schedule. While an attempt runs,
 * `next_attempt_at` is the end of its lease, so that what is due is found by one column.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists deliveries (
      id bigint unsigned not null auto_increment primary key,
      order_id bigint unsigned not null,
      order_version int unsigned not null,
      resend int unsigned not null,
      webhook_id varchar(64) not null,
      body longblob not null,
      state varchar(16) not null,
      superseded boolean not null default false,
      attempts int unsigned not null default 0,
      tries int unsigned not null default 0,
      next_attempt_at datetime(3) null,
      leased_until datetime(3) null,
      lease_token char(36) null,
      created_at datetime(3) not null,
      delivered_at datetime(3) null,
      unique key deliveries_webhook_id (webhook_id),
      unique key deliveries_order (order_id, order_version, resend),
      key deliveries_due (state, superseded, next_attempt_at),
      key deliveries_delivered (delivered_at),
      constraint deliveries_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
