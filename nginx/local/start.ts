// `npm start`: builds and starts the whole shop on this machine.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "../../api/read-arguments.ts";
import { readAdmin } from "../settings.ts";
import { servePublications } from "./publications.ts";
import { announceShop } from "./ready.ts";
import { step } from "./report.ts";
import { runUntilStopped, type ShopRun } from "./run.ts";
import { type ApiEnvironment, startAdmin, startApi, startNginx, startRefresh } from "./services.ts";
import { buildSite, fillDatabase, inviteEditor, provideApiEnvironment, provideContent } from "./steps.ts";

const USAGE = `Usage: npm start

Builds and starts the whole shop on this machine, until Ctrl-C. .env.example explains its settings, which are variables, or lines of .env:

  PORT=8081 npm start`;

/** What is left was imported at the start, which a look at it needn't slow down. */
const FIRST_REFRESH_MS = 20_000;

readArguments(USAGE, {});
await runUntilStopped("Twinfront", async (run) => {
  const repository = await provideContent(run);
  await step("site", () => buildSite(repository));
  const editing = {
    CONTENT_REPOSITORY: repository,
    ADMIN_SOCKET: run.settings.environment["ADMIN_SOCKET"] ?? join(run.folder.runtime, "admin.sock"),
  };
  const env = { ...(await provideApiEnvironment(run)), ...editing };
  await fillDatabase(run, env);
  await serve(run, env);
  await serveEditors(run, editing);
  await announceShop(run, env, await inviteEditor(env));
  await serveRefreshes(run, repository);
});

async function serve({ settings, folder, supervisor }: ShopRun, env: ApiEnvironment): Promise<void> {
  const apiPort = Number(env.API_PORT);
  await step("API", async () => {
    // A push in flight may take 15 s, and everything must stop within 20.
    await supervisor.add({ start: () => startApi(folder.runtime, env), stopSignal: "SIGTERM", stopTimeoutMs: 18_000 });
    return { summary: `127.0.0.1:${apiPort}, metrics at 127.0.0.1:${env.METRICS_PORT}`, value: undefined };
  });
  await step("nginx", async () => {
    const addresses = { ...settings, apiPorts: [apiPort], admin: readAdmin(env, settings.baseUrl) };
    // On SIGQUIT nginx finishes open requests (nginx.org, "Controlling nginx").
    await supervisor.add({
      start: () => startNginx(folder.runtime, addresses),
      stopSignal: "SIGQUIT",
      stopTimeoutMs: 18_000,
    });
    return { summary: `${settings.host}:${settings.port}`, value: undefined };
  });
}

async function serveEditors(
  run: ShopRun,
  editing: { CONTENT_REPOSITORY: string; ADMIN_SOCKET: string },
): Promise<void> {
  const { settings, folder, supervisor } = run;
  await step("admin", async () => {
    const env = { ...settings.environment, DATA_DIR: settings.dataDir, ...editing };
    await supervisor.add({
      start: () => startAdmin(folder.runtime, env),
      stopSignal: "SIGTERM",
      stopTimeoutMs: 5_000,
    });
    return { summary: editing.ADMIN_SOCKET, value: undefined };
  });
  servePublications(run, editing.CONTENT_REPOSITORY);
}

/** Lets the pages follow what is left of the versions that are counted. */
async function serveRefreshes({ settings, supervisor }: ShopRun, repository: string): Promise<void> {
  await sleep(FIRST_REFRESH_MS);
  const env = { ...settings.environment, CONTENT_REPOSITORY: repository };
  await supervisor.add({ start: async () => startRefresh(env), stopSignal: "SIGTERM", stopTimeoutMs: 5_000 });
}
