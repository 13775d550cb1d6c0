import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { type Admin, openFilesHere, renderNginx } from "../render.ts";
import { type RunningChild, startChild, waitUntilReady } from "./child-process.ts";
import { localUrl } from "./ports.ts";

const SITE = join(import.meta.dirname, "..", "..", "site");
const ASTRO = join(SITE, "node_modules", "astro", "bin", "astro.mjs");
const ROOT = join(import.meta.dirname, "..", "..");

export interface NginxAddresses {
  host: string;
  port: number;
  apiPorts: readonly number[];
  baseUrl: string;
  trustedProxies: readonly string[];
  /** Undefined if /admin is 404. */
  admin?: Admin | undefined;
  /** Folder of the site, if it isn't the last build. */
  dist?: string;
  /** Port of Astro's dev server, if pages come from there. */
  devPort?: number;
}

/** Environment of the API's processes. */
export interface ApiEnvironment extends Record<string, string | undefined> {
  API_PORT: string;
  METRICS_PORT: string;
  BASE_URL: string;
  DATABASE_URL: string;
  ERP_PULL_API_TOKEN: string;
}

/** Environment of the process behind /admin. */
interface AdminEnvironment extends Record<string, string | undefined> {
  ADMIN_SOCKET: string;
  CONTENT_REPOSITORY: string;
}

/** Node's arguments for one of the API's programs. */
export const apiProgram = (file: string, ...args: string[]) => [join(ROOT, "api", file), ...args];

/** Gives freed memory back: one store for all threads, and little kept in it (mallopt(3); measured in test/bench/README.md). */
export const MALLOC_OPTIONS = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "32768",
  MALLOC_TOP_PAD_: "0",
};

/** How far the API's heap grows before it's collected (measured in test/bench/README.md). V8 reads it only at start. */
export const HEAP_OPTIONS = ["--max-semi-space-size=2", "--heap-growing-percent=25", "--optimize-for-size"];

/** Starts the API. Returns once it answers; throws StartError if it doesn't. */
export async function startApi(
  runtime: string,
  env: ApiEnvironment,
  nodeOptions: string[] = [],
): Promise<RunningChild> {
  const logFile = join(runtime, "logs", "api.log");
  const child = startChild({
    name: "API",
    program: process.execPath,
    args: [...HEAP_OPTIONS, ...nodeOptions, ...apiProgram("server.ts")],
    env: { ...MALLOC_OPTIONS, ...env },
    cwd: ROOT,
    logFile,
  });
  await waitUntilReady(child, logFile, () => answers(`http://127.0.0.1:${env.API_PORT}/api/health/live`));
  return child;
}

/** Starts the process behind /admin. Returns once it answers; throws StartError if it doesn't. */
export async function startAdmin(runtime: string, env: AdminEnvironment): Promise<RunningChild> {
  const logFile = join(runtime, "logs", "admin.log");
  const child = startChild({
    name: "admin",
    program: process.execPath,
    args: [join(SITE, "admin", "server", "server.ts")],
    // It reads and writes content, never orders.
    env: { ...env, DATABASE_URL: undefined },
    cwd: ROOT,
    logFile,
  });
  const accepts = async () => {
    const socket = connect(env.ADMIN_SOCKET);
    const connected = once(socket, "connect").then(
      () => true,
      () => false,
    );
    return connected.finally(() => socket.destroy());
  };
  await waitUntilReady(child, logFile, accepts);
  return child;
}

/** Starts the refresh of pages, which reports to the terminal. */
export const startRefresh = (env: Record<string, string | undefined>): RunningChild =>
  startChild({
    name: "refresh",
    program: process.execPath,
    args: [join(ROOT, "nginx", "release", "refresh.ts")],
    env,
    cwd: ROOT,
  });

/** Writes nginx's configuration and starts it. Returns once it answers; throws StartError if it doesn't. */
export async function startNginx(runtime: string, addresses: NginxAddresses): Promise<RunningChild> {
  const folder = join(runtime, "nginx");
  renderNginx(folder, {
    dist: join(SITE, "dist"),
    ...addresses,
    // TLS_CERTIFICATE is for production.
    tls: undefined,
    workerUser: process.getuid?.() === 0 ? "root" : undefined,
    openFiles: openFilesHere(),
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

/** Starts Astro's dev server, which logs to the terminal. Returns once it answers; throws StartError if it doesn't. */
export async function startAstro(port: number, baseUrl: string, contentRoot: string): Promise<RunningChild> {
  const child = startChild({
    name: "dev server",
    program: process.execPath,
    args: [ASTRO, "dev", "--host", "127.0.0.1", "--port", String(port)],
    cwd: SITE,
    env: { BASE_URL: baseUrl, CONTENT_ROOT: contentRoot },
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
