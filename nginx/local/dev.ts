// `npm run dev`: the shop for whoever writes content or code. Pages reload as they change, in both faces; so does the API.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "./ports.ts";
import { probeShop } from "./probe.ts";
import { printReady, step } from "./report.ts";
import { type ApiEnvironment, localUrl, startApi, startAstro, startNginx } from "./services.ts";
import { runSession, type Session } from "./session.ts";
import { fillDatabase, openDatabase } from "./shop-database.ts";
import { keptToken, printableToken } from "./token.ts";

await runSession("Twinfront, for editing", async (session) => {
  const { settings, folder } = session;
  const env: ApiEnvironment = {
    API_PORT: String(settings.apiPort ?? (await findFreePort())),
    BASE_URL: settings.baseUrl,
    DATABASE_URL: await openDatabase(session),
    ERP_PULL_API_TOKEN: settings.token ?? keptToken(settings.dataDir),
  };
  const devPort = await findFreePort();
  await serve(session, env, devPort);
  const catalogue = join(folder.runtime, "products.json");
  writeFileSync(catalogue, await (await fetch(`http://127.0.0.1:${devPort}/products.json`)).text());
  await fillDatabase(session, env, [catalogue]);
  const url = localUrl(settings);
  const product = await step("probe", () => probeShop(url, env.ERP_PULL_API_TOKEN));
  printReady({
    url,
    product,
    token: printableToken(settings.token, env.ERP_PULL_API_TOKEN),
    kept: folder.path,
  });
});

/** Everything here is stopped at once and started anew within a second, so nobody waits long for it to end. */
async function serve({ settings, folder, supervisor }: Session, env: ApiEnvironment, devPort: number): Promise<void> {
  const quickly = { stopSignal: "SIGTERM", stopTimeoutMs: 3000 } as const;
  await step("site", async () => {
    await supervisor.add({ start: () => startAstro(devPort, settings.baseUrl), ...quickly });
    return { said: "Astro's dev server", value: undefined };
  });
  await step("API", async () => {
    await supervisor.add({ start: () => startApi(folder.runtime, env, ["--watch"]), ...quickly });
    return { said: `127.0.0.1:${env.API_PORT}, reloads`, value: undefined };
  });
  await step("nginx", async () => {
    const addresses = { ...settings, apiPort: Number(env.API_PORT), devPort };
    await supervisor.add({ start: () => startNginx(folder.runtime, addresses), ...quickly });
    return { said: `${settings.host}:${settings.port}`, value: undefined };
  });
}
