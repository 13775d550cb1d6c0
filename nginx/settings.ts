import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { findAdminOrigin, ORIGIN, PORT, readEnv, SettingsError } from "../api/env.ts";
import { readCidrs } from "../api/platform/webhook/addresses.ts";
import { contentRootProblem } from "../site/content-repository/content-root.ts";
import type { CertificateFiles } from "./certificate.ts";
import { StartError } from "./programs.ts";
import type { Admin } from "./render.ts";

const ROOT = join(import.meta.dirname, "..");

/** Where nginx listens unless PORT says otherwise. */
export const DEFAULT_PORT = 8080;
/** The same for TLS_PORT. */
export const DEFAULT_TLS_PORT = 443;

export interface NginxSettings {
  /** Where nginx listens: an IP address or `localhost`. */
  host: string;
  /** TCP port nginx listens on. */
  port: number;
  /** TCP ports of the APIs on 127.0.0.1; empty if not set. */
  apiPorts: readonly number[];
  /** TCP ports of the APIs' metrics on 127.0.0.1; empty if not set. nginx only makes sure that they differ from the others. */
  metricsPorts: readonly number[];
  /** The certificate; undefined if TLS doesn't end in nginx. */
  tls: Tls | undefined;
  /** Whether HSTS applies to every subdomain too. */
  hstsIncludeSubdomains: boolean;
  /** Production origin without trailing slash; undefined if content/store.yaml decides. */
  baseUrl: string | undefined;
  /** Address ranges (CIDR) of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
}

interface Tls extends CertificateFiles {
  /** TCP port for HTTPS. */
  port: number;
}

type Source = Record<string, string | undefined>;

