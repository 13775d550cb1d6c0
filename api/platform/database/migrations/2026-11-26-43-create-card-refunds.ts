import { type Kysely, sql } from "kysely";

/** Refunds by card that somebody in the shop has decided, written before the provider is asked for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists card_refunds (
      id bigint unsigned not null auto_increment primary key,
      order_id bigint unsigned not null,
      attempt_id bigint unsigned not null,
      amount_minor bigint unsigned not null,
      state varchar(16) character set ascii collate ascii_bin not null,
      tries int unsigned not null default 0,
      asked_at datetime(3) null,
      refund_id varchar(191) character set ascii collate ascii_bin null,
      reason text null,
      done_by varchar(191) not null,
      created_at datetime(3) not null,
      key card_refunds_of_order (order_id, id),
      key card_refunds_state (state, id),
      constraint card_refunds_of_order foreign key (order_id) references orders (id),
      constraint card_refunds_of_attempt foreign key (attempt_id) references payment_attempts (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
