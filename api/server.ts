import { setFlagsFromString } from "node:v8";
import closeWithGrace from "close-with-grace";
import { buildApp } from "./app.ts";
import { closeDatabase, openDatabase, watchForDatabase } from "./database.ts";
import { readEnv } from "./env.ts";
import { startWorker } from "./erp/delivery-worker.ts";
import { makeSender } from "./erp/sender.ts";
import { watchQueue } from "./erp/status.ts";
import { secretsOf } from "./log-redaction.ts";
import { createMetrics } from "./metrics.ts";
import { serveMetrics } from "./metrics-server.ts";
import { makeLoggerOptions } from "./request-log.ts";
import { runScript } from "./script.ts";

// How far the heap may grow between two major collections V8 decides by itself. After some 350,000 pages of orders without
// a pause it allowed so little that it collected seven times a second, and pages became a third fewer (test/bench/README.md).
setFlagsFromString("--heap-growing-percent=300");

await runScript(async () => {
  const env = readEnv(process.env);
  const metrics = createMetrics();
  const db = openDatabase(env.database, metrics.countDatabaseError);
  const send = env.webhook && makeSender(env.webhook);
  const app = buildApp({ ...env, db, send, metrics, logger: makeLoggerOptions(secretsOf(env)) });
  if (env.metricsPort) await serveMetrics(metrics, env.metricsPort);
  await app.listen({ host: "127.0.0.1", port: env.apiPort });
  metrics.watchDeliveries(watchQueue(db));
  const worker = send && startWorker({ db, send, metrics }, app.log, env.deliveriesKeptDays);
  const closing = new AbortController();
  // After listening: it would turn the failure to listen into an orderly end.
  // The delay is longer than handlerTimeout and than an attempt at delivery, so that what is under way can end.
  closeWithGrace({ delay: 17_000, logger: app.log }, async ({ err }) => {
    if (err) app.log.fatal({ err }, "closing after a crash");
    closing.abort();
    await Promise.all([app.close(), worker?.stop()]);
    await closeDatabase(db);
  });
  await watchForDatabase(db, app.log, closing.signal);
});
