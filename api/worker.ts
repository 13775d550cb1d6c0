import { pino } from "pino";
import { makeAssistantRetention } from "./assistant/conversation/retention.ts";
import { closeOnSignals } from "./close-on-signals.ts";
import { readPushWhen, readWorkerEnv } from "./env.ts";
import { makeFollowUp } from "./follow-up.ts";
import { deleteExpired } from "./jobs/retention.ts";
import { deleteExpiredSessions } from "./jobs/session-retention.ts";
import { makeBillingErasure } from "./operation/erasure/erase-billing.ts";
import { closeDatabase, openDatabase } from "./platform/database/pool.ts";
import { reportReadiness } from "./platform/database/readiness.ts";
import { makeLoggerOptions, secretsOf } from "./platform/monitoring/log.ts";
import { createMetrics } from "./platform/monitoring/metrics.ts";
import { deliveryQueue, startWorker } from "./platform/outbox/worker.ts";
import { makeSender } from "./platform/webhook/sender.ts";
import { readArguments } from "./read-arguments.ts";
import { runCommand } from "./run-command.ts";
import { mailQueue, makeMailing } from "./selling/mail/attempt.ts";
import { makeCancelUnpaid } from "./selling/orders/cancel-unpaid.ts";
import { makePayments } from "./selling/payments/stripe.ts";
import { makePaymentSweep } from "./selling/payments/sweep.ts";
import { makeEditorRetention } from "./staff/sign-in/retention.ts";

/** Delivers to the webhook and sends mails without serving requests. It shares the queues with the API's processes. */
await runCommand(async () => {
  readArguments("Usage: npm run worker\n\nSends deliveries and mails beside the API, with its settings.", {});
  const { database, webhook, stripe, mail, sessionPages } = readWorkerEnv(process.env);
  const log = pino(makeLoggerOptions(secretsOf({ webhook, database, mail, stripe })));
  const db = openDatabase(database);
  const queues = [
    ...(webhook ? [deliveryQueue({ db, send: makeSender(webhook), metrics: createMetrics() }, log)] : []),
    ...(mail ? [mailQueue(makeMailing(db, mail, sessionPages), log)] : []),
  ];
  const followUp = makeFollowUp({ pushWhen: readPushWhen(process.env) });
  const jobs = [
    (signal: AbortSignal) => deleteExpired(db, signal),
    (signal: AbortSignal) => deleteExpiredSessions(db, signal),
    makeCancelUnpaid(db, followUp, log),
    makeBillingErasure(db),
    makeAssistantRetention(db),
    makeEditorRetention(db),
    ...(stripe ? [makePaymentSweep(makePayments(db, stripe, followUp), log)] : []),
  ];
  const worker = startWorker(queues, log, jobs);
  const closing = new AbortController();
  closeOnSignals({ delay: 18_000, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, "Unexpected error; shutting down.");
    closing.abort();
    await worker.stop();
    await closeDatabase(db);
  });
  await reportReadiness(db, log, closing.signal);
});
