import { setTimeout as sleep } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { buildApp } from "./app.ts";
import { openDatabase, watchForDatabase } from "./database.ts";
import { readEnv } from "./env.ts";
import { loggerOptions } from "./request-log.ts";
import { runScript } from "./script.ts";

await runScript(async () => {
  const env = readEnv(process.env);
  const db = openDatabase(env.database);
  const app = buildApp({ db, baseUrl: env.baseUrl, pullTokens: env.pullTokens, logger: loggerOptions });
  await app.listen({ host: "127.0.0.1", port: env.apiPort });
  const closing = new AbortController();
  // After listening: it would turn the failure to listen into an orderly end.
  // The delay is longer than handlerTimeout, so that with a hung database the last 503 still leaves.
  closeWithGrace({ delay: 12_000, logger: app.log }, async ({ err }) => {
    if (err) app.log.fatal({ err }, "closing after a crash");
    closing.abort();
    await app.close();
    // A hung database never takes its leave, and by now nobody waits for its answers.
    await Promise.race([db.destroy(), sleep(500)]);
  });
  await watchForDatabase(db, app.log, closing.signal);
});
