import { sql } from "kysely";
import { now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";

/** More numbers than the shop may have given out since the backup. */
const MARGIN = 500_000;
const MILLION = 1_000_000;

const nextMillion = (last: number) => Math.ceil((last + MARGIN) / MILLION) * MILLION;

/** Versions that an order may have had since the backup. */
const VERSIONS = 1_000;

/**
 * Makes a restored state one that partners can go on from. What happened after the backup is lost here, but partners
 * have seen it: so no id, sequence or version that they may know is given out again, and every order and product gets a
 * new sequence, in the same order, because any of them may have changed since. They read all of them once more.
 */
export async function continueNumbers(db: Db): Promise<void> {
  for (const { name, last_id, last_sequence } of await db.selectFrom("counters").selectAll().execute()) {
    const moved = nextMillion(last_sequence);
    const last = { last_id: nextMillion(last_id), last_sequence: moved + last_sequence };
    await db.updateTable("counters").set(last).where("name", "=", name).execute();
    if (name === "products")
      await db
        .updateTable("products")
        .set({ sequence: sql`sequence + ${moved}` })
        .execute();
    else {
      // A count from before the restore may know of orders that are lost; the ledger's own sequences stay.
      await db
        .updateTable("stock_ledger")
        .set({ base: last.last_sequence, compared: sql`compared + ${moved}` })
        .execute();
      await db
        .updateTable("orders")
        // A new version too: ETags and webhook ids are made of it.
        .set({
          sequence: sql`sequence + ${moved}`,
          ledgered: sql`ledgered + ${moved}`,
          version: sql`version + ${VERSIONS}`,
        })
        .execute();
    }
  }
  await raiseColumnCounters(db);
}

/** The lines' ids are in the API; the others cost nothing to raise. */
async function raiseColumnCounters(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as \`table\`, column_name as \`column\` from information_schema.columns
    where table_schema = database() and extra like '%auto_increment%'
  `.execute(db);
  for (const { table, column } of rows) {
    const last = await sql<{
      id: number | null;
    }>`select max(${sql.ref(column)}) as id from ${sql.table(table)}`.execute(db);
    const next = nextMillion(last.rows[0]?.id ?? 0) + 1;
    await sql`alter table ${sql.table(table)} auto_increment = ${sql.lit(next)}`.execute(db);
  }
}

export interface Held {
  mails: number;
  deliveries: number;
}

/** Holds back what was waiting to be sent: it may have been sent since the backup. Nothing else is pending without a time. */
export async function holdBack(db: Db): Promise<Held> {
  const waiting = { next_attempt_at: null, lease_token: null };
  const mails = await db.updateTable("mails").set(waiting).where("state", "=", "pending").executeTakeFirstOrThrow();
  const deliveries = await db
    .updateTable("deliveries")
    .set({ ...waiting, leased_until: null })
    .where("state", "=", "pending")
    .executeTakeFirstOrThrow();
  return { mails: Number(mails.numUpdatedRows), deliveries: Number(deliveries.numUpdatedRows) };
}

/** Counts what is held back. */
export async function countHeld(db: Db): Promise<Held> {
  const { mails } = await db
    .selectFrom("mails")
    .select(({ fn }) => fn.countAll<number>().as("mails"))
    .where("state", "=", "pending")
    .where("next_attempt_at", "is", null)
    .executeTakeFirstOrThrow();
  const { deliveries } = await db
    .selectFrom("deliveries")
    .select(({ fn }) => fn.countAll<number>().as("deliveries"))
    .where("state", "=", "pending")
    .where("next_attempt_at", "is", null)
    .executeTakeFirstOrThrow();
  return { mails, deliveries };
}

/** Sends or gives up what is held back. A delivery that was given up can be pushed again. */
export async function decideHeld(db: Db, decision: "send" | "drop"): Promise<Held> {
  const change = decision === "send" ? { next_attempt_at: now() } : { state: "failed" as const };
  const mails = await db
    .updateTable("mails")
    .set(decision === "send" ? change : { ...change, fault: "dropped after a restore" })
    .where("state", "=", "pending")
    .where("next_attempt_at", "is", null)
    .executeTakeFirstOrThrow();
  const deliveries = await db
    .updateTable("deliveries")
    .set(change)
    .where("state", "=", "pending")
    .where("next_attempt_at", "is", null)
    .executeTakeFirstOrThrow();
  return { mails: Number(mails.numUpdatedRows), deliveries: Number(deliveries.numUpdatedRows) };
}
