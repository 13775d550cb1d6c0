import type { ShopFacts } from "../../contract/built-files/store.ts";
import { spellEmail } from "../../contract/email-address.ts";
import { type MailKind, READY_MAIL } from "../../contract/mail-kinds.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { MailAddress, MailSettings } from "../../platform/mail/settings.ts";
import { type Mail, type MailResult, makeTransport, type SendMail } from "../../platform/mail/transport.ts";
import { type AttemptLog, recordPersistently } from "../../platform/outbox/attempt.ts";
import { MAIL_SCHEDULE, retry, type Verdict } from "../../platform/outbox/retry-schedule.ts";
import type { Queue } from "../../platform/outbox/worker.ts";
import type { OfBuild } from "../../platform/private-pages/builds.ts";
import { isCollected } from "../order-view/order-view.ts";
import { drawQrPicture } from "../order-view/qr-code.ts";
import { paymentCode } from "../order-view/transfer.ts";
import { findMatters } from "../orders/attention.ts";
import { findShopOrder } from "../orders/queries.ts";
import { readShopFacts } from "../shop/queries.ts";
import { viewCaseMail } from "./case-mail.ts";
import { mintOrderKey } from "./order-keys.ts";
import { claimMail, findDueMails, isCustomerMail, type MailClaim, type MailSubject, recordMail } from "./queue.ts";
import { viewOrderMail, type WriteMail } from "./render.ts";
import { mintCode } from "./verification-codes.ts";

/** What the worker needs to send mails. */
export interface Mailing {
  db: Db;
  mails: Pick<OfBuild<WriteMail>, "current">;
  send: SendMail;
  /** Undefined: the shop's name and sales_email. */
  from: MailAddress | undefined;
}

export const makeMailing = (db: Db, settings: MailSettings, mails: OfBuild<WriteMail>): Mailing => ({
  db,
  mails,
  send: makeTransport(settings),
  from: settings.from,
});

/** Mails that are due. */
export const mailQueue = (mailing: Mailing, log: MailLog): Queue => ({
  findDue: (limit) => findDueMails(mailing.db, limit),
  claim: async (id) => {
    const claim = await claimMail(mailing.db, id);
    if (!claim?.isUsedUp) return claim && (() => makeMailAttempt(mailing, log, claim));
    log.warn({ mail: id, ...describe(claim.subject), attempt: claim.tries - 1, outcome: "lost" }, GIVEN_UP);
    return undefined;
  },
});

const GIVEN_UP = "A mail can't be sent, and won't be tried again.";

interface MailLog extends AttemptLog {
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
  const { id, subject, tries } = claim;
  const fields = { mail: id, ...describe(subject), attempt: tries, outcome: result.outcome, fault };
  const ms = Math.round(performance.now() - begin);
  if (verdict.state === "delivered") log.info({ ...fields, ms }, "mailed");
  else
    log.warn({ ...fields, ms }, verdict.state === "failed" ? GIVEN_UP : "A mail wasn't sent; it will be tried again.");
  await recordPersistently(() => recordMail(mailing.db, claim, verdict, fault));
}

/** For the log. */
const describe = (subject: MailSubject) =>
  subject.kind === "shop_case"
    ? { kind: subject.kind, case: subject.caseId }
    : { order: subject.orderId, kind: subject.kind };

function decide({ outcome }: MailResult, tries: number): Verdict {
  if (outcome === "sent") return { state: "delivered" };
  return outcome === "refused" ? { state: "failed" } : retry(MAIL_SCHEDULE, tries, Math.random());
}

/** The mail, or why there is none. */
async function writeMail({ db, mails, from }: Mailing, log: MailLog, claim: MailClaim): Promise<Mail | MailResult> {
  const shop = await readShopFacts(db);
  const plan =
    claim.subject.kind === "shop_case"
      ? await planCaseMail(db, shop, claim.subject.caseId)
      : await planOrderMail(db, shop, claim.subject, claim);
  if ("outcome" in plan) return plan;
  const { id, to, replyTo, kind, view, epc } = plan;
  const { hostname: host } = new URL(shop.base_url);
  try {
    const sender = from ?? { name: shop.name, address: shop.sales_email };
    const write = await mails.current();
    const written = write(kind, view);
    const isShown = written.html.includes(`"cid:${PAYMENT_CODE}"`);
    const pictures = isShown && epc ? [{ id: PAYMENT_CODE, gif: drawQrPicture(epc) }] : [];
    return { id, host, from: sender, to, replyTo, ...written, pictures };
  } catch (error) {
    log.error({ err: error }, "A mail couldn't be written.");
    return { outcome: "failed", fault: "the mail could not be written" };
  }
}

/** The picture in how_to_pay.html.liquid. */
const PAYMENT_CODE = "payment-code";

interface MailPlan {
  /** The part of the Message-ID before the @. */
  id: string;
  to: string;
  replyTo: string;
  kind: MailKind;
  view: object;
  /** What a banking app reads to pay the order. */
  epc: string | null;
}

async function planOrderMail(
  db: Db,
  shop: ShopFacts,
  { orderId, kind, about }: Exclude<MailSubject, { kind: "shop_case" }>,
  { queuedAt, tries }: MailClaim,
): Promise<MailPlan | MailResult> {
  const order = await findShopOrder(db, orderId);
  // Empty once the person was erased; an earlier release stored what was typed.
  const buyer = spellEmail(order?.buyer?.email ?? "");
  if (!order || (isCustomerMail(kind) && !buyer)) return { outcome: "refused", fault: "the order has no buyer" };
  const code = kind === "verification_code" ? await mintCode(db, about) : "";
  if (code === undefined) return { outcome: "refused", fault: "the verification has expired" };
  const invoice = kind === "invoice" ? order.invoices.find(({ id }) => id === about) : undefined;
  if (kind === "invoice" && !invoice) return { outcome: "refused", fault: "the document was erased" };
  // What was closed since the mail was queued is still what it is about.
  const matters = kind === "shop_needs_person" ? await findMatters(db, orderId, queuedAt) : undefined;
  const link = isCustomerMail(kind) ? `${shop.base_url}/account/open?key=${await mintOrderKey(db, orderId)}` : "";
  // A server may drop a second mail with the same Message-ID, so only what is one mail has one: each that is asked for, and
  // of codes each attempt.
  const each = code ? tries : Date.parse(queuedAt);
  const [to, replyTo] = isCustomerMail(kind) ? [buyer, shop.sales_email] : [shop.sales_email, buyer];
  return {
    id: `order-${orderId}-${kind}${about === 0 ? "" : `-${about}`}-${each}`,
    to: to ?? shop.sales_email,
    replyTo: replyTo ?? shop.sales_email,
    kind: kind === "sent" && isCollected(order) ? READY_MAIL : kind,
    view: viewOrderMail(order, shop, { link, code, matters, invoice }),
    epc: shop.transfer && paymentCode(order, shop.transfer),
  };
}

async function planCaseMail(db: Db, shop: ShopFacts, caseId: number): Promise<MailPlan | MailResult> {
  const view = await viewCaseMail(db, shop, caseId);
  if (!view) return { outcome: "refused", fault: "the case was erased" };
  const { sales_email } = shop;
  const replyTo = view.buyer_email || sales_email;
  return { id: `case-${caseId}`, to: sales_email, replyTo, kind: "shop_case", view, epc: null };
}
