import { now, writeJson } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import type { StoredCaseLine } from "../database/tables.ts";
import { inTransaction, READ_COMMITTED } from "../database/transaction.ts";
import { caseNumber } from "../mail/case-mail.ts";
import { queueCaseMail } from "../mail/queue.ts";
import type { Conversation } from "./conversation.ts";

interface NewCase {
  kind: "hand_over" | "return";
  reason: string;
  /** The order of a verified customer that it is about. */
  orderId: number | null;
  /** What is to be returned. */
  lines: StoredCaseLine[] | null;
  message: string | null;
  contact: string | null;
}

/** Stores a case and queues its mail to the shop. Returns its number. */
export const openCase = (
  db: Db,
  { id, identity }: Conversation,
  { orderId, lines, ...given }: NewCase,
): Promise<string> =>
  inTransaction(
    db,
    async (transaction) => {
      const { insertId } = await transaction
        .insertInto("cases")
        .values({
          ...given,
          order_id: orderId,
          lines: lines && writeJson(lines),
          conversation: id,
          channel: identity?.channel ?? null,
          subject: identity?.subject ?? null,
          created_at: now(),
        })
        .executeTakeFirstOrThrow();
      const caseId = Number(insertId);
      await queueCaseMail(transaction, caseId);
      return caseNumber(caseId);
    },
    READ_COMMITTED,
  );
