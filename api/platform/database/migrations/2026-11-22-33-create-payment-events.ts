import { type Kysely, sql } from "kysely";

/**
 * What the payment provider told us: only which payment it is about, since the provider is asked for the truth. It
 * stays unsettled until the provider has answered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists payment_events (
      id varchar(191) character set ascii collate ascii_bin not null primary key,
      type varchar(191) character set ascii not null,
      session_id varchar(191) character set ascii collate ascii_bin null,
      payment_intent varchar(191) character set ascii collate ascii_bin null,
      received_at datetime(3) not null,
      settled_at datetime(3) null,
      key payment_events_unsettled (settled_at, received_at),
      key payment_events_received (received_at)
    ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin
  `.execute(db);
}
