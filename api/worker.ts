import closeWithGrace from "close-with-grace";
import { pino } from "pino";
import { closeDatabase, openDatabase } from "./database.ts";
import { readWorkerEnv } from "./env.ts";
import { startWorker } from "./erp/delivery-worker.ts";
import { makeSender } from "./erp/sender.ts";
import { secretsOf } from "./log-redaction.ts";
import { createMetrics } from "./metrics.ts";
import { watchForDatabase } from "./readiness.ts";
import { makeLoggerOptions } from "./request-log.ts";
import { runScript } from "./script.ts";

/** Delivers to the webhook without serving; the API's own processes do so too, and share one queue with this one. */
await runScript(async () => {
  const { database, webhook, deliveriesKeptDays } = readWorkerEnv(process.env);
  const log = pino(makeLoggerOptions(secretsOf({ webhook, database })));
  const db = openDatabase(database);
  const worker = startWorker({ db, send: makeSender(webhook), metrics: createMetrics() }, log, deliveriesKeptDays);
  const closing = new AbortController();
  closeWithGrace({ delay: 18_000, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, "closing after a crash");
    closing.abort();
    await worker.stop();
    await closeDatabase(db);
  });
  await watchForDatabase(db, log, closing.signal);
});
