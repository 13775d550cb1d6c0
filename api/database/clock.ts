import { sql } from "kysely";

/**
 * The database's clock, the only one that all processes share: leases and due times are written and compared by it
 * alone. Milliseconds from now, to write …
 */
export const later = (milliseconds = 0) =>
  sql<Date>`timestampadd(microsecond, ${Math.round(milliseconds) * 1_000}, utc_timestamp(3))`;

/** … and, in the past, to compare with. */
export const ago = (milliseconds = 0) =>
  sql<string>`timestampadd(microsecond, ${Math.round(milliseconds) * -1_000}, utc_timestamp(3))`;

/** Whether the lease of a delivery is still on: 1, else 0 or null. */
export const leased = sql<number | null>`leased_until > utc_timestamp(3)`.as("leased");
