import { createHash } from "node:crypto";
import { DAY_MS } from "../../contract/duration.ts";
import { findOrderOf } from "../../people/account/queries.ts";
import { ago, now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { takeShared } from "../../platform/http/shared-limits.ts";
import { queueCodeMail } from "../../selling/mail/queue.ts";
import { CODE_TRIES, hashCode, VERIFIED_FOR_MS } from "../../selling/mail/verification-codes.ts";

/** Of one order, so that nobody's mailbox is filled. */
const CODES_PER_HOUR = 3;
const ORDERS_PER_CONVERSATION = 10;
/** How long the orders that a conversation asked about are remembered, at least. */
export const ASKED_FOR_MS = DAY_MS;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Begins to verify that somebody may know of an order, and queues a mail with a code to the order's address if number
 * and address (as emailKey has it) belong together. It does the same work whether they do or not, so that neither
 * answer nor time tells.
 */
export async function startVerification(db: Db, key: string, number: string, email: string): Promise<void> {
  // By both, so that nobody who knows a number alone can use up its codes.
  if (!(await takeShared(db, "codes", sha256(`${number}\n${email}`), CODES_PER_HOUR)))
    throw new ApiError(
      "too-many-requests",
      "A code was asked for three times within an hour with this order number and e-mail address. Ask the customer for the last one, or wait for the time in Retry-After.",
      { headers: { "Retry-After": "3600" } },
    );
  const orderId = await findOrderOf(db, number, email);
  const isOneTooMany = await inTransaction(
    db,
    async (transaction) => {
      const asked = sha256(number);
      const before = await transaction
        .selectFrom("verifications")
        .select("asked")
        .where("conversation_key", "=", key)
        .where("created_at", ">", ago(ASKED_FOR_MS))
        .forUpdate() // so that calls at once count one another
        .execute();
      if (new Set([...before.map((row) => row.asked), asked]).size > ORDERS_PER_CONVERSATION) return true;
      const { insertId } = await transaction
        .insertInto("verifications")
        .values({ conversation_key: key, asked, order_id: orderId ?? null, created_at: now() })
        .executeTakeFirstOrThrow();
      await queueCodeMail(transaction, orderId, Number(insertId));
      return false;
    },
    READ_COMMITTED,
  );
  if (isOneTooMany)
    throw new ApiError(
      "too-many-requests",
      `This conversation has asked about ${ORDERS_PER_CONVERSATION} orders. Use hand_over for more.`,
      { headers: { "Retry-After": String(ASKED_FOR_MS / 1_000) } },
    );
}

type Confirmed = { orderNumber: string } | { triesLeft: number } | undefined;

/**
 * Confirms with a code that this conversation's customer has an order's mailbox. A wrong code counts against every code
 * that the conversation waits for. Undefined where it waits for none: used, expired, or tried too often.
 */
export const confirmVerification = (db: Db, key: string, code: string): Promise<Confirmed> =>
  inTransaction(
    db,
    async (transaction): Promise<Confirmed> => {
      const open = await transaction
        .selectFrom("verifications")
        .select(["id", "order_id", "code_hash", "tries"])
        .where("conversation_key", "=", key)
        .where("confirmed_at", "is", null)
        .where("tries", "<", CODE_TRIES)
        .where("created_at", ">", ago(VERIFIED_FOR_MS))
        .orderBy("id")
        .forUpdate()
        .execute();
      if (open.length === 0) return undefined;
      const right = open.find(({ id, code_hash }) => code_hash === hashCode(id, code));
      if (right?.order_id) {
        const confirmed = { confirmed_at: now(), code_hash: null };
        await transaction.updateTable("verifications").set(confirmed).where("id", "=", right.id).execute();
        const { number: orderNumber } = await transaction
          .selectFrom("orders")
          .select("number")
          .where("id", "=", right.order_id)
          .executeTakeFirstOrThrow();
        return { orderNumber };
      }
      await transaction
        .updateTable("verifications")
        .set(({ eb }) => ({ tries: eb("tries", "+", 1) }))
        .where(
          "id",
          "in",
          open.map(({ id }) => id),
        )
        .execute();
      return { triesLeft: CODE_TRIES - 1 - Math.min(...open.map(({ tries }) => tries)) };
    },
    READ_COMMITTED,
  );

/** The ids and numbers of the orders that this conversation is verified for, the one confirmed last first. */
export const findVerifiedOrders = (db: Db, key: string): Promise<{ id: number; number: string }[]> =>
  db
    .selectFrom("verifications")
    .innerJoin("orders", "orders.id", "verifications.order_id")
    .select(["orders.id", "orders.number"])
    .where("conversation_key", "=", key)
    .where("confirmed_at", ">", ago(VERIFIED_FOR_MS))
    .orderBy("confirmed_at", "desc")
    .execute();

/** The id of an order that this conversation is verified for. The same error for another's order as for none. */
export async function requireVerifiedOrder(db: Db, key: string, number: string): Promise<number> {
  const order = (await findVerifiedOrders(db, key)).find((each) => each.number === number);
  if (order) return order.id;
  throw new ApiError(
    "unprocessable",
    "This conversation isn't verified for this order, or was longer than 30 minutes ago. Ask the customer for order number and e-mail address, call start_verification, then confirm_verification with the code from the mail.",
  );
}
