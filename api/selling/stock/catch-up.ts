import { sql } from "kysely";
import type { Db } from "../../platform/database/pool.ts";
import { readLastNumbers, takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { agreeWith, readLedger } from "./ledger.ts";

/** Orders at a time: every other writer waits meanwhile. */
const BATCH = 200;

/**
 * Brings the ledger up to date with orders that an earlier release placed or changed: at its first start all of them,
 * later those since the last call, which almost never finds one. Call it before a count is stored.
 */
export async function catchUp(db: Db): Promise<void> {
  // Read before the orders are: see paging.ts.
  const { last_sequence: upTo } = await readLastNumbers(db, "orders");
  while (await isBehind(db, upTo))
    await inTransaction(db, (transaction) => agreeWithBatch(transaction, upTo), READ_COMMITTED);
  await noteCompared(db, upTo);
}

/** Orders that the ledger hasn't seen as they are. */
const unseen = (db: Db, upTo: number) =>
  db
    .selectFrom("orders")
    .where("sequence", ">", ({ selectFrom }) => selectFrom("stock_ledger").select("compared"))
    .where("sequence", "<=", upTo)
    .where(({ or, eb }) => or([eb("buyer", "is not", null), eb("ledgered", "is not", null)]))
    .where(sql<boolean>`not (ledgered <=> sequence)`)
    .orderBy("sequence");

const isBehind = async (db: Db, upTo: number): Promise<boolean> =>
  (await unseen(db, upTo).select("id").limit(1).executeTakeFirst()) !== undefined;

async function agreeWithBatch(transaction: Db, upTo: number): Promise<void> {
  await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
  const { base } = await readLedger(transaction);
  const orders = await unseen(transaction, upTo)
    .select(["id", "sequence", "ledgered", "buyer", "status", "fulfillments", "fulfillment_status"])
    .limit(BATCH)
    .execute();
  for (const order of orders) await agreeWith(transaction, order, base);
  const ids = orders.map(({ id }) => id);
  if (ids.length === 0) return;
  await transaction
    .updateTable("orders")
    // Nor does an earlier release know who has put an order on hold, so that a person must release it.
    .set(({ ref }) => ({ ledgered: ref("sequence"), held_by_partner: 0 }))
    .where("id", "in", ids)
    .execute();
}

const noteCompared = (db: Db, upTo: number) =>
  db.updateTable("stock_ledger").set({ compared: upTo }).where("compared", "<", upTo).execute();
