import type { CaseKind, CaseReason } from "../../platform/database/case-reasons.ts";
import { now, writeJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { StoredCaseLine } from "../../platform/database/tables.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { takeShared } from "../../platform/http/shared-limits.ts";
import { caseNumber } from "../../selling/mail/case-mail.ts";
import { queueCaseMail } from "../../selling/mail/queue.ts";
import type { Conversation } from "./conversation.ts";

interface NewCase {
  kind: CaseKind;
  reason: CaseReason;
  /** The order of a verified customer that it is about. */
  orderId: number | null;
  /** What is to be returned. */
  lines: StoredCaseLine[] | null;
  message: string | null;
  contact: string | null;
}

/** Of one conversation, so that nobody fills the shop's mailbox. */
const CASES_PER_HOUR = 5;

/** Stores a case and queues its mail to the shop. Returns its number. Throws 429 after too many of a conversation. */
export async function openCase(
  db: Db,
  { id, identity, key }: Conversation,
  { orderId, lines, ...given }: NewCase,
): Promise<string> {
  if (!(await takeShared(db, "cases", key, CASES_PER_HOUR)))
    throw new ApiError(
      "too-many-requests",
      "This conversation has passed on 5 cases within an hour. Tell the customer that the shop has them and will answer.",
      { headers: { "Retry-After": "3600" } },
    );
  return inTransaction(
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
}
