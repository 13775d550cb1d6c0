// `npm start`: the whole shop on this machine, from an empty folder to three curl lines to paste.
import { findFreePort } from "./ports.ts";
import { probeShop } from "./probe.ts";
import { printReady, step } from "./report.ts";
import { type ApiEnvironment, localUrl, startApi, startNginx } from "./services.ts";
import { runSession, type Session } from "./session.ts";
import { fillDatabase, openDatabase } from "./shop-database.ts";
import { buildSite } from "./site-build.ts";
import { keptToken, printableToken } from "./token.ts";

await runSession("Twinfront", async (session) => {
  const { settings, folder } = session;
  await step("site", async () => ({ said: await buildSite(settings.baseUrl), value: undefined }));
  const env: ApiEnvironment = {
    API_PORT: String(settings.apiPort ?? (await findFreePort())),
    BASE_URL: settings.baseUrl,
    DATABASE_URL: await openDatabase(session),
    ERP_PULL_API_TOKEN: settings.token ?? keptToken(settings.dataDir),
  };
  await fillDatabase(session, env);
  await serve(session, env);
  const url = localUrl(settings);
  const product = await step("probe", () => probeShop(url, env.ERP_PULL_API_TOKEN));
  printReady({
    url,
    product,
    token: printableToken(settings.token, env.ERP_PULL_API_TOKEN),
    kept: folder.path,
  });
});

async function serve({ settings, folder, supervisor }: Session, env: ApiEnvironment): Promise<void> {
  const apiPort = Number(env.API_PORT);
  await step("API", async () => {
    // A push in flight may take 15 s; everything has stopped after 20.
    await supervisor.add({ start: () => startApi(folder.runtime, env), stopSignal: "SIGTERM", stopTimeoutMs: 18_000 });
    return { said: `127.0.0.1:${apiPort}`, value: undefined };
  });
  await step("nginx", async () => {
    const addresses = { ...settings, apiPort };
    // SIGQUIT lets requests end that have begun (nginx, "Controlling nginx").
    await supervisor.add({
      start: () => startNginx(folder.runtime, addresses),
      stopSignal: "SIGQUIT",
      stopTimeoutMs: 18_000,
    });
    return { said: `${settings.host}:${settings.port}`, value: undefined };
  });
}
