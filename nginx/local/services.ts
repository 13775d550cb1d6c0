import { join } from "node:path";
import { renderNginx } from "../render.ts";
import { type RunningChild, startChild, waitUntilReady } from "./child-process.ts";
import { localUrl } from "./ports.ts";

const SITE = join(import.meta.dirname, "..", "..", "site");
const ASTRO = join(SITE, "node_modules", "astro", "bin", "astro.mjs");
const ROOT = join(import.meta.dirname, "..", "..");

export interface NginxAddresses {
  host: string;
  port: number;
  apiPort: number;
  baseUrl: string;
  trustedProxies: readonly string[];
  /** Folder of the site, where it is not the last build. */
  dist?: string;
  /** Port of Astro's dev server, where that has the pages. */
  devPort?: number;
}

/** Settings of the API's processes. */
export interface ApiEnvironment extends Record<string, string | undefined> {
  API_PORT: string;
  METRICS_PORT: string;
  BASE_URL: string;
  DATABASE_URL: string;
  ERP_PULL_API_TOKEN: string;
}

/** The command line of one of the API's programs. */
export const apiProgram = (file: string, ...args: string[]) => ["--import", "tsx", join(ROOT, "api", file), ...args];

/** How far the API's heap grows between two collections; V8 reads it at its start alone (why: test/bench/README.md). */
const HEAP_GROWTH_OPTION = "--heap-growing-percent=300";

/** Starts the API; returns when it answers. */
export async function startApi(
  runtime: string,
  env: ApiEnvironment,
  nodeOptions: string[] = [],
): Promise<RunningChild> {
  const logFile = join(runtime, "logs", "api.log");
  const child = startChild({
    name: "API",
    program: process.execPath,
    args: [HEAP_GROWTH_OPTION, ...nodeOptions, ...apiProgram("server.ts")],
    env,
    cwd: ROOT,
    logFile,
  });
  await waitUntilReady(child, logFile, () => answers(`http://127.0.0.1:${env.API_PORT}/api/health/live`));
  return child;
}

/** Renders nginx's configuration for this machine and starts it; returns when it answers. */
export async function startNginx(runtime: string, addresses: NginxAddresses): Promise<RunningChild> {
  const folder = join(runtime, "nginx");
  renderNginx(folder, {
    dist: join(SITE, "dist"),
    ...addresses,
    workerUser: process.getuid?.() === 0 ? "root" : undefined,
    errorLog: join(runtime, "logs", "nginx-error.log"),
    accessLog: join(runtime, "logs", "nginx-access.log"),
  });
  const logFile = join(runtime, "logs", "nginx.log");
  const child = startChild({
    name: "nginx",
    program: "nginx",
    args: ["-p", folder, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;"],
    logFile,
  });
  await waitUntilReady(child, logFile, () => answers(localUrl(addresses)));
  return child;
}

/** Starts Astro's dev server, which speaks to the terminal; returns when it answers. */
export async function startAstro(port: number, baseUrl: string): Promise<RunningChild> {
  const child = startChild({
    name: "dev server",
    program: process.execPath,
    args: [ASTRO, "dev", "--host", "127.0.0.1", "--port", String(port)],
    cwd: SITE,
    env: { BASE_URL: baseUrl },
  });
  await waitUntilReady(child, undefined, () => answers(`http://127.0.0.1:${port}/products.json`), 60_000);
  return child;
}

async function answers(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(2000) });
    return ok;
  } catch {
    return false;
  }
}
