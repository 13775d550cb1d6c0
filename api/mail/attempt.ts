import type { Db } from "../database/pool.ts";
import { findShopOrder } from "../orders/queries.ts";
import { type AttemptLog, recordPersistently } from "../outbox/attempt.ts";
import { type Verdict, waitAfter } from "../outbox/retry-schedule.ts";
import type { Queue } from "../outbox/worker.ts";
import { readShopFacts } from "../shop/queries.ts";
import { mintOrderKey } from "./order-keys.ts";
import { claimMail, findDueMails, isCustomerMail, isRepeated, type MailClaim, recordMail } from "./queue.ts";
import { makeMailWriter, type WriteMail } from "./render.ts";
import type { MailAddress, MailSettings } from "./settings.ts";
import { type Mail, type MailResult, makeTransport, type SendMail } from "./transport.ts";

/** What the worker needs to send mails. */
export interface Mailing {
  db: Db;
  write: WriteMail;
  send: SendMail;
  /** Undefined: the shop's name and sales_email. */
  from: MailAddress | undefined;
}

/** `templates` is the folder or http address of the site's build for the API. */
export const makeMailing = (db: Db, settings: MailSettings, templates: string): Mailing => ({
  db,
  write: makeMailWriter(templates),
  send: makeTransport(settings),
  from: settings.from,
});

/** Mails that are due. */
export const mailQueue = (mailing: Mailing, log: MailLog): Queue => ({
  findDue: (limit) => findDueMails(mailing.db, limit),
  claim: async (id) => {
    const claim = await claimMail(mailing.db, id);
    if (!claim?.isUsedUp) return claim && (() => makeMailAttempt(mailing, log, claim));
    const { orderId: order, kind, tries } = claim;
    log.warn({ mail: id, order, kind, attempt: tries - 1, outcome: "lost" }, GIVEN_UP);
    return undefined;
  },
});

const GIVEN_UP = "A mail can't be sent, and won't be tried again.";

interface MailLog extends AttemptLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Writes a claimed mail from the order as it is now, sends it and records the result. Throws when the database doesn't
 * answer: the lease then expires, and another attempt follows with the same Message-ID.
 */
async function makeMailAttempt(mailing: Mailing, log: MailLog, claim: MailClaim): Promise<void> {
  const begin = performance.now();
  const mail = await writeMail(mailing, log, claim);
  const result: MailResult = "outcome" in mail ? mail : await mailing.send(mail);
  const fault = "fault" in result ? result.fault : null;
  const verdict = decide(result, claim.tries);
  const { mailId, orderId, kind, tries } = claim;
  const fields = { mail: mailId, order: orderId, kind, attempt: tries, outcome: result.outcome, fault };
  const ms = Math.round(performance.now() - begin);
  if (verdict.state === "delivered") log.info({ ...fields, ms }, "mailed");
  else
    log.warn({ ...fields, ms }, verdict.state === "failed" ? GIVEN_UP : "A mail wasn't sent; it will be tried again.");
  await recordPersistently(() => recordMail(mailing.db, claim, verdict, fault));
}

function decide({ outcome }: MailResult, tries: number): Verdict {
  if (outcome === "sent") return { state: "delivered" };
  const delayMs = waitAfter(tries, Math.random());
  return outcome === "refused" || delayMs === undefined ? { state: "failed" } : { state: "pending", delayMs };
}

/** The mail, or why there is none. */
async function writeMail(
  { db, write, from }: Mailing,
  log: MailLog,
  { orderId, kind, queuedAt }: MailClaim,
): Promise<Mail | MailResult> {
  const [order, shop] = [await findShopOrder(db, orderId), await readShopFacts(db)];
  const buyer = order?.buyer?.email || undefined; // empty once the person was erased
  if (!order || (isCustomerMail(kind) && !buyer)) return { outcome: "refused", fault: "the order has no buyer" };
  const link = isCustomerMail(kind) ? `${shop.base_url}/account/open?key=${await mintOrderKey(db, orderId)}` : "";
  const { hostname: host } = new URL(shop.base_url);
  // A server may drop a second mail with the same Message-ID, so only what is one mail has one.
  const request = isRepeated(kind) ? `-${Date.parse(queuedAt)}` : "";
  const [to, replyTo] = isCustomerMail(kind) ? [buyer, shop.sales_email] : [shop.sales_email, buyer];
  try {
    return {
      id: `order-${orderId}-${kind}${request}`,
      host,
      from: from ?? { name: shop.name, address: shop.sales_email },
      to: to ?? shop.sales_email,
      replyTo: replyTo ?? shop.sales_email,
      ...(await write(kind, order, shop, link)),
    };
  } catch (error) {
    log.error({ err: error }, "A mail could not be written.");
    return { outcome: "failed", fault: "the mail could not be written" };
  }
}
