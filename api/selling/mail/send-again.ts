import { MAIL_KINDS, type OrderMailKind } from "../../contract/mail-kinds.ts";
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { ActRefused } from "../orders/act-refused.ts";
import type { Work } from "../orders/acts.ts";
import type { Order } from "../orders/schema.ts";
import { isCustomerMail, queueMail, requeueMail } from "./queue.ts";

/** A mail about an order, which was sent or is to be. */
export interface OrderMail {
  kind: OrderMailKind;
  /** The id of a document; 0 in other mails. */
  about: number;
  state: "pending" | "sent" | "failed";
  attempts: number;
  queued_at: string;
  sent_at: string | null;
  /** Why the last attempt failed, without addresses. */
  fault: string | null;
}

/** The mails about an order, the oldest first. */
export async function listOrderMails(db: Db, orderId: number): Promise<OrderMail[]> {
  const rows = await db
    .selectFrom("mails")
    .select(["kind", "about", "state", "attempts", "created_at", "sent_at", "fault"])
    .where("order_id", "=", orderId)
    .orderBy("id")
    .execute();
  return rows.flatMap(({ created_at, sent_at, kind, ...mail }) => {
    const times = { queued_at: toRfc3339(created_at), sent_at: sent_at && toRfc3339(sent_at) };
    return isOrderMail(kind) ? [{ ...mail, kind, ...times }] : [];
  });
}

const isOrderMail = (kind: string): kind is OrderMailKind =>
  kind !== "shop_case" && MAIL_KINDS.some((each) => each === kind);

/**
 * The mails of an order that make sense to be sent again, as it stands now: those that were queued before, and the link to
 * the order's page. A code of the assistant's belongs to a conversation that is over.
 */
export function listResendable(order: Order, mails: readonly OrderMail[]): Pick<OrderMail, "kind" | "about">[] {
  const known = mails.map(({ kind, about }) => ({ kind, about }));
  const link = { kind: "order_link", about: 0 } as const;
  const all = known.some(({ kind }) => kind === "order_link") ? known : [...known, link];
  return all.filter(({ kind }) => fits(order, kind));
}

function fits({ status, buyer }: Order, kind: OrderMailKind): boolean {
  if (isCustomerMail(kind) && !buyer?.email) return false; // there was none, or the person was erased
  if (kind === "verification_code") return false;
  // It thanks for an order that goes on.
  if (kind === "order_received") return status !== "cancelled" && status !== "failed";
  if (kind === "cancelled") return status === "cancelled";
  if (kind === "payment_failed") return status === "pending";
  return true;
}

/** An act's work: sends a mail about an order again, as the order is when it's sent. */
export const sendAgain =
  ({ kind, about }: Pick<OrderMail, "kind" | "about">): Work =>
  async (transaction, order) => {
    const found = listResendable(order, await listOrderMails(transaction, order.id)).some(
      (mail) => mail.kind === kind && mail.about === about,
    );
    if (!found) throw new ActRefused("state", "This mail doesn't fit the order any more.", "mail");
    const isQueued = await requeueMail(transaction, order.id, { kind, about });
    if (!isQueued && kind === "order_link") await queueMail(transaction, order.id, kind);
    return undefined;
  };
