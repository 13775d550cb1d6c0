import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild, waitUntilReady } from "../../../nginx/local/child-process.ts";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { renderNginx } from "../../../nginx/render.ts";
import { PAGE } from "./requests.ts";

/** A server of both faces in one process, and its addresses of the page. */
export interface Server {
  name: string;
  pid: number;
  url: Record<"html" | "md", string>;
  /** Path of its access log, if it writes one. */
  accessLog?: string;
}

const pageAt = (port: number) => `http://127.0.0.1:${port}${PAGE}`;

/** Starts our nginx with one worker, configured by render.ts in `folder/ours`. */
export async function startOurs(folder: string, dist: string): Promise<Server> {
  const port = await findFreePort();
  const configuration = join(folder, "ours");
  renderNginx(configuration, {
    host: "127.0.0.1",
    port,
    apiPorts: [await findFreePort()],
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

/** Starts bare nginx with one worker, and the Brotli module if ours, in `folder/ours`, loads it. */
export async function startBare(name: string, folder: string, dist: string, transport: string): Promise<Server> {
  const configuration = join(folder, name);
  mkdirSync(join(configuration, "temp"), { recursive: true });
  const brotli = /^load_module .*brotli.*$/m.exec(readFileSync(join(folder, "ours", "nginx.conf"), "utf8"))?.[0] ?? "";
  const ports = { html: await findFreePort(), md: await findFreePort() };
  writeFileSync(join(configuration, "nginx.conf"), writeBareConfiguration(dist, ports, transport, brotli));
  return startNginx(name, configuration, { html: pageAt(ports.html), md: pageAt(ports.md) });
}

/** Without a master, so that the process is the only worker, whatever the configuration says. */
async function startNginx(name: string, folder: string, url: Server["url"]): Promise<Server> {
  const args = ["-p", folder, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off; master_process off;"];
  const server = await start(name, "nginx", args, join(folder, "nginx.log"), url);
  pinServer(server.pid);
  return server;
}

/** Starts a Node program of this folder, which takes the site's folder and a port. */
export async function startProgram(name: string, program: string, folder: string, dist: string): Promise<Server> {
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
  if (running.child.pid === undefined) throw new Error(`${name} has no process id.`);
  return { name, pid: running.child.pid, url };
}

/** File sending as in Debian's nginx.conf. */
export const DEBIAN = "sendfile on; tcp_nopush on;";

/** Our file sending, from the configuration in its folder: pages without sendfile, and open_file_cache. */
export function readTuning(ours: string): string {
  const lines = readFileSync(join(ours, "file-sending.conf"), "utf8").match(/^open_file_cache.*$/gm) ?? [];
  return ["sendfile off;", ...lines].join(" ");
}

/**
 * An nginx configuration that only serves files: HTML on one port, Markdown on another, each page at the same path.
 *
 * @param modules the lines that load the Brotli module, where it is installed
 */
function writeBareConfiguration(
  dist: string,
  ports: Record<"html" | "md", number>,
  transport: string,
  modules: string,
): string {
  return `
${modules}
pid nginx.pid;
error_log stderr;
events { worker_connections 4096; }
http {
    include /etc/nginx/mime.types;
    types { text/markdown md; }
    ${transport}
    gzip_static on;
    ${modules && "brotli_static on;"}
    access_log off;
    client_body_temp_path temp;
    proxy_temp_path temp;
    fastcgi_temp_path temp;
    uwsgi_temp_path temp;
    scgi_temp_path temp;
    root "${dist}";
    server { listen 127.0.0.1:${ports.html}; location / { try_files $uri.html =404; } }
    server { listen 127.0.0.1:${ports.md}; location / { try_files $uri.md =404; } }
}
`;
}

/** The first and the last core we may run on, for the server and for wrk; undefined if they are the same. */
function twoCores(): { server: number; client: number } | undefined {
  const [, list = ""] = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  const numbers = list.split(/[,-]/).map(Number);
  const [server = 0, client = 0] = [numbers[0], numbers.at(-1)];
  return server === client ? undefined : { server, client };
}

const cores = twoCores();

/** Pins a process to the server's core: moving two busy processes can cost a round a third of its speed. */
function pinServer(pid: number): void {
  if (cores) execFileSync("taskset", ["-p", "-c", String(cores.server), String(pid)], { stdio: "ignore" });
}

/** The core for wrk; undefined if the kernel must choose. */
export const clientCore = cores?.client;
