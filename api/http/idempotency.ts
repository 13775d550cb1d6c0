import { createHash } from "node:crypto";
import { ago, later } from "../database/clock.ts";
import type { Db } from "../database/database.ts";
import type { Delivery } from "../erp/schema.ts";
import { inShortTransaction } from "../erp/short-transaction.ts";
import { ApiError } from "./problem.ts";

/** What was answered: the delivery as it was then, and the status. */
export interface Answer {
  status: number;
  delivery: Delivery;
}

/** Kept this long from the first request on; retention.ts then forgets them. */
export const KEPT_MS = 24 * 3_600_000;
/** A push without an answer for this long has died with its process; a push takes less. */
const ABANDONED_MS = 30_000;

/**
 * A key as header value, 1 to 255 characters: a quoted string (RFC 8941 §3.3.3, as
 * draft-ietf-httpapi-idempotency-key-header-07 has it) or bare.
 */
export const KEY_PATTERN = '^("([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-\\[\\]-~]{1,255})$';

/** The key that a header value of this pattern means; `"a"` and `a` are one. */
export const readKey = (value: string) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value);

/**
 * Runs `push` at most once for a key: the first request runs it and keeps its answer, a later one gets that answer.
 * What throws is not kept. Throws 422 for a key of another order and 409 while the first request still runs.
 */
export async function once(
  db: Db,
  key: string,
  orderId: number,
  push: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const hash = createHash("sha256").update(key).digest("hex");
  const kept = await inShortTransaction(db, (transaction) => reserve(transaction, hash, orderId));
  if (kept) return { ...kept, replayed: true };
  const row = db.updateTable("idempotency_keys").where("key_hash", "=", hash);
  try {
    const answer = await push();
    await row.set({ status: answer.status, answer: JSON.stringify(answer.delivery) }).execute();
    return { ...answer, replayed: false };
  } catch (error) {
    // When this fails too, the key is free again after ABANDONED_MS.
    await db
      .deleteFrom("idempotency_keys")
      .where("key_hash", "=", hash)
      .execute()
      .catch(() => {});
    throw error;
  }
}

/** Takes the key for this request, or gives the answer that is kept for it. */
async function reserve(transaction: Db, hash: string, orderId: number): Promise<Answer | undefined> {
  await transaction
    .deleteFrom("idempotency_keys")
    .where("key_hash", "=", hash)
    .where("created_at", "<", ago(KEPT_MS))
    .execute();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("idempotency_keys")
    .ignore()
    .values({ key_hash: hash, order_id: orderId, created_at: later() })
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return undefined;
  const row = await transaction
    .selectFrom("idempotency_keys")
    .select(["order_id", "status", "answer"])
    .where("key_hash", "=", hash)
    .executeTakeFirst();
  if (row && row.order_id !== orderId)
    throw new ApiError("unprocessable", "This idempotency key was used for another order.");
  if (row?.status && row.answer) return { status: row.status, delivery: JSON.parse(row.answer) };
  const { numUpdatedRows } = await transaction
    .updateTable("idempotency_keys")
    .set({ created_at: later() })
    .where("key_hash", "=", hash)
    .where("created_at", "<", ago(ABANDONED_MS))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return undefined;
  throw new ApiError("conflict", "A push with this idempotency key is still under way.");
}
