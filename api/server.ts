import { buildApp } from "./app.ts";
import { closeOnSignals } from "./close-on-signals.ts";
import { readEnv, SettingsError } from "./env.ts";
import { makeFollowUp } from "./follow-up.ts";
import { jobs, queues } from "./jobs/jobs.ts";
import { closeDatabase, MONITORING, openDatabase } from "./platform/database/pool.ts";
import { reportReadiness } from "./platform/database/readiness.ts";
import { listenOptions, setBacklog } from "./platform/http/connections.ts";
import { makeLoggerOptions, secretsOf, standardOutput } from "./platform/monitoring/log.ts";
import { createMetrics, serveMetrics } from "./platform/monitoring/metrics.ts";
import { queueStateReader } from "./platform/outbox/queue-state.ts";
import { startWorker } from "./platform/outbox/worker.ts";
import { openBuilds } from "./platform/private-pages/builds.ts";
import { makeSender } from "./platform/webhook/sender.ts";
import { readArguments } from "./read-arguments.ts";
import { runCommand } from "./run-command.ts";
import { openMails } from "./selling/mail/render.ts";
import { findCurrencyProblem } from "./selling/payments/stripe-client.ts";

await runCommand(async () => {
  readArguments(
    "Usage: npm run api\n\nServes the API. .env.example lists its settings, which are variables, or lines of .env.",
    {},
  );
  const env = readEnv(process.env);
  const metrics = createMetrics();
  const db = openDatabase(env.database, { countError: metrics.countDatabaseError });
  const monitoringDb = openDatabase(env.database, { countError: metrics.countDatabaseError, timeouts: MONITORING });
  const send = env.webhook && makeSender(env.webhook);
  // One for pages and mails, since each look at a dev server makes all of them anew.
  const builds = openBuilds(env.sessionPages);
  const mails = openMails(builds, {
    info: (message) => app.log.info(message),
    error: (message) => app.log.error(message),
  });
  const app = buildApp({
    ...{ ...env, db, monitoringDb, builds, send, mails: env.mail && mails, metrics },
    logger: { ...makeLoggerOptions(secretsOf(env)), stream: standardOutput },
  });
  const problem = env.stripe && (await findCurrencyProblem(monitoringDb));
  if (problem) throw new SettingsError([problem]);
  if (env.metricsPort) await serveMetrics(metrics, env.metricsPort);
  setBacklog(app);
  await app.listen(listenOptions(env.apiPort, process.env));
  metrics.watchQueues(queueStateReader(monitoringDb));
  const worker = startWorker(
    queues({ db, metrics, send, mail: env.mail, mails }, app.log),
    jobs({ db, followUp: makeFollowUp(env), stripe: env.stripe }, app.log),
    app.log,
  );
  const closing = new AbortController();
  // After listening, since it would turn a failure to listen into a normal exit. The delay is longer than the handlerTimeout of
  // most requests and than an attempt. What takes longer may be cut off: a push is sent again when its lease expires, and an
  // order's form sent again leads to the one order.
  closeOnSignals({ delay: 17_000, logger: app.log }, async ({ err }) => {
    if (err) app.log.fatal({ err }, "Unexpected error; shutting down.");
    closing.abort();
    await Promise.all([app.close(), worker.stop()]);
    await Promise.all([closeDatabase(db), closeDatabase(monitoringDb)]);
  });
  await reportReadiness(monitoringDb, app.log, closing.signal);
});
