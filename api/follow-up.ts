import type { PushSettings } from "./env.ts";
import { queuePush, queueUpdate } from "./partners/erp/push.ts";
import { queueInvoiceMail, queueMail } from "./selling/mail/queue.ts";
import type { FollowUp, OrderState, OrderStep } from "./selling/orders/place-order.ts";

/** What follows from placing and changing orders: mails, and a push to the ERP. Both are rows that the worker sends. */
export const makeFollowUp =
  ({ pushWhen, pushLater = false }: PushSettings): FollowUp =>
  async (transaction, step) => {
    await queueMail(transaction, step.orderId, ...mailsFor(step));
    for (const id of step.hasBuyer ? step.invoices : []) await queueInvoiceMail(transaction, step.orderId, id);
    const isPushed = isPushDue(pushWhen, step) && (await queuePush(transaction, step.orderId, step.placed?.()));
    if (pushLater && step.isNewVersion && !isPushed) await queueUpdate(transaction, step.orderId);
  };

/** Orders that didn't come through the checkout have nobody to write to, so only the shop hears of them. */
function mailsFor({ was, is, hasBuyer, paysByCard, ...step }: OrderStep) {
  const placed = was === undefined;
  // Many who choose the card never pay, which is no news. A transfer the shop waits for.
  const isNews = (state: OrderState) => !paysByCard || state.received > 0n || isTaken(state);
  const open = is.status !== "cancelled" && is.status !== "failed" && is.status !== "refunded";
  const isPaidMore = is.received > (was?.received ?? 0n) && !was?.paidInFull;
  const paid = isPaidMore && open && (is.paidInFull || is.status !== "on_hold");
  const cancelled = is.status === "cancelled" && was?.status !== "cancelled";
  return [
    // Again with the account, once it's to be paid to that instead of by card.
    ...(hasBuyer && (placed || step.toTransfer) ? (["order_received"] as const) : []),
    ...(hasBuyer && isNews(is) && (placed || step.toTransfer || !isNews(was)) ? (["shop_new_order"] as const) : []),
    ...(hasBuyer && paid ? (["payment_received"] as const) : []),
    ...(hasBuyer && step.hasFailedPayment && is.status === "pending" ? (["payment_failed"] as const) : []),
    ...(hasBuyer && cancelled && !placed ? (["cancelled"] as const) : []),
    ...(hasBuyer && step.isClosed ? (["closed"] as const) : []),
    ...(hasBuyer && step.isSent ? (["sent"] as const) : []),
    ...(step.needsPerson ? (["shop_needs_person"] as const) : []),
  ];
}

const isPushDue = (pushWhen: PushSettings["pushWhen"], { was, is }: OrderStep) =>
  pushWhen === "placed" ? was === undefined : pushWhen === "paid" && isTaken(is) && !isTaken(was);

const isTaken = (state: OrderState | undefined) => state?.status === "processing";
