// `npm start`: builds and starts the whole shop on this machine.
import { readAdmin } from "../settings.ts";
import { servePublications } from "./publications.ts";
import { announceShop } from "./ready.ts";
import { step } from "./report.ts";
import { type ApiEnvironment, startAdmin, startApi, startNginx } from "./services.ts";
import { runSession, type Session } from "./session.ts";
import { buildSite, fillDatabase, inviteEditor, provideApiEnvironment, provideContent } from "./steps.ts";

await runSession("Twinfront", async (session) => {
  const repository = await provideContent(session);
  await step("site", () => buildSite(repository));
  const env = { ...(await provideApiEnvironment(session)), CONTENT_REPOSITORY: repository };
  await fillDatabase(session, env);
  await serve(session, env);
  await serveEditors(session, env, repository);
  await announceShop(session, env, await inviteEditor(env));
});

async function serve({ settings, folder, supervisor }: Session, env: ApiEnvironment): Promise<void> {
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

async function serveEditors(session: Session, env: ApiEnvironment, repository: string): Promise<void> {
  const { settings, folder, supervisor } = session;
  await step("admin", async () => {
    const { ADMIN_SOCKET } = env;
    const adminEnv = {
      ...settings.environment,
      DATA_DIR: settings.dataDir,
      ADMIN_SOCKET,
      CONTENT_REPOSITORY: repository,
    };
    await supervisor.add({
      start: () => startAdmin(folder.runtime, adminEnv),
      stopSignal: "SIGTERM",
      stopTimeoutMs: 5_000,
    });
    return { summary: ADMIN_SOCKET, value: undefined };
  });
  servePublications(session, repository);
}
