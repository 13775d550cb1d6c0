import { pino } from "pino";
import { closeOnSignals } from "./close-on-signals.ts";
import { readPushSettings, readWorkerEnv } from "./env.ts";
import { makeFollowUp } from "./follow-up.ts";
import { jobs, queues } from "./jobs/jobs.ts";
import { closeDatabase, openDatabase } from "./platform/database/pool.ts";
import { reportReadiness } from "./platform/database/readiness.ts";
import { makeLoggerOptions, secretsOf, standardOutput } from "./platform/monitoring/log.ts";
import { createMetrics } from "./platform/monitoring/metrics.ts";
import { startWorker } from "./platform/outbox/worker.ts";
import { openBuilds } from "./platform/private-pages/builds.ts";
import { makeSender } from "./platform/webhook/sender.ts";
import { readArguments } from "./read-arguments.ts";
import { runCommand } from "./run-command.ts";
import { openMails } from "./selling/mail/render.ts";

/** Delivers to the webhook and sends mails without serving requests. It shares the queues with the API's processes. */
await runCommand(async () => {
  readArguments(
    "Usage: npm run worker\n\nSends deliveries and mails beside the API, with its settings, which .env.example lists.",
    {},
  );
  const { database, webhook, stripe, mail, sessionPages } = readWorkerEnv(process.env);
  const log = pino(makeLoggerOptions(secretsOf({ webhook, database, mail, stripe })), standardOutput);
  const db = openDatabase(database);
  const send = webhook && makeSender(webhook);
  const worker = startWorker(
    queues({ db, metrics: createMetrics(), send, mail, mails: openMails(openBuilds(sessionPages), log) }, log),
    jobs({ db, followUp: makeFollowUp(readPushSettings(process.env)), stripe }, log),
    log,
  );
  const closing = new AbortController();
  closeOnSignals({ delay: 18_000, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, "Unexpected error; shutting down.");
    closing.abort();
    await worker.stop();
    await closeDatabase(db);
  });
  await reportReadiness(db, log, closing.signal);
});
