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

export interface Tls {
  /** Absolute path of the certificate with its chain, in PEM. */
  certificate: string;
  /** Absolute path of its key. */
  key: string;
  /** TCP port for HTTPS. */
  port: number;
}

/** Where editors write. */
export interface Admin {
  /** The origin of /admin, as browsers write it. */
  origin: string;
  /** Absolute path of the Unix socket of the process behind it. */
  socket: string;
}

export interface NginxConfiguration {
  host: string;
  port: number;
  /** Ports of the APIs on 127.0.0.1, at least one. */
  apiPorts: readonly number[];
  /** Origin without trailing slash, as the build used it. */
  baseUrl: string;
  /** The certificate, if TLS ends in nginx; `port` then only redirects. */
  tls?: Tls | undefined;
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
  for (const script of ["negotiation.js", "moved.js", "query.js"])
    copyFileSync(join(SOURCE, script), join(folder, script));
  const link = join(folder, `dist.${process.pid}`);
  symlinkSync(configuration.dist, link);
  renameSync(link, join(folder, "dist"));
}

function placeholders(configuration: NginxConfiguration): Record<string, string> {
  const { host, port, apiPorts, baseUrl, tls, admin, hstsIncludeSubdomains, trustedProxies, workerUser } =
    configuration;
  const { errorLog, accessLog, devPort } = configuration;
  // Two sockets for both kinds of addresses: from one, IPv4 clients would come as IPv6 addresses of one network.
  const addresses = host === "::" ? ["0.0.0.0", "[::]"] : [isIPv6(host) ? `[${host}]` : host];
  const listen = (tcpPort: number, options = "") =>
    addresses.map((address) => `listen ${address}:${tcpPort}${options} default_server;`).join("\n    ");
  const modules = modulesFolder();
  const brotli = join(modules, "ngx_http_brotli_static_module.so");
  const loaded = [join(modules, "ngx_http_js_module.so"), ...(existsSync(brotli) ? [brotli] : [])];
  return {
    user: workerUser ? `user ${workerUser};` : "",
    modules: loaded.map((path) => `load_module ${path};`).join("\n"),
    brotli: existsSync(brotli) ? "brotli_static on;" : "",
    http_listen: listen(port),
    // tls*.conf: the operator's own tls.conf, which is never written here.
    listen: tls ? "include https.conf;" : `${listen(port)}\n    include tls*.conf;`,
    http_server: tls ? "include http-to-https.conf;\n" : "",
    tls_listen: tls ? listen(tls.port, " ssl http2") : "",
    tls_certificate: tls?.certificate ?? "",
    tls_key: tls?.key ?? "",
    hsts_subdomains: hstsIncludeSubdomains ? "; includeSubDomains" : "",
    // Never marks an API as down: it answers again as soon as it is back.
    api_servers: apiPorts.map((apiPort) => `server 127.0.0.1:${apiPort} max_fails=0;`).join("\n    "),
    admin_values: admin ? "include admin/values.conf;" : "",
    admin_locations: admin ? "include admin/locations.conf;" : "",
    admin_origin: admin?.origin ?? "",
    admin_host: admin ? new URL(admin.origin).host : "",
    admin_socket: admin?.socket ?? "",
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

/** The folder of this machine's dynamic nginx modules. Throws StartError if nginx isn't installed. */
function modulesFolder(): string {
  const { error, stderr } = spawnSync("nginx", ["-V"], {
    encoding: "utf8",
    env: { ...process.env, PATH: SERVER_PATH },
  });
  if (error) throw new StartError("nginx isn't installed. Run: apt-get install nginx libnginx-mod-http-js");
  return /--modules-path=(\S+)/.exec(stderr)?.[1] ?? "/usr/lib/nginx/modules";
}

/** Where nginx's user reads the certificate and its key, which where they are renewed only root can read. */
export const certificateCopies = (folder: string) => ({
  certificate: join(folder, "tls", "certificate.pem"),
  key: join(folder, "tls", "key.pem"),
});

/** An nginx that its own user runs, in a folder that belongs to root. */
interface Production {
  /** The certificate to copy before nginx reads it again. */
  tls?: Tls | undefined;
}

/** Shell lines that copy the certificate and its key to where nginx's user can read them. */
export function copyCertificate(folder: string, tls: Tls): string {
  const copies = certificateCopies(folder);
  const copy = (from: string, to: string) => `install -m 640 -g ${NGINX_USER} ${shellQuote(from)} ${shellQuote(to)}\n`;
  return copy(tls.certificate, copies.certificate) + copy(tls.key, copies.key);
}

/**
 * The shell command that signals the nginx in `folder`. In production not as root: nginx's user could write the id of any
 * process into the file.
 */
function sendSignal(signal: "HUP" | "USR1", folder: string, production: Production | undefined): string {
  const as = production ? `setpriv --reuid=${NGINX_USER} ` : "";
  return `${as}sh -c 'kill -${signal} "$(cat "$1")"' sh ${shellQuote(pidFile(folder))}`;
}

const pidFile = (folder: string) => join(folder, "temp", "nginx.pid");

const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the logrotate rule for the nginx in `folder`, which Debian's rule for /var/log/nginx wouldn't signal. `production`
 * if its own user runs it.
 */
export function logRotation(folder: string, logs: readonly string[], production?: Production): string {
  const files = production ? `su ${NGINX_USER} adm\n\tcreate 0640 ${NGINX_USER} adm` : "nocreate";
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
		test ! -s ${shellQuote(pidFile(folder))} || ${sendSignal("USR1", folder, production)}
	endscript
}
`;
}

/** The shell command that starts the nginx in `folder`. */
function nginxCommand(folder: string, production: Production | undefined): string {
  const as = production ? `${AS_NGINX_USER.join(" ")} ` : "";
  return `${as}nginx -p ${shellQuote(folder)} -c nginx.conf`;
}

const SCRIPT = `#!/bin/sh
set -eu
PATH="$PATH:${SERVER_FOLDERS}"
`;

/** Returns the script that starts the nginx in `folder`; with `-t` it only has nginx check its configuration. */
export const startScript = (folder: string, production?: Production): string =>
  `${SCRIPT}exec ${nginxCommand(folder, production)} "$@"\n`;

/**
 * Returns the script that makes the nginx in `folder` read its configuration and certificate again, unless it would refuse
 * them: certbot's --deploy-hook, lego's --renew-hook. `production` if its own user runs it.
 */
export function reloadScript(folder: string, production?: Production): string {
  const copy = production?.tls ? copyCertificate(folder, production.tls) : "";
  return `${SCRIPT}${copy}${nginxCommand(folder, production)} -e stderr -q -t
${sendSignal("HUP", folder, production)}
`;
}
