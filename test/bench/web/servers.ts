import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild, waitUntilReady } from "../../../nginx/local/child-process.ts";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { renderNginx } from "../../../nginx/render.ts";
import { writeBareConfiguration } from "./bare-nginx.ts";
import { pinServer } from "./cores.ts";
import { PAGE } from "./requests.ts";

/** A server of both faces: one process that does all the work, and where it has the page. */
export interface Server {
  name: string;
  pid: number;
  url: Record<"html" | "md", string>;
  /** Where it writes a line for each request, if it does. */
  accessLog?: string;
}

const pageAt = (port: number) => `http://127.0.0.1:${port}${PAGE}`;

/** Our nginx with one worker, as render.ts has it. Its folder is `folder/ours`. */
export async function startOurs(folder: string, dist: string): Promise<Server> {
  const port = await findFreePort();
  const configuration = join(folder, "ours");
  renderNginx(configuration, {
    host: "127.0.0.1",
    port,
    apiPort: await findFreePort(),
    baseUrl: "https://shop.example",
    trustedProxies: [],
    dist,
    workerUser: undefined,
    errorLog: "error.log",
    accessLog: "access.log",
  });
  const server = await startNginx("nginx of ours", configuration, { html: pageAt(port), md: pageAt(port) });
  return { ...server, accessLog: join(configuration, "access.log") };
}

/** Bare nginx with one worker, and the Brotli module if ours, in `folder/ours`, has it. */
export async function startBare(name: string, folder: string, dist: string, transport: string): Promise<Server> {
  const configuration = join(folder, name);
  mkdirSync(join(configuration, "temp"), { recursive: true });
  const brotli = /^load_module .*brotli.*$/m.exec(readFileSync(join(folder, "ours", "nginx.conf"), "utf8"))?.[0] ?? "";
  const ports = { html: await findFreePort(), md: await findFreePort() };
  writeFileSync(join(configuration, "nginx.conf"), writeBareConfiguration(dist, ports, transport, brotli));
  return startNginx(name, configuration, { html: pageAt(ports.html), md: pageAt(ports.md) });
}

/** Without a master: the process that is started is the only worker, whatever the configuration says. */
async function startNginx(name: string, folder: string, url: Server["url"]): Promise<Server> {
  const args = ["-p", folder, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off; master_process off;"];
  const server = await start(name, "nginx", args, join(folder, "nginx.log"), url);
  pinServer(server.pid);
  return server;
}

/** A program of this folder that is told the site's folder and its port. */
export async function startPeer(name: string, program: string, folder: string, dist: string): Promise<Server> {
  const port = await findFreePort();
  const args = [join(import.meta.dirname, program), dist, String(port)];
  return start(name, process.execPath, args, join(folder, `${program}.log`), { html: pageAt(port), md: pageAt(port) });
}

async function start(
  name: string,
  program: string,
  args: readonly string[],
  logFile: string,
  url: Server["url"],
): Promise<Server> {
  const running = startChild({ name, program, args, logFile });
  await waitUntilReady(running, logFile, async () => (await fetch(url.html).catch(() => undefined))?.ok === true);
  if (running.child.pid === undefined) throw new Error(`${name} has no process.`);
  return { name, pid: running.child.pid, url };
}
