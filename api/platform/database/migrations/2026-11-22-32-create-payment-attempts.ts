import { type Kysely, sql } from "kysely";

/**
 * The payment pages that were opened at the provider. An order has at most one that can still be paid:
 * `open_order_id` is its order's id until the page is closed, then null. `idempotency_key` is written before the
 * provider is asked, so that a request whose answer was lost can be repeated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists payment_attempts (
      id bigint unsigned not null auto_increment primary key,
      order_id bigint unsigned not null,
      open_order_id bigint unsigned null,
      idempotency_key char(36) character set ascii collate ascii_bin not null,
      state varchar(16) not null,
      amount_minor bigint unsigned not null,
      currency char(3) not null,
      session_id varchar(191) character set ascii collate ascii_bin null,
      payment_intent varchar(191) character set ascii collate ascii_bin null,
      url text null,
      is_disputed tinyint not null default 0,
      surplus_minor bigint unsigned null,
      surplus_refunded_at datetime(3) null,
      created_at datetime(3) not null,
      expires_at datetime(3) not null,
      asked_at datetime(3) null,
      unique key payment_attempts_open (open_order_id),
      unique key payment_attempts_key (idempotency_key),
      unique key payment_attempts_session (session_id),
      unique key payment_attempts_intent (payment_intent),
      key payment_attempts_order (order_id),
      key payment_attempts_state (state, asked_at),
      key payment_attempts_surplus (surplus_refunded_at, surplus_minor),
      constraint payment_attempts_of_order foreign key (order_id) references orders (id)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
