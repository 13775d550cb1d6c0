import { type Selectable, sql } from "kysely";
import { DAY_MS } from "../../contract/duration.ts";
import { ago, now } from "../../platform/database/columns.ts";
import { describeOutage } from "../../platform/database/outage.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { type JobLog, notPaidWithin } from "../orders/cancel-unpaid.ts";
import { changeOrder } from "../orders/change-order.ts";
import { findShopFacts } from "../shop/queries.ts";
import { HOLDS_COUNTED } from "../stock/ledger.ts";
import { isChargeable } from "./amounts.ts";
import { type Attempt, findOpenAttempt, findOutdated, isDue, isSurplusDue } from "./attempts.ts";
import { findAskedRefunds, sendRefund } from "./card-refunds.ts";
import { settleEvent } from "./events.ts";
import { closePage, lockStates, switchToTransfer } from "./pay-by-transfer.ts";
import { isUnanswered } from "./provider-answers.ts";
import { type Payments, settle } from "./settle.ts";

const HOUR_MS = 3_600_000;
/** Rows found by one query, and questions asked in a round. */
const BATCH = 50;
/** An order that is to be paid by card and isn't by then is cancelled. */
const CANCEL_AFTER_MS = DAY_MS;
/** One that holds pieces of what is counted, so long after its last payment page was opened. */
const GIVE_BACK_AFTER_MS = HOUR_MS;

/**
 * Makes the job that finishes what no event has: events that couldn't be settled, pages and bank debits that are to be
 * asked about again, pages of orders that were paid otherwise or cancelled, money to send back, and orders that nobody
 * has paid within 24 hours, or within one where others wait for what they hold. A round ends when the provider doesn't
 * answer; what fails for another reason is logged and doesn't keep the rest waiting.
 */
export function makePaymentSweep(payments: Payments, log: JobLog): (signal: AbortSignal) => Promise<void> {
  let nextPaidMs = 0;
  return async (signal) => {
    const { db } = payments;
    const forEach = async <T>(items: readonly T[], work: Work<T>) => {
      for (const item of items) {
        if (signal.aborted) return;
        await work(payments, item).catch((error: unknown) => {
          if (isUnanswered(error) || describeOutage(error) !== undefined) throw error;
          log.warn({ err: error }, "A payment couldn't be settled; a later sweep tries again.");
        });
      }
    };
    const forAll = async <T extends { id: string | number }>(find: Find<T>, work: Work<T>) => {
      // All of them, so that those that fail every time don't keep the rest waiting.
      for (let items = await find(db); items.length > 0; items = await find(db, items.at(-1)?.id)) {
        await forEach(items, work);
        if (signal.aborted) return;
      }
    };
    try {
      await forAll(findUnsettledEvents, (payments, { id }) => settleEvent(payments, id));
      await forAll(findSurpluses, settle);
      await forAll(findAskedRefunds, (payments, { id }) => sendRefund(payments, id));
      await forAll(findNeedless, closePage);
      await forEach(await findUnasked(db), askAgain);
      await forAll(findUnpaid, cancelUnpaid);
      if (Date.now() < nextPaidMs) return;
      nextPaidMs = Date.now() + HOUR_MS;
      await forEach(await findPaid(db), askAgain);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      log.warn({ err: error }, "Stripe doesn't answer; payments are looked at again in a minute.");
    }
  };
}

type Work<T> = (payments: Payments, item: T) => Promise<void>;

/** Finds the next batch by id. */
type Find<T extends { id: string | number }> = (db: Db, after?: T["id"]) => Promise<readonly T[]>;

/** Whether the last answer about an attempt was an error or can't be read: it's asked again ever more seldom. */
const wasUnreadable = sql<boolean>`(unreadable_since is not null
  and not (${isDue(sql.ref("unreadable_since"), sql.ref("asked_at"))}))`;

const findUnsettledEvents: Find<{ id: string }> = (db, after = "") =>
  db
    .selectFrom("payment_events")
    .select("id")
    .where("settled_at", "is", null)
    .where("id", ">", after)
    .where(({ or, eb }) =>
      or([eb("unreadable_at", "is", null), isDue(sql.ref("received_at"), sql.ref("unreadable_at"))]),
    )
    .orderBy("id")
    .limit(BATCH)
    .execute();

