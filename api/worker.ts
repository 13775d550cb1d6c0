import closeWithGrace from "close-with-grace";
import { pino } from "pino";
import { closeDatabase, openDatabase } from "./database/pool.ts";
import { reportReadiness } from "./database/readiness.ts";
import { readWorkerEnv } from "./env.ts";
import { makeLoggerOptions, secretsOf } from "./http/log.ts";
import { createMetrics } from "./http/metrics.ts";
import { startWorker } from "./outbox/worker.ts";
import { runCommand } from "./run-command.ts";
import { makeSender } from "./webhook/sender.ts";

/** Delivers to the webhook without serving requests. It shares one queue with the API's processes. */
await runCommand(async () => {
  const { database, webhook, deliveriesKeptDays } = readWorkerEnv(process.env);
  const log = pino(makeLoggerOptions(secretsOf({ webhook, database })));
  const db = openDatabase(database);
  const worker = startWorker({ db, send: makeSender(webhook), metrics: createMetrics() }, log, deliveriesKeptDays);
  const closing = new AbortController();
  closeWithGrace({ delay: 18_000, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, "Unexpected error; shutting down.");
    closing.abort();
    await worker.stop();
    await closeDatabase(db);
  });
  await reportReadiness(db, log, closing.signal);
});
