import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { parseMoney } from "../../contract/money.ts";
import type { Db } from "../../platform/database/pool.ts";
import { takeNumbers } from "../../platform/database/sequence.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { changeOrder } from "../orders/change-order.ts";
import { orderPath } from "../orders/to-order.ts";
import { type Attempt, abandonAttempt, findOpenAttempt } from "./attempts.ts";
import { isProvidersFault } from "./provider-answers.ts";
import { onFailure, type Payments, settle } from "./settle.ts";
import { expirePage } from "./stripe-client.ts";

/** Ends the address of an order's page whose payment page couldn't be closed, so that it says so. */
const UNCHANGED_QUERY = "payment=unchanged";

/** Tells whether the customer comes from a form that couldn't change the order. */
export const isPaymentUnchanged = ({ url }: Pick<FastifyRequest, "url">): boolean =>
  url.endsWith(`?${UNCHANGED_QUERY}`);

/** A page may be opened between closing the one before and changing the order. */
const TRIES = 3;

/**
 * Lets a pending order be paid by transfer instead of by card, and returns where the customer goes next: to the order's
 * page, which says so if the provider couldn't be asked. Nothing changes if it was paid meanwhile, or a bank debit is under
 * way, or it's to be paid by transfer already.
 */
export async function payByTransfer(
  payments: Payments,
  { id, number }: { id: number; number: string },
  { log }: Pick<FastifyRequest, "log">,
): Promise<string> {
  const ownPage = orderPath(number);
  const switchPatiently = async () => {
    for (let tries = 0; tries < TRIES; tries += 1) if (await switchToTransfer(payments, id)) return ownPage;
    return undefined;
  };
  const switched = switchPatiently().catch((error: unknown) => {
    // Before it's thrown, since after CHANGING_MS nobody waits for it any more.
    log.warn({ err: error, order: id }, "The payment page of an order couldn't be closed.");
    if (!isProvidersFault(error)) throw error;
    return undefined;
  });
  return (await within(CHANGING_MS, switched)) ?? `${ownPage}?${UNCHANGED_QUERY}`;
}

/** How long a form waits for the provider, so that it's answered before its handlerTimeout; what was begun goes on. */
export const CHANGING_MS = 7_000;

export const within = <T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);

/**
 * Closes the payment page of an order and makes it one to be paid by transfer, unless it was paid meanwhile or a bank
 * debit is under way. False: a page is open all the same, so nothing changed. Throws as settle does.
 */
export async function switchToTransfer(payments: Payments, orderId: number): Promise<boolean> {
  const { db, followUp } = payments;
  const open = await findOpenAttempt(db, orderId);
  if (open) await closePage(payments, open);
  return inTransaction(db, async (transaction) => {
    await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
    const order = await transaction
      .selectFrom("orders")
      .select(["status", "payment_method", "due"])
      .where("id", "=", orderId)
      .forUpdate()
      .executeTakeFirst();
    if (order?.status !== "pending" || order.payment_method !== "card" || parseMoney(order.due) === 0n) return true;
    const states = await lockStates(transaction, orderId);
    if (states.some((state) => state === "pending")) return true;
    if (states.some((state) => state === "opening" || state === "open")) return false;
    await changeOrder(transaction, orderId, { payment_method: "transfer" }, new Date(), followUp);
    return true;
  });
}

/** Closes a page at the provider, unless it was paid meanwhile, and records what the provider then says. */
export async function closePage(payments: Payments, attempt: Attempt): Promise<void> {
  if (attempt.session_id === null) return abandonAttempt(payments.db, attempt.id);
  await expirePage(payments.stripe, attempt.session_id).catch(async (error: unknown) => {
    await onFailure(payments, attempt, error);
    throw error;
  });
  await settle(payments, attempt);
}

/** The states of an order's attempts, locked, for a transaction that has locked the order. */
export async function lockStates(transaction: Db, orderId: number): Promise<Attempt["state"][]> {
  const attempts = await transaction
    .selectFrom("payment_attempts")
    .select("state")
    .where("order_id", "=", orderId)
    .forUpdate()
    .execute();
  return attempts.map(({ state }) => state);
}
