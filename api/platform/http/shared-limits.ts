import { type Expression, sql } from "kysely";
import { ago, now } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { addressKey, SITE_FACTOR, siteKey } from "./rate-limits.ts";

/** The time that requests are counted for, from a client's first one. */
export const COUNTED_FOR_MS = 3_600_000;

/** The number of requests from which a count stands still, so that it never leaves its column. */
const MAX_COUNT = 1_000_000;

/**
 * Counts a request of `client` and returns whether it is among the first `perHour` of
 * its hour, which begins with its first request. All processes count together, in one statement that commits by itself:
 * call it before the work and outside of a transaction, so that a request that fails counts too.
 */
export async function takeShared(db: Db, name: string, client: string, perHour: number): Promise<boolean> {
  const over = sql<boolean>`began_at <= ${ago(COUNTED_FOR_MS)}`;
  const ifOver = <T>(then: Expression<T>, otherwise: Expression<T>) => sql<T>`if(${over}, ${then}, ${otherwise})`;
  const counted = ifOver(sql<number>`1`, sql<number>`least(requests + 1, ${sql.lit(MAX_COUNT)})`);
  const { insertId } = await db
    .insertInto("request_counts")
    .values({ name, client, began_at: now(), requests: 1 })
    .onDuplicateKeyUpdate({
      // Assigned from left to right, so `began_at` is still the old one here. The answer carries LAST_INSERT_ID.
      requests: sql<number>`last_insert_id(${counted})`,
      began_at: ifOver(now(), sql<Date>`began_at`),
    })
    .executeTakeFirstOrThrow();
  return Number(insertId ?? 1) <= perHour; // a new row has no id
}

/** The same for the address of a request: its network, then its site (rate-limits.ts), which has the limit eight times. */
export async function takeSharedOf(db: Db, name: string, address: string, perHour: number): Promise<boolean> {
  if (!(await takeShared(db, name, addressKey(address), perHour))) return false;
  const site = siteKey(address);
  return site === undefined || takeShared(db, name, site, SITE_FACTOR * perHour);
}
