import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { days } from "../../contract/duration.ts";
import { readJson, toRfc3339 } from "../../platform/database/columns.ts";
import { fillEmailKeys } from "../../platform/database/email-keys.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { emailKey, mentionsEmail } from "../../platform/mail/email-address.ts";
import type { FollowUp } from "../../selling/orders/place-order.ts";
import type { OrderRow } from "../../selling/orders/to-order.ts";
import { eraseOrder, isUnderWay, lockOrder } from "./erase-order.ts";

/** An order of the person: erased, or unchanged because it isn't finished yet or is being sent to the ERP or by mail. */
export interface PersonsOrder {
  number: string;
  outcome: "erased" | "open" | "sending";
  /** Until when its billing facts are kept; null when they needn't be kept any more. */
  billingKeptUntil: Date | null;
  /** The provider's ids of its card payments, about which the provider has facts of its own. */
  cardPayments: string[];
}

interface Erasure {
  orders: PersonsOrder[];
  /** Details that were entered without ordering, or to order. */
  checkouts: number;
  /** What the assistant passed on that has the address in it; those about an order go with the order. */
  cases: number;
  mailFiles: number;
}

interface ErasureOptions {
  /** Days that billing facts are kept for, from the day of the order. */
  invoicesKeptDays: number;
  /** The folder of `.eml` files, where mails are written instead of sent. */
  mailFolder: string | undefined;
  followUp: FollowUp;
}

/**
 * Erases a person by e-mail address, however it is spelled, from orders, checkouts, mails and what was sent to
 * partners. The billing facts of an order stay as long as tax law asks for them. It can be run again: whatever a run
 * that was killed has left is still found by the address.
 */
export async function erasePerson(db: Db, email: string, options: ErasureOptions): Promise<Erasure> {
  const { mailFolder } = options;
  const key = emailKey(email);
  if (key === undefined) return { orders: [], checkouts: 0, cases: 0, mailFiles: 0 };
  const found = await findOrders(db, key);
  const orderIds = found.map(({ id }) => id);
  const checkouts = await deleteCheckouts(db, key, orderIds);
  const orders: PersonsOrder[] = [];
  const cases = await findCases(db, key);
  // The files first: a run that is killed in between would never find the cases again.
  let mailFiles = mailFolder === undefined ? 0 : await deleteMails(mailFolder, cases.map(caseFile));
  if (cases.length > 0) await db.deleteFrom("cases").where("id", "in", cases).execute();
  for (const id of orderIds) {
    const { files, ...order } = await inTransaction(
      db,
      (transaction) => erase(transaction, id, options),
      READ_COMMITTED,
    );
    orders.push(order);
    mailFiles += files;
  }
  return { orders, checkouts, cases: cases.length, mailFiles };
}

/** All rows of a table, in the order of their ids, of which `read` returns some after the one that it is given. */
async function* rowsOf<T extends { id: number }>(read: (after: number) => Promise<T[]>): AsyncGenerator<T> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const rows: T[] = await read(after);
    yield* rows;
    after = rows.at(-1)?.id;
  }
}

const ROWS_AT_ONCE = 1_000;

/** The ids of cases in which a customer gave this address. */
async function findCases(db: Db, key: string): Promise<number[]> {
  const cases = db
    .selectFrom("cases")
    .select(["id", "message", "contact", "subject", "conversation"])
    .orderBy("id")
    .limit(ROWS_AT_ONCE);
  const found: number[] = [];
  for await (const { id, ...texts } of rowsOf((after) => cases.where("id", ">", after).execute()))
    if (Object.values(texts).some((text) => text !== null && mentionsEmail(text, key))) found.push(id);
  return found;
}

const caseFile = (id: number) => `case-${id}.`;

/** An earlier release, which goes on while this one is started, writes orders without a key. */
async function findOrders(db: Db, key: string) {
  await fillEmailKeys(db);
  return db.selectFrom("orders").select("id").where("email_key", "=", key).orderBy("id").execute();
}

/** The sessions whose checkout has this address. */
async function findCheckouts(db: Db, key: string): Promise<{ session_id: number }[]> {
  const checkouts = db
    .selectFrom("checkouts")
    .select(["id", "session_id", "details"])
    .orderBy("id")
    .limit(ROWS_AT_ONCE);
  const found: { session_id: number }[] = [];
  for await (const { session_id, details } of rowsOf((after) => checkouts.where("id", ">", after).execute()))
    if (emailKey(readJson(details).email) === key) found.push({ session_id });
  return found;
}

/** Of every browser that entered this address or placed these orders, since it may have entered another address too. */
async function deleteCheckouts(db: Db, key: string, orderIds: readonly number[]): Promise<number> {
  const entered = await findCheckouts(db, key);
  const placed =
    orderIds.length === 0
      ? []
      : await db.selectFrom("placements").select("session_id").where("order_id", "in", orderIds).execute();
  const sessions = new Set([...entered, ...placed].map(({ session_id }) => session_id));
  if (sessions.size === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom("checkouts")
    .where("session_id", "in", [...sessions])
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const FINISHED: ReadonlySet<OrderRow["status"]> = new Set(["completed", "cancelled", "refunded", "failed"] as const);

async function erase(
  transaction: Db,
  id: number,
  { invoicesKeptDays, mailFolder, followUp }: ErasureOptions,
): Promise<PersonsOrder & { files: number }> {
  const order = await lockOrder(transaction, id);
  const placedAt = Date.parse(toRfc3339(order.placed_at ?? order.created_at));
  const keptUntil = new Date(placedAt + days(invoicesKeptDays));
  const billingKeptUntil = keptUntil.getTime() > Date.now() ? keptUntil : null;
  const cardPayments = readJson(order.payments).flatMap(({ method, reference }) =>
    method === "card" && reference ? [reference] : [],
  );
  const result = { number: order.number, billingKeptUntil, cardPayments, files: 0 };
  if (!FINISHED.has(order.status)) return { ...result, outcome: "open" };
  if (await isUnderWay(transaction, id)) return { ...result, outcome: "sending" };
  const cases = await transaction.selectFrom("cases").select("id").where("order_id", "=", id).execute();
  await eraseOrder(transaction, order, billingKeptUntil, followUp);
  // Before the commit: a run that is killed in between would never find the order again.
  const files =
    mailFolder === undefined
      ? 0
      : await deleteMails(mailFolder, [`order-${id}-`, ...cases.map((each) => caseFile(each.id))]);
  return { ...result, outcome: "erased", files };
}

/** Deletes the `.eml` files whose names begin like this, those to the shop included. Returns their number. */
async function deleteMails(folder: string, beginnings: readonly string[]): Promise<number> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const about = files.filter((file) => beginnings.some((beginning) => file.startsWith(beginning)));
  for (const file of about) await rm(join(folder, file), { force: true });
  return about.length;
}
