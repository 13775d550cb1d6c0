import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isIPv6 } from "node:net";
import { dirname, join } from "node:path";
import { SERVER_FOLDERS, SERVER_PATH } from "../api/platform/server-path.ts";
import { fill } from "./fill.ts";
import { StartError } from "./programs.ts";

const SOURCE = import.meta.dirname;
/** As production/units/twinfront-nginx.service has it. */
const OPEN_FILES = 65_536;
/** As many as may wait in Debian's kernel (net.core.somaxconn). */
const BACKLOG = 4096;

/** The user of nginx in production, as Debian's. */
export const NGINX_USER = "www-data";
/** The command that runs another as that user, who may open ports below 1024, and nothing else that root may. */
export const AS_NGINX_USER = [
  "setpriv",
  ...[`--reuid=${NGINX_USER}`, `--regid=${NGINX_USER}`, "--clear-groups"],
  ...["--inh-caps=-all,+net_bind_service", "--ambient-caps=-all,+net_bind_service"],
] as const;
/** Of nginx in production. Not in /var/log/nginx: Debian's logrotate rule there wouldn't signal this nginx. */
export const NGINX_LOGS = { error: "/var/log/twinfront/error.log", access: "/var/log/twinfront/access.log" };

/** Where those who work in the shop do. */
export interface Admin {
  /** The origin of /admin, as browsers write it. */
  origin: string;
  /** Absolute path of the Unix socket of the process that writes content; undefined without a repository for it. */
  socket: string | undefined;
}

export interface NginxConfiguration {
  host: string;
  port: number;
  /** Ports of the APIs on 127.0.0.1, at least one. */
  apiPorts: readonly number[];
  /** Origin without trailing slash, as the build used it. */
  baseUrl: string;
  /** TCP port for HTTPS, if TLS ends in nginx, with a pair of take-certificate.ts; `port` then only redirects. */
  tls?: { port: number } | undefined;
  /** Undefined if /admin is 404. */
  admin?: Admin | undefined;
  /** Whether HSTS applies to every subdomain of the shop's host too. */
  hstsIncludeSubdomains?: boolean;
  /** Address ranges (CIDR) of proxies whose X-Forwarded-For is trusted; empty without a proxy. */
  trustedProxies: readonly string[];
  /** Folder with the built site, readable by nginx's user. */
  dist: string;
  /** User that the workers run as; undefined unless root starts nginx. */
  workerUser: string | undefined;
  /** Path of the log, or `stderr`. */
  errorLog: string;
  /** Path of the log, or `off`. */
  accessLog: string;
  /** Files that each worker may open, at most 65,536; that many where it is a service. */
  openFiles?: number;
  /** Port of Astro's dev server on 127.0.0.1, if pages come from there instead of `dist`. */
  devPort?: number;
}

/**
 * Writes a complete nginx configuration into `folder`, created if missing; start it with `nginx -p folder -c nginx.conf`.
 * nginx reads the site through the link `folder/dist`, so that no character of its path is nginx syntax.
 * Throws StartError if nginx isn't installed.
 */
export function renderNginx(folder: string, configuration: NginxConfiguration): void {
  const values = placeholders(configuration);
  for (const empty of ["temp", "acme"]) mkdirSync(join(folder, empty), { recursive: true });
  for (const file of globSync("**/*.conf", { cwd: join(SOURCE, "conf") })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      fill(`nginx/conf/${file}`, readFileSync(join(SOURCE, "conf", file), "utf8"), values),
    );
  }
  for (const script of ["negotiation.js", "moved.js", "path.js", "query.js"])
    copyFileSync(join(SOURCE, script), join(folder, script));
  const link = join(folder, `dist.${process.pid}`);
  symlinkSync(configuration.dist, link);
  renameSync(link, join(folder, "dist"));
}

function placeholders(configuration: NginxConfiguration): Record<string, string> {
  const { host, port, apiPorts, baseUrl, tls, admin, hstsIncludeSubdomains, trustedProxies, workerUser } =
    configuration;
  const { errorLog, accessLog, devPort } = configuration;
  const writes = admin?.socket !== undefined;
  const openFiles = Math.min(configuration.openFiles ?? OPEN_FILES, OPEN_FILES);
  // Two sockets for both kinds of addresses: from one, IPv4 clients would come as IPv6 addresses of one network.
  const addresses = host === "::" ? ["0.0.0.0", "[::]"] : [isIPv6(host) ? `[${host}]` : host];
  const listen = (tcpPort: number, options = "") =>
    addresses
      .map((address) => `listen ${address}:${tcpPort}${options} backlog=${BACKLOG} default_server;`)
      .join("\n    ");
  const modules = modulesFolder();
  const brotli = join(modules, "ngx_http_brotli_static_module.so");
  const loaded = [join(modules, "ngx_http_js_module.so"), ...(existsSync(brotli) ? [brotli] : [])];
  return {
    user: workerUser ? `user ${workerUser};` : "",
    open_files: String(openFiles),
    // A request to the API takes two.
    connections: String(Math.floor(openFiles / 2)),
    // What stays open in open_file_cache leaves files for connections and for what isn't in it.
    cached_files: String(Math.min(2000, Math.floor(openFiles / 4))),
    modules: loaded.map((path) => `load_module ${path};`).join("\n"),
    brotli: existsSync(brotli) ? "brotli_static on;" : "",
    http_listen: listen(port),
    // tls*.conf: the operator's own tls.conf, which is never written here.
    listen: tls ? "include https.conf;" : `${listen(port)}\n    include tls*.conf;`,
    http_server: tls ? "include http-to-https.conf;\n" : "",
    tls_listen: tls ? listen(tls.port, " ssl http2") : "",
    hsts_subdomains: hstsIncludeSubdomains ? "; includeSubDomains" : "",
    // Never marks an API as down: it answers again as soon as it is back.
    api_servers: apiPorts.map((apiPort) => `server 127.0.0.1:${apiPort} max_fails=0;`).join("\n    "),
    admin_values: admin ? `include admin/values.conf;${writes ? "\n    include admin/content-values.conf;" : ""}` : "",
    admin_content: writes ? "include admin/content.conf;" : "",
    admin_locations: admin ? "include admin/locations.conf;" : "",
    admin_origin: admin?.origin ?? "",
    admin_host: admin ? new URL(admin.origin).host : "",
    admin_socket: admin?.socket ?? "none",
    base_url: baseUrl,
    trusted_proxies: trustedProxies.map((range) => `set_real_ip_from ${range};`).join("\n"),
    error_log: errorLog,
    access_log: accessLog,
    locations: devPort ? "dev/locations.conf" : "locations.conf",
    dev_port: String(devPort ?? "none"),
    // Astro's dev pages have inline scripts and styles.
    private_csp: devPort ? '""' : "$content_security_policy",
  };
}

