import { sql } from "kysely";
import type { Db } from "./pool.ts";

export interface LastNumbers {
  last_id: number;
  last_sequence: number;
}

/**
 * Takes numbers from the sequence row and locks that row until the transaction ends, so ids and sequences become visible
 * in order: once a number is visible, all smaller ones are to every statement that begins later (paging.ts). Writers
 * therefore queue; do slow work before calling this. Call it before the transaction reads or locks orders or products:
 * otherwise two writers can deadlock, and what was read may be outdated (ER_CHECKREAD under innodb_snapshot_isolation, the
 * default from MariaDB 11.6). Returns the last id and sequence that now belong to the caller.
 */
export async function takeNumbers(
  transaction: Db,
  name: "orders" | "products",
  { ids, sequences }: { ids: number; sequences: number },
): Promise<LastNumbers> {
  await transaction
    .updateTable("counters")
    .set({ last_id: sql`last_id + ${ids}`, last_sequence: sql`last_sequence + ${sequences}` })
    .where("name", "=", name)
    .execute();
  return readLastNumbers(transaction, name);
}

/**
 * The same for one new row, by one statement: locks the sequence row and returns the id. The sequence stands in the row
 * itself, where `lastSequence` puts it, for which this transaction needn't ask.
 */
export async function takeNextId(transaction: Db, name: "orders"): Promise<number> {
  const { insertId } = await sql`
    update counters set last_id = last_insert_id(last_id + 1), last_sequence = last_sequence + 1 where name = ${name}
  `.execute(transaction);
  return Number(insertId);
}

/** The last sequence that a statement sees, and in a row to insert after `takeNextId`, that of this row. */
export const lastSequence = (name: "orders") => sql<number>`(select last_sequence from counters where name = ${name})`;

/** The same; the answer's insertId carries it too. */
export const lastSequenceToKnow = (name: "orders") => sql<number>`last_insert_id(${lastSequence(name)})`;

/** The last id and sequence that were handed out, as this transaction sees them. */
export function readLastNumbers(db: Db, name: "orders" | "products"): Promise<LastNumbers> {
  return db
    .selectFrom("counters")
    .select(["last_id", "last_sequence"])
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
}
