import { makeBillingErasure } from "../operation/erasure/erase-billing.ts";
import { catchUpSearch } from "../platform/database/order-search.ts";
import type { Db } from "../platform/database/pool.ts";
import type { MailSettings } from "../platform/mail/settings.ts";
import { loadMailLibrary } from "../platform/mail/transport.ts";
import type { Outbox } from "../platform/outbox/attempt.ts";
import { deliveryQueue, type Job, type Queue, type WorkerLog } from "../platform/outbox/worker.ts";
import type { OfBuild } from "../platform/private-pages/builds.ts";
import { loadUndici } from "../platform/webhook/dial.ts";
import { mailQueue, makeMailing } from "../selling/mail/attempt.ts";
import type { WriteMail } from "../selling/mail/render.ts";
import { makeCancelUnpaid } from "../selling/orders/cancel-unpaid.ts";
import type { FollowUp } from "../selling/orders/place-order.ts";
import { makeShortWatch } from "../selling/orders/short-stock.ts";
import type { StripeSettings } from "../selling/payments/settings.ts";
import { makePayments } from "../selling/payments/stripe-client.ts";
import { makePaymentSweep } from "../selling/payments/sweep.ts";
import { catchUp } from "../selling/stock/catch-up.ts";
import { forgetSettled } from "../selling/stock/forget-settled.ts";
import { deleteExpired } from "./retention.ts";

interface JobSettings {
  db: Db;
  /** Of an order that a job changes. */
  followUp: FollowUp;
  /** Undefined when cards aren't taken. */
  stripe: StripeSettings | undefined;
}

/** What every API and every worker does once a minute. */
export const jobs = ({ db, followUp, stripe }: JobSettings, log: WorkerLog): Job[] => [
  makeStockKeeping(db),
  (signal) => catchUpSearch(db, signal),
  (signal) => deleteExpired(db, signal),
  makeCancelUnpaid(db, followUp, log),
  makeShortWatch(db, followUp),
  makeBillingErasure(db, followUp),
  ...(stripe ? [makePaymentSweep(makePayments(db, stripe, followUp), log)] : []),
];

const HOUR_MS = 3_600_000;

/** Brings the ledger of stock up to date, at the start too, and once an hour forgets what no count needs any more. */
function makeStockKeeping(db: Db): Job {
  let nextMs = 0;
  return async (signal) => {
    await catchUp(db);
    if (Date.now() < nextMs) return;
    nextMs = Date.now() + HOUR_MS;
    await forgetSettled(db, signal);
  };
}

interface QueueSettings extends Pick<Outbox, "db" | "metrics"> {
  /** Undefined without a webhook. */
  send: Outbox["send"] | undefined;
  /** Undefined where mails aren't sent. */
  mail: MailSettings | undefined;
  mails: OfBuild<WriteMail>;
}

/**
 * What every API and every worker sends. Loads what that takes, after the start and before it's needed: an upgrade
 * replaces libraries on the disk under a running process, and Node never tries again what it once couldn't load.
 */
export function queues({ db, metrics, send, mail, mails }: QueueSettings, log: WorkerLog): Queue[] {
  // What fails here fails again where it's used.
  if (send) loadUndici().catch(() => {});
  if (mail) loadMailLibrary().catch(() => {});
  return [
    ...(send ? [deliveryQueue({ db, send, metrics }, log)] : []),
    ...(mail ? [mailQueue(makeMailing(db, mail, mails), log)] : []),
  ];
}
