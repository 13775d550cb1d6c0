import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fill } from "../fill.ts";
import { HEAP_OPTIONS, MALLOC_OPTIONS } from "../local/services.ts";
import { logRotation, NGINX_LOGS, NGINX_USER } from "../render.ts";
import { BACKUPS } from "./backups.ts";

/** A file of the host that we write whole. */
export interface HostFile {
  path: string;
  content: string;
  mode: number;
}

/** Where nginx's configuration is written on a host. */
export const NGINX_FOLDER = "/var/lib/twinfront/nginx";

const UNITS = join(import.meta.dirname, "units");
/** The rules that limit the connections of each address. */
const CONNECTIONS = "connections.nft";
const SYSTEMD = "/etc/systemd/system";
/** What an API has beside its template. */
const METRICS = "metrics.conf";
/** Units of no use without CONTENT_REPOSITORY. */
const FOR_EDITORS = /^twinfront-(?:admin|publish)\./;

interface Host {
  /** Folder of the checkout. */
  root: string;
  /** The folder that contains content/. */
  contentRoot: string;
  /** Ports of nginx, also the one that it will have with TLS. */
  nginxPorts: readonly number[];
  /** Address ranges (CIDR) of TRUSTED_PROXIES. */
  trustedProxies: readonly string[];
  apiPorts: readonly number[];
  /** As many as `apiPorts`, or none. */
  metricsPorts: readonly number[];
  /** RELEASES_DIR. */
  releasesDir: string;
  /** Where editors write; none without CONTENT_REPOSITORY. */
  editing?: Editing | undefined;
}

interface Editing {
  /** Absolute path of CONTENT_REPOSITORY. */
  repository: string;
  /** Absolute path of ADMIN_SOCKET. */
  socket: string;
  /** Origin without trailing slash, as builds use it. */
  baseUrl: string;
}

/** The user that makes releases. */
export const SITE_USER = "twinfront-site";
/** What a build writes to in a checkout. */
export const buildFolders = (root: string): string[] =>
  [".astro", ".builds", ".cache"].map((name) => join(root, "site", name));

/** Templates as such: `twinfront-api@.service`. */
const namesOfUnits = (): string[] => globSync("*.{service,socket,timer,path}", { cwd: UNITS });

/** Returns the systemd units for a host, the rule for its logs, and those for its connections. */
export function hostFiles(host: Host): HostFile[] {
  const { root, contentRoot, apiPorts, metricsPorts, releasesDir, editing } = host;
  const connections = { path: `/etc/twinfront/${CONNECTIONS}`, content: connectionRules(host) };
  const values = {
    root,
    content_root: contentRoot,
    heap_options: HEAP_OPTIONS.join(" "),
    malloc_options: inEnvironment(MALLOC_OPTIONS),
    node: join(root, "node_modules/.bin/node"),
    nginx_folder: NGINX_FOLDER,
    nginx_user: NGINX_USER,
    site_user: SITE_USER,
    backups: BACKUPS,
    connections: connections.path,
    releases: releasesDir,
    builds: buildFolders(root).join(" "),
    content: editing?.repository ?? "", // one of the paths that twinfront-site.service may write to
    admin_socket: editing?.socket,
    base_url: editing?.baseUrl,
    hardening: readFileSync(join(UNITS, "hardening.conf"), "utf8").trim(),
  };
  const units = namesOfUnits()
    .filter((name) => editing || !FOR_EDITORS.test(name))
    .map((name) => ({
      path: join(SYSTEMD, name),
      content: fill(`nginx/production/units/${name}`, readFileSync(join(UNITS, name), "utf8"), values),
    }));
  const metrics = metricsPorts.map((port, index) => ({
    path: join(SYSTEMD, `twinfront-api@${apiPorts[index]}.service.d`, METRICS),
    content: `# Each API needs its own; METRICS_PORT in the settings lists them.\n[Service]\nEnvironment=METRICS_PORT=${port}\n`,
  }));
  const rotation = {
    path: "/etc/logrotate.d/twinfront",
    content: logRotation(NGINX_FOLDER, Object.values(NGINX_LOGS), true),
  };
  return [...units, ...metrics, rotation, connections].map((file) => ({ ...file, mode: 0o644 }));
}

function connectionRules({ nginxPorts, trustedProxies }: Host): string {
  const [exempt4, exempt6] = [["127.0.0.0/8"], ["::1/128"]];
  for (const range of trustedProxies) (range.includes(":") ? exempt6 : exempt4).push(range);
  return fill(`nginx/production/${CONNECTIONS}`, readFileSync(join(import.meta.dirname, CONNECTIONS), "utf8"), {
    exempt4: exempt4.join(", "),
    exempt6: exempt6.join(", "),
    ports: nginxPorts.join(", "),
  });
}

/** The units to start, and to start at boot. */
export function unitNames(
  apiPorts: readonly number[],
  { needsWorker, hasEditors }: { needsWorker: boolean; hasEditors: boolean },
): string[] {
  const apis = apiPorts.flatMap((port) => [`twinfront-api@${port}.socket`, `twinfront-api@${port}.service`]);
  const worker = needsWorker ? ["twinfront-worker.service"] : [];
  const editing = hasEditors ? ["twinfront-admin.socket", "twinfront-admin.service", "twinfront-publish.path"] : [];
  const timers = ["site", "backup", "restore-trial", "doctor"].map((name) => `twinfront-${name}.timer`);
  const always = ["nginx", "connections", "refresh"].map((name) => `twinfront-${name}.service`);
  return [...apis, ...worker, ...always, ...editing, ...timers];
}

/** What systemd starts at boot, ours and others' of that name. */
export const enabledUnits = (): string[] =>
  globSync("*.wants/twinfront-*", { cwd: SYSTEMD }).map((link) => basename(link));

/** What an earlier installation left that the settings don't want any more. */
export interface Leftovers {
  /** Units that are started at boot. */
  enabled: string[];
  /** Paths. Those of units are among them once no unit is left to disable, which needs its file. */
  files: string[];
}

export function findLeftovers(host: Host): Leftovers {
  const ours = namesOfUnits();
  const units = unitNames(host.apiPorts, { needsWorker: true, hasEditors: host.editing !== undefined });
  const enabled = enabledUnits().filter((name) => ours.includes(name.replace(/@\w+/, "@")) && !units.includes(name));
  const dropIns = globSync(`twinfront-api@*.service.d/${METRICS}`, { cwd: SYSTEMD });
  const wanted = hostFiles(host).map(({ path }) => path);
  const files = [...(enabled.length > 0 ? [] : ours), ...dropIns].map((name) => join(SYSTEMD, name));
  return { enabled: enabled.sort(), files: files.filter((path) => existsSync(path) && !wanted.includes(path)).sort() };
}

/** What is wrong with a file: "missing", "differs", "has mode 644"; undefined if it is as it should be. */
export function differenceOf({ path, content, mode }: HostFile): string | undefined {
  if (!existsSync(path)) return "missing";
  if (readFileSync(path, "utf8") !== content) return "differs";
  const found = statSync(path).mode & 0o777;
  return found === mode ? undefined : `has mode ${found.toString(8)}`;
}

/** Writes a file atomically, and its folder if that is missing. */
export function writeHostFile({ path, content, mode }: HostFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const next = `${path}.new`;
  writeFileSync(next, content, { mode: 0o600 });
  chmodSync(next, mode);
  renameSync(next, path);
}

const inEnvironment = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
