// `npm run dev`: the shop for writing content or code. Pages reload as they change, in both faces, and so does the API.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../../api/read-arguments.ts";
import { movedListPath, writeMovedFiles } from "../../site/finish/moved-pages.ts";
import { findFreePort } from "./ports.ts";
import { announceShop } from "./ready.ts";
import { step } from "./report.ts";
import { runUntilStopped, type ShopRun } from "./run.ts";
import { type ApiEnvironment, startApi, startAstro, startNginx } from "./services.ts";
import { fillDatabase, provideApiEnvironment } from "./steps.ts";

const USAGE = `Usage: npm run dev

Starts the shop for writing content or code, until Ctrl-C. .env.example explains its settings, which are variables, or lines of .env:

  PORT=8081 npm run dev`;

readArguments(USAGE, {});
await runUntilStopped("Twinfront, for editing", async (run) => {
  const env = await provideApiEnvironment(run);
  const devPort = await findFreePort();
  await serve(run, env, devPort);
  const catalogue = join(run.folder.runtime, "products.json");
  await copyFromAstro(devPort, "/products.json", catalogue);
  const shop = join(run.folder.runtime, "store.json");
  await copyFromAstro(devPort, "/.session/store.json", shop);
  await fillDatabase(run, env, [catalogue, shop]);
  await announceShop(run, env);
});

/** Short stop timeouts, because developers restart often and lose nothing. */
async function serve({ settings, folder, supervisor }: ShopRun, env: ApiEnvironment, devPort: number): Promise<void> {
  const stop = { stopSignal: "SIGTERM", stopTimeoutMs: 3000 } as const;
  await step("site", async () => {
    await supervisor.add({ start: () => startAstro(devPort, settings.baseUrl, settings.contentRoot), ...stop });
    return { summary: "Astro's dev server", value: undefined };
  });
  const SESSION_PAGES = `http://127.0.0.1:${devPort}/.session`;
  await step("API", async () => {
    const start = () => startApi(folder.runtime, { ...env, SESSION_PAGES }, ["--import", "tsx", "--watch"]);
    await supervisor.add({ start, ...stop });
    return { summary: `127.0.0.1:${env.API_PORT}, reloads; metrics: ${env.METRICS_PORT}`, value: undefined };
  });
  await step("nginx", async () => {
    // There may be no build yet; renamed pages are all that nginx needs of one here.
    const dist = join(folder.runtime, "dev-site");
    await copyMovedPages(devPort, dist);
    const addresses = { ...settings, apiPorts: [Number(env.API_PORT)], devPort, dist };
    await supervisor.add({ start: () => startNginx(folder.runtime, addresses), ...stop });
    return { summary: `${settings.host}:${settings.port}`, value: undefined };
  });
}

/** Writes the files of old addresses that a build has. Those of a page that is renamed later come with the next start. */
async function copyMovedPages(port: number, dist: string): Promise<void> {
  mkdirSync(join(dist, ".moved"), { recursive: true });
  await copyFromAstro(port, movedListPath, join(dist, movedListPath));
  writeMovedFiles(dist);
}

async function copyFromAstro(port: number, path: string, file: string): Promise<void> {
  writeFileSync(file, await readFromAstro(port, path));
}

async function readFromAstro(port: number, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}