/** Reads nginx's settings. Throws SettingsError with every problem. */
export function readNginxSettings(source: Source): NginxSettings {
  const problems: string[] = [];
  const tls = readTls(source, problems);
  const ports = {
    PORT: readPort("PORT", source["PORT"], problems) ?? DEFAULT_PORT,
    API_PORT: readPorts("API_PORT", source["API_PORT"], problems),
    METRICS_PORT: readPorts("METRICS_PORT", source["METRICS_PORT"], problems),
    TLS_PORT: tls ? [tls.port] : [],
  };
  const host = readHost(source["HOST"], problems);
  const baseUrl = readBaseUrl(source["BASE_URL"], problems);
  const trustedProxies = readTrustedProxies(source["TRUSTED_PROXIES"], problems);
  const hstsIncludeSubdomains = readHstsIncludeSubdomains(source["HSTS_INCLUDE_SUBDOMAINS"], problems);
  const named = Object.entries(ports).flatMap(([name, some]) => [some].flat().map((port) => [name, port] as const));
  for (const [index, [name, port]] of named.entries()) {
    const [earlier] = named.slice(0, index).find(([, other]) => other === port) ?? [];
    if (earlier === name) problems.push(`${name} has the same port twice.`);
    else if (earlier) problems.push(`${earlier} and ${name} are the same. Use a different port for each.`);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return {
    host,
    port: ports.PORT,
    apiPorts: ports.API_PORT,
    metricsPorts: ports.METRICS_PORT,
    tls,
    hstsIncludeSubdomains,
    baseUrl,
    trustedProxies,
  };
}

function readHost(value: string | undefined, problems: string[]): string {
  if (!value || value === "localhost" || isIP(value)) return value || "127.0.0.1";
  problems.push("HOST isn't an IP address. Write the address to listen on, such as 127.0.0.1 or 0.0.0.0.");
  return value;
}

function readPort(name: string, value: string | undefined, problems: string[]): number | undefined {
  if (!value) return undefined;
  if (new RegExp(PORT).test(value)) return Number(value);
  problems.push(`${name} isn't a port. Write a whole number from 1 to 65535.`);
  return undefined;
}

function readPorts(name: string, value: string | undefined, problems: string[]): readonly number[] {
  if (!value) return [];
  const ports = value.split(",").map((port) => port.trim());
  if (ports.every((port) => new RegExp(PORT).test(port))) return ports.map(Number);
  problems.push(`${name} isn't a port, or several separated by commas. Write whole numbers from 1 to 65535.`);
  return [];
}

/** An absolute path without a character that nginx's configuration or a unit of systemd would read as syntax. */
export const PLAIN_PATH = /^\/[\w./@+-]+$/;

function readTls(source: Source, problems: string[]): Tls | undefined {
  const [certificate, key] = [source["TLS_CERTIFICATE"], source["TLS_KEY"]];
  const port = readPort("TLS_PORT", source["TLS_PORT"], problems) ?? DEFAULT_TLS_PORT;
  if (!certificate && !key) return undefined;
  if (certificate && key && PLAIN_PATH.test(certificate) && PLAIN_PATH.test(key)) return { certificate, key, port };
  problems.push(
    "TLS_CERTIFICATE and TLS_KEY aren't two files. Write the absolute paths of the certificate with its chain and of its key, such as /etc/letsencrypt/live/shop.example/fullchain.pem and privkey.pem there, or leave both out.",
  );
  return undefined;
}

function readHstsIncludeSubdomains(value: string | undefined, problems: string[]): boolean {
  if (value && value !== "true" && value !== "false")
    problems.push("HSTS_INCLUDE_SUBDOMAINS isn't true or false. Write true only if every subdomain has TLS.");
  return value === "true";
}

function readBaseUrl(value: string | undefined, problems: string[]): string | undefined {
  if (!value || new RegExp(ORIGIN).test(value)) return value || undefined;
  problems.push(
    "BASE_URL isn't an origin. Write scheme and host without a slash at the end, such as https://shop.example.",
  );
  return undefined;
}

function readTrustedProxies(value: string | undefined, problems: string[]): readonly string[] {
  if (!value) return [];
  const ranges = value.split(",").map((range) => range.trim());
  // With /0 every client could choose the address that limits and logs see.
  if (readCidrs(value) && !ranges.some((range) => range.endsWith("/0"))) return ranges;
  problems.push(
    "TRUSTED_PROXIES isn't a list of address ranges. Write those of the proxies in front, separated by commas, such as TRUSTED_PROXIES=10.0.0.0/8,fd00::/8; a single address ends in /32, or in /128 for IPv6. A range may not end in /0.",
  );
  return [];
}

export interface ShopSettings extends NginxSettings {
  baseUrl: string;
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** The folder that contains content/: CONTENT_ROOT, or this checkout. */
  contentRoot: string;
  /** Absolute path of CONTENT_REPOSITORY; undefined if it isn't set. */
  contentRepository: string | undefined;
  /** DATABASE_URL; undefined if the private MariaDB is used. */
  databaseUrl: string | undefined;
  /** ERP_PULL_API_TOKEN; undefined if it isn't set. */
  token: string | undefined;
  /** The environment and .env, for the API's processes, which read their own settings. */
  environment: Record<string, string | undefined>;
}

export interface LocalSettings extends ShopSettings {
  /** API_PORT, which is one port here; undefined if not set. */
  apiPort: number | undefined;
  /** METRICS_PORT, which is one port too; undefined if not set. */
  metricsPort: number | undefined;
}

/** Returns `.env` of the project's root, overridden by the environment, without empty values. */
export function readEnvironment(): Record<string, string | undefined> {
  const file = join(ROOT, ".env");
  if (existsSync(file) && !statSync(file).isFile())
    throw new StartError(".env isn't a file. Remove it, then copy .env.example to .env.");
  const merged = { ...(existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}), ...process.env };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
}

/** Reads all settings of a shop, the API's included. Throws SettingsError with every problem. */
export function readShopSettings(source: Record<string, string | undefined>): ShopSettings {
  const problems: string[] = [];
  const nginx = collect(problems, () => readNginxSettings(source));
  const rootProblem = contentRootProblem(source["CONTENT_ROOT"]);
  if (rootProblem !== undefined) problems.push(rootProblem);
  // Only to check the API's settings. Those that nginx has checked or that npm start sets get a valid value here.
  collect(problems, () =>
    readEnv({
      ...source,
      API_PORT: "1",
      METRICS_PORT: undefined,
      BASE_URL: "https://shop.example",
      DATABASE_URL: source["DATABASE_URL"] ?? "mysql://root@localhost/twinfront",
    }),
  );
  if (!nginx || problems.length > 0) throw new SettingsError(problems);
  return {
    ...nginx,
    baseUrl: nginx.baseUrl ?? shopBaseUrl(source),
    dataDir: dataDirOf(source),
    contentRoot: contentRootOf(source),
    contentRepository: contentRepositoryOf(source),
    databaseUrl: source["DATABASE_URL"],
    token: source["ERP_PULL_API_TOKEN"],
    environment: source,
  };
}