const findSurpluses: Find<Attempt> = (db, after = 0) =>
  db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("surplus_refunded_at", "is", null)
    .where("surplus_failed_at", "is", null)
    .where(isSurplusDue)
    .where(({ not }) => not(wasUnreadable))
    .where("surplus_minor", "is not", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(BATCH)
    .execute();

const findNeedless: Find<Attempt> = (db, after = 0) =>
  findOutdated(db)
    .where("payment_attempts.id", ">", after)
    .where(({ not }) => not(wasUnreadable))
    .orderBy("payment_attempts.id")
    .limit(BATCH)
    .execute();

/** Pages and bank debits to ask about in this round. After a pause many are due: the longest unasked come first. */
function findUnasked(db: Db): Promise<readonly Attempt[]> {
  const last = sql`coalesce(asked_at, created_at)`;
  return db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("state", "in", ["open", "pending"])
    .where(isDue(sql.ref("created_at"), last))
    .orderBy(last)
    .orderBy("id")
    .limit(BATCH)
    .execute();
}

/**
 * Paid pages whose refunds and disputes are asked about, since an event may be lost: after a day, then whenever the page is
 * twice as old, in the half year in which cards are disputed.
 */
const findPaid = (db: Db): Promise<readonly Attempt[]> =>
  db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("state", "=", "paid")
    .where("created_at", ">", ago(180 * DAY_MS))
    .where("asked_at", ">", ago(180 * DAY_MS)) // for the index: it isn't before created_at
    .where("asked_at", "<", ago(DAY_MS))
    .where(sql<boolean>`timestampdiff(second, asked_at, ${now()}) >= timestampdiff(second, created_at, asked_at)`)
    .orderBy("asked_at")
    .limit(6 * BATCH)
    .execute();

/** Counts a question that fails too, so that pages which can't be settled take no more turns than others. */
async function askAgain(payments: Payments, attempt: Attempt): Promise<void> {
  await payments.db.updateTable("payment_attempts").set({ asked_at: now() }).where("id", "=", attempt.id).execute();
  await settle(payments, attempt);
}

const isOverdue = sql<boolean>`placed_at < ${ago(CANCEL_AFTER_MS)}`;

const unpaid = (db: Db) =>
  db
    .selectFrom("orders")
    .select(["orders.id", "currency", "due", "total"])
    .select(isOverdue.as("is_overdue"))
    .where("status", "=", "pending")
    .where("payment_method", "=", "card")
    .where("due", ">", "0")
    .where("placed_at", "<", ago(GIVE_BACK_AFTER_MS))
    .where(({ or, and, eb }) =>
      or([
        isOverdue,
        and([
          eb(HOLDS_COUNTED, "=", 1),
          eb(
            sql<string>`coalesce((select max(created_at) from payment_attempts where order_id = orders.id), placed_at)`,
            "<",
            ago(GIVE_BACK_AFTER_MS),
          ),
        ]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("payment_attempts")
            .select("payment_attempts.id")
            .whereRef("order_id", "=", "orders.id")
            .where(({ or, eb }) => or([eb("state", "=", "pending"), wasUnreadable])), // a bank debit under way
        ),
      ),
    );

type Unpaid = Pick<Selectable<Tables["orders"]>, "id" | "currency" | "due" | "total">;

const findUnpaid: Find<Unpaid> = (db, after = 0) =>
  unpaid(db).where("orders.id", ">", after).orderBy("orders.id").limit(BATCH).execute();

/**
 * The provider is asked first: the payment may be under way, or its event lost. An order that can't be paid by card any
 * more is one to be paid by transfer, as its page says (order-view.ts), and one that was paid in part is never cancelled.
 */
async function cancelUnpaid(payments: Payments, { id, currency, due, total }: Unpaid): Promise<void> {
  const { db, followUp } = payments;
  const shop = await findShopFacts(db);
  if (shop?.transfer && !(shop.card && isChargeable(due, currency))) {
    await switchToTransfer(payments, id); // the next round tries again if a page is open
    return;
  }
  if (due !== total) return;
  const open = await findOpenAttempt(db, id);
  if (open) await closePage(payments, open);
  await inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    // For update: a click may have claimed a page since they were read.
    const isUnpaid = await unpaid(transaction).where("orders.id", "=", id).forUpdate().executeTakeFirst();
    const states = await lockStates(transaction, id);
    const isUnderWay = states.some((state) => state === "opening" || state === "open" || state === "pending");
    if (isUnpaid?.due !== total || isUnderWay) return;
    const change = {
      status: "cancelled",
      cancel_reason: notPaidWithin(1, isUnpaid.is_overdue ? "day" : "hour"),
    } as const;
    await changeOrder(transaction, id, change, new Date(), followUp);
  });
}
