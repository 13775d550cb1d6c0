import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert ignore into counters (name, last_id, last_sequence) values ('orders', 0, 0), ('products', 0, 0)`.execute(
    db,
  );
}