/** Reads the settings of `npm start` and `npm run dev`, which start one API. Throws SettingsError with every problem. */
export function readLocalSettings(source: Record<string, string | undefined>): LocalSettings {
  const settings = readShopSettings(source);
  const { apiPorts, metricsPorts } = settings;
  const problems = Object.entries({ API_PORT: apiPorts, METRICS_PORT: metricsPorts }).flatMap(([name, ports]) =>
    ports.length > 1
      ? `${name} has ${ports.length} ports, but one API is started here. Write one port, or leave it out.`
      : [],
  );
  if (problems.length > 0) throw new SettingsError(problems);
  return { ...settings, apiPort: apiPorts[0], metricsPort: metricsPorts[0] };
}

/** Reads where /admin is; undefined where passkeys can't be used. Throws SettingsError with every problem. */
export function readAdmin(source: Source, baseUrl: string): Admin | undefined {
  const problems: string[] = [];
  const { ADMIN_ORIGIN, CONTENT_REPOSITORY } = source;
  const origin = findAdminOrigin({ ADMIN_ORIGIN, CONTENT_REPOSITORY, BASE_URL: baseUrl }, problems);
  const socket = CONTENT_REPOSITORY ? source["ADMIN_SOCKET"] || join(dataDirOf(source), "admin.sock") : undefined;
  if (socket !== undefined && !PLAIN_PATH.test(socket))
    problems.push(
      "ADMIN_SOCKET isn't an absolute path of letters, digits and ./@+-_. Write such as ADMIN_SOCKET=/run/twinfront/admin.sock.",
    );
  if (problems.length > 0) throw new SettingsError(problems);
  return origin === undefined ? undefined : { origin, socket };
}

/** The folder that contains content/. */
export const contentRootOf = (source: Source): string => source["CONTENT_ROOT"] || ROOT;

/** The absolute path of DATA_DIR. By default each shop has its own, since a database holds one. */
export const dataDirOf = (source: Source): string =>
  source["DATA_DIR"] ? resolve(ROOT, source["DATA_DIR"]) : join(contentRootOf(source), ".data");

/** The absolute path of CONTENT_REPOSITORY; undefined if it isn't set. */
export const contentRepositoryOf = (source: Record<string, string | undefined>) =>
  source["CONTENT_REPOSITORY"] && resolve(ROOT, source["CONTENT_REPOSITORY"]);

/** The absolute path of RELEASES_DIR. */
export const releasesDirOf = (source: Record<string, string | undefined>) =>
  source["RELEASES_DIR"] ? resolve(ROOT, source["RELEASES_DIR"]) : join(dataDirOf(source), "releases");

/** What `read` returns; undefined if it throws a SettingsError, whose problems are added. */
export function collect<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** Reads base_url from content/store.yaml, of the main branch if there is a repository. Throws StartError unless it is an origin. */
export function shopBaseUrl(source: Source): string {
  const repository = contentRepositoryOf(source);
  const advice =
    "Write the shop's address there, scheme and host without a slash at the end: base_url: https://shop.example";
  try {
    const store: unknown = parse(
      repository
        ? execFileSync("git", ["--git-dir", repository, "show", "main:content/store.yaml"], {
            encoding: "utf8",
            stdio: ["ignore", "pipe", "ignore"],
          })
        : readFileSync(join(contentRootOf(source), "content", "store.yaml"), "utf8"),
    );
    const found = store && typeof store === "object" && "base_url" in store ? store.base_url : undefined;
    const { baseUrl } = readNginxSettings({ BASE_URL: typeof found === "string" ? found : undefined });
    if (baseUrl) return baseUrl;
  } catch {
    throw new StartError(`content/store.yaml can't be read, or its base_url isn't an origin. ${advice}`);
  }
  throw new StartError(`content/store.yaml has no base_url. ${advice}`);
}
