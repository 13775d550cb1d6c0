import { type Kysely, sql } from "kysely";

/**
 * Mails to send, one of each kind for an order. A row has no text: a mail is written when it's sent. While an attempt
 * runs, `next_attempt_at` is the end of its lease, as in `deliveries`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists mails (
      id bigint unsigned not null auto_increment primary key,
      order_id bigint unsigned not null,
      kind varchar(32) not null,
      state varchar(16) not null,
      attempts int unsigned not null default 0,
      next_attempt_at datetime(3) null,
      lease_token char(36) null,
      created_at datetime(3) not null,
      sent_at datetime(3) null,
      fault varchar(255) null,
      unique key mails_kind (order_id, kind),
      key mails_due (state, next_attempt_at),
      constraint mails_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
