import { type Expression, type Selectable, sql } from "kysely";
import { CUSTOMER_MAILS, type CustomerMailKind, type MailKind, type OrderMailKind } from "../../contract/mail-kinds.ts";
import { fromNow, now, toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { inTransaction, READ_COMMITTED } from "../../platform/database/transaction.ts";
import { endLease, findDueIn, type Lease, type QueueTable, takeLease } from "../../platform/outbox/lease.ts";
import { MAIL_SCHEDULE, type Verdict } from "../../platform/outbox/retry-schedule.ts";

export const isCustomerMail = (kind: MailKind): kind is CustomerMailKind =>
  CUSTOMER_MAILS.some((each) => each === kind);

/**
 * These may be sent again for the same order: the rest of a payment, a link that is asked for again, another reason to look
 * at the order, the account that an order is to be paid to instead of by card.
 */
const REPEATED: ReadonlySet<OrderMailKind> = new Set<OrderMailKind>([
  "order_received",
  "payment_received",
  "payment_failed",
  "sent",
  "order_link",
  "shop_needs_person",
]);

/**
 * Queues mails about an order in the transaction that changes the order, by one statement. An order has one mail of each
 * kind, however often it's asked for. A repeated kind that was tried already is queued again, and the result of a running
 * attempt no longer counts, because its mail may say what was true before.
 */
export async function queueMail(
  transaction: Db,
  orderId: number,
  ...kinds: readonly Exclude<OrderMailKind, "verification_code" | "invoice">[]
): Promise<void> {
  if (kinds.length === 0) return;
  const row = { order_id: orderId, state: "pending", created_at: now(), next_attempt_at: now() } as const;
  const again = <T>(value: Expression<T>, column: string) =>
    sql<T>`if(kind in (${sql.join([...REPEATED])}), ${value}, ${sql.ref(column)})`;
  await transaction
    .insertInto("mails")
    .values(kinds.map((kind) => ({ ...row, kind })))
    .onDuplicateKeyUpdate({
      // MySQL assigns from left to right, so what the conditions read comes last.
      created_at: again(sql<Date>`if(${UNTRIED}, created_at, ${now()})`, "created_at"),
      // One that a restore held back has no time, and is wanted now.
      next_attempt_at: again(
        sql<Date>`if(${UNTRIED}, coalesce(next_attempt_at, ${now()}), ${now()})`,
        "next_attempt_at",
      ),
      lease_token: again(sql<string>`null`, "lease_token"),
      attempts: again(sql<number>`0`, "attempts"),
      state: again(sql<"pending">`'pending'`, "state"),
    })
    .execute();
}

/**
 * Queues the mail with a verification's code, in the transaction that begins it. Without an order it's the same statement,
 * so that the time of an answer doesn't tell whether there is one.
 */
export async function queueCodeMail(
  transaction: Db,
  orderId: number | undefined,
  verificationId: number,
): Promise<void> {
  await transaction
    .insertInto("mails")
    .columns(["order_id", "kind", "about", "state", "created_at", "next_attempt_at"])
    .expression((eb) =>
      eb
        .selectFrom("orders")
        .select([
          "id",
          eb.val("verification_code").as("kind"),
          eb.val(verificationId).as("about"),
          eb.val("pending").as("state"),
          now().as("created_at"),
          now().as("next_attempt_at"),
        ])
        .where("id", "=", orderId ?? 0),
    )
    .execute();
}

/** Queues the mail about a document of an order, in the transaction that stores it. */
export async function queueInvoiceMail(transaction: Db, orderId: number, invoiceId: number): Promise<void> {
  const row = { order_id: orderId, kind: "invoice", about: invoiceId, state: "pending" } as const;
  await transaction
    .insertInto("mails")
    .values({ ...row, created_at: now(), next_attempt_at: now() })
    .execute();
}

/** Queues the mail to the shop about a new case, in the transaction that makes the case. */
export async function queueCaseMail(transaction: Db, caseId: number): Promise<void> {
  await transaction
    .insertInto("mails")
    .values({
      order_id: null,
      kind: "shop_case",
      about: caseId,
      state: "pending",
      created_at: now(),
      next_attempt_at: now(),
    })
    .execute();
}

/**
 * Queues a mail again that was queued before, with another Message-ID, whatever became of it: it's written from the order as it
 * is then, and the result of a running attempt no longer counts. Returns whether there was one.
 */
export async function requeueMail(
  transaction: Db,
  orderId: number,
  { kind, about }: { kind: OrderMailKind; about: number },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("mails")
    .set({ state: "pending", attempts: 0, created_at: now(), next_attempt_at: now(), lease_token: null, fault: null })
    .where("order_id", "=", orderId)
    .where("kind", "=", kind)
    .where("about", "=", about)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

const UNTRIED = sql`state = 'pending' and attempts = 0`;

/** What a mail is about. */
export type MailSubject =
  | { kind: OrderMailKind; orderId: number; about: number }
  | { kind: "shop_case"; caseId: number };

const MAILS: QueueTable = {
  table: "mails",
  tries: "attempts",
  schedule: MAIL_SCHEDULE,
  leaseMs: 25_000, // an attempt takes 15 s (mail/transport.ts), besides what comes before it
  onTake: {},
  onEnd: {},
};

/** The right to make one attempt, until the lease expires. */
export interface MailClaim extends Lease {
  subject: MailSubject;
  /** When it was queued, in RFC 3339. */
  queuedAt: string;
}

/** Ids of due mails, the longest due first. */
export const findDueMails = (db: Db, limit: number): Promise<number[]> => findDueIn(db, MAILS, limit);

/** Claims a due mail. Undefined when another process was faster. */
export const claimMail = (db: Db, id: number): Promise<MailClaim | undefined> =>
  inTransaction(
    db,
    async (transaction) => {
      const row = await transaction.selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirst();
      const lease = row && (await takeLease(transaction, MAILS, id, row.attempts));
      return lease && { ...lease, subject: subjectOf(row), queuedAt: toRfc3339(row.created_at) };
    },
    READ_COMMITTED,
  );

const subjectOf = ({ order_id, kind, about }: Selectable<Tables["mails"]>): MailSubject =>
  order_id === null ? { kind: "shop_case", caseId: about } : { kind: kind as OrderMailKind, orderId: order_id, about };

/** Records the result of an attempt, `fault` without addresses. No effect once another process has the lease. */
export async function recordMail(db: Db, claim: MailClaim, verdict: Verdict, fault: string | null): Promise<void> {
  const sent = verdict.state === "delivered";
  await endLease(db, MAILS, claim, {
    state: sent ? "sent" : verdict.state,
    next_attempt_at: verdict.state === "pending" ? fromNow(verdict.delayMs) : null,
    fault,
    ...(sent ? { sent_at: now() } : {}),
  });
}