/** How many files the programs that this process starts may open, whoever runs them. */
export const openFilesHere = (): number =>
  Number(/^Max open files +\d+ +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);

/** The folder of this machine's dynamic nginx modules. Throws StartError if nginx isn't installed. */
function modulesFolder(): string {
  const { error, stderr } = spawnSync("nginx", ["-V"], {
    encoding: "utf8",
    env: { ...process.env, PATH: SERVER_PATH },
  });
  if (error) throw new StartError("nginx isn't installed. Run: apt-get install nginx libnginx-mod-http-js");
  return /--modules-path=(\S+)/.exec(stderr)?.[1] ?? "/usr/lib/nginx/modules";
}

/** File in the written folder that says since when and why the certificate in the settings isn't used. */
export const REFUSED = "refused-certificate";

/**
 * The shell command that signals the nginx in `folder`. In production not as root: nginx's user could write the id of any
 * process into the file.
 */
export function sendSignal(signal: "HUP" | "USR1", folder: string, isProduction: boolean): string {
  const as = isProduction ? `setpriv --reuid=${NGINX_USER} ` : "";
  return `${as}sh -c 'kill -${signal} "$(cat "$1")"' sh ${shellQuote(pidFile(folder))}`;
}

const pidFile = (folder: string) => join(folder, "temp", "nginx.pid");

const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the logrotate rule for the nginx in `folder`, which Debian's rule for /var/log/nginx wouldn't signal.
 * `isProduction` if its own user runs it, in a folder that belongs to root.
 */
export function logRotation(folder: string, logs: readonly string[], isProduction = false): string {
  const files = isProduction ? `su ${NGINX_USER} adm\n\tcreate 0640 ${NGINX_USER} adm` : "nocreate";
  return `${logs.map((log) => `"${log}"`).join(" ")} {
	daily
	rotate 14
	missingok
	notifempty
	compress
	delaycompress
	${files}
	sharedscripts
	postrotate
		test ! -s ${shellQuote(pidFile(folder))} || ${sendSignal("USR1", folder, isProduction)}
	endscript
}
`;
}

/** The shell command that starts the nginx in `folder`, or one with another configuration there. */
export function nginxCommand(folder: string, isProduction: boolean, configuration = "nginx.conf"): string {
  const as = isProduction ? `${AS_NGINX_USER.join(" ")} ` : "";
  return `${as}nginx -p ${shellQuote(folder)} -c ${shellQuote(configuration)}`;
}

const SCRIPT = `#!/bin/sh
set -eu
PATH="$PATH:${SERVER_FOLDERS}"
`;

/** Returns the script that starts the nginx in `folder`; with `-t` it only has nginx check its configuration. */
export const startScript = (folder: string, isProduction = false): string =>
  `${SCRIPT}exec ${nginxCommand(folder, isProduction)} "$@"\n`;

/** The certificate that `reload` takes, and where nginx shows it. */
export interface Reloaded {
  /** Absolute paths, as in the settings. */
  certificate: string;
  key: string;
  /** The shop's host. */
  host: string;
  /** An IP address of nginx, and its TCP port for HTTPS. */
  address: string;
  port: number;
}

/**
 * Returns the script that makes the nginx in `folder` read its configuration and certificate again, unless it would refuse
 * them: certbot's --deploy-hook, lego's --renew-hook.
 */
export function reloadScript(folder: string, tls?: Reloaded, isProduction = false): string {
  if (!tls)
    return `${SCRIPT}${nginxCommand(folder, isProduction)} -e stderr -q -t\n${sendSignal("HUP", folder, isProduction)}\n`;
  const program = [join(SOURCE, "..", "node_modules", ".bin", "node"), join(SOURCE, "reload.ts")];
  const args = [folder, tls.certificate, tls.key, tls.host, tls.address, `${tls.port}`];
  const command = [...program, ...(isProduction ? ["--production"] : []), ...args].map(shellQuote).join(" ");
  return `${SCRIPT}exec ${command} "$@"\n`;
}
