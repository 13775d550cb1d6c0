import { pino } from "pino";
import { makeAssistantRetention } from "./assistant/retention.ts";
import { closeOnSignals } from "./close-on-signals.ts";
import { closeDatabase, openDatabase } from "./database/pool.ts";
import { reportReadiness } from "./database/readiness.ts";
import { makeEditorRetention } from "./editors/retention.ts";
import { readPushWhen, readWorkerEnv } from "./env.ts";
import { makeBillingErasure } from "./erasure/erase-billing.ts";
import { makeFollowUp } from "./follow-up.ts";
import { makeLoggerOptions, secretsOf } from "./http/log.ts";
import { createMetrics } from "./http/metrics.ts";
import { mailQueue, makeMailing } from "./mail/attempt.ts";
import { makeCancelUnpaid } from "./orders/cancel-unpaid.ts";
import { deliveryQueue, startWorker } from "./outbox/worker.ts";
import { makePayments } from "./payments/stripe.ts";
import { makePaymentSweep } from "./payments/sweep.ts";
import { runCommand } from "./run-command.ts";
import { makeSender } from "./webhook/sender.ts";

/** Delivers to the webhook and sends mails without serving requests. It shares the queues with the API's processes. */
await runCommand(async () => {
  const { database, webhook, stripe, mail, sessionPages } = readWorkerEnv(process.env);
  const log = pino(makeLoggerOptions(secretsOf({ webhook, database, mail, stripe })));
  const db = openDatabase(database);
  const queues = [
    ...(webhook ? [deliveryQueue({ db, send: makeSender(webhook), metrics: createMetrics() }, log)] : []),
    ...(mail ? [mailQueue(makeMailing(db, mail, sessionPages), log)] : []),
  ];
  const followUp = makeFollowUp({ pushWhen: readPushWhen(process.env) });
  const jobs = [
    makeCancelUnpaid(db, followUp, log),
    makeBillingErasure(db),
    makeAssistantRetention(db),
    makeEditorRetention(db),
    ...(stripe ? [makePaymentSweep(makePayments(db, stripe, followUp), log)] : []),
  ];
  const worker = startWorker(db, queues, log, jobs);
  const closing = new AbortController();
  closeOnSignals({ delay: 18_000, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, "Unexpected error; shutting down.");
    closing.abort();
    await worker.stop();
    await closeDatabase(db);
  });
  await reportReadiness(db, log, closing.signal);
});
