import { existsSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { ORIGIN, PORT, readEnv, SettingsError } from "../api/env.ts";
import { readCidrs } from "../api/webhook/addresses.ts";
import { StartError } from "./programs.ts";

const ROOT = join(import.meta.dirname, "..");

export interface NginxSettings {
  /** Address nginx listens on: an IP address or `localhost`. */
  host: string;
  /** TCP port nginx listens on. */
  port: number;
  /** TCP port of the API on 127.0.0.1; undefined where the starter is to pick a free one. */
  apiPort: number | undefined;
  /** TCP port of the API's metrics on 127.0.0.1, where it is set. nginx leaves it alone, and may not listen there. */
  metricsPort: number | undefined;
  /** Production base address: an origin without trailing slash; undefined where store.yaml decides. */
  baseUrl: string | undefined;
  /** Address ranges (CIDR) of proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
}

type Source = Record<string, string | undefined>;

/** Reads HOST, PORT, API_PORT, METRICS_PORT, BASE_URL and TRUSTED_PROXIES. Throws SettingsError naming everything that is wrong at once. */
export function readNginxSettings(source: Source): NginxSettings {
  const problems: string[] = [];
  const ports = {
    PORT: readPort("PORT", source["PORT"], problems) ?? 8080,
    API_PORT: readPort("API_PORT", source["API_PORT"], problems),
    METRICS_PORT: readPort("METRICS_PORT", source["METRICS_PORT"], problems),
  };
  const host = readHost(source["HOST"], problems);
  const baseUrl = readBaseUrl(source["BASE_URL"], problems);
  const trustedProxies = readTrustedProxies(source["TRUSTED_PROXIES"], problems);
  for (const [one, other] of [
    ["PORT", "API_PORT"],
    ["PORT", "METRICS_PORT"],
    ["API_PORT", "METRICS_PORT"],
  ] as const) {
    if (ports[one] !== undefined && ports[one] === ports[other])
      problems.push(`${one} and ${other} are the same: give each its own.`);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return { host, port: ports.PORT, apiPort: ports.API_PORT, metricsPort: ports.METRICS_PORT, baseUrl, trustedProxies };
}

function readHost(value: string | undefined, problems: string[]): string {
  if (!value || value === "localhost" || isIP(value)) return value || "127.0.0.1";
  problems.push("HOST is not an IP address. Write the address to listen on, such as 127.0.0.1 or 0.0.0.0.");
  return value;
}

function readPort(name: string, value: string | undefined, problems: string[]): number | undefined {
  if (!value) return undefined;
  if (new RegExp(PORT).test(value)) return Number(value);
  problems.push(`${name} is not a port. Write a whole number from 1 to 65535.`);
  return undefined;
}

function readBaseUrl(value: string | undefined, problems: string[]): string | undefined {
  if (!value || new RegExp(ORIGIN).test(value)) return value || undefined;
  problems.push(
    "BASE_URL is not an origin. Write scheme and host without a slash at the end, such as https://shop.example.",
  );
  return undefined;
}

function readTrustedProxies(value: string | undefined, problems: string[]): readonly string[] {
  if (!value) return [];
  const ranges = value.split(",").map((range) => range.trim());
  // With /0 everybody could write the address that limits and logs are to have of him.
  if (readCidrs(value) && !ranges.some((range) => range.endsWith("/0"))) return ranges;
  problems.push(
    "TRUSTED_PROXIES is not usable. Write the address ranges of the proxies in front, separated by commas, such as TRUSTED_PROXIES=10.0.0.0/8,fd00::/8; a single address ends in /32, or in /128 for IPv6.",
  );
  return [];
}

export interface LocalSettings extends NginxSettings {
  baseUrl: string;
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** A server of one's own; undefined where the private MariaDB serves. */
  databaseUrl: string | undefined;
  /** As set; undefined where the token is the one kept in DATA_DIR. */
  token: string | undefined;
  /** Everything that was set, for the API's processes, which read their own. */
  environment: Record<string, string | undefined>;
}

/** The environment, over `.env` at the project's root. An empty value counts as none. */
export function readEnvironment(): Record<string, string | undefined> {
  const file = join(ROOT, ".env");
  if (existsSync(file) && !statSync(file).isFile())
    throw new StartError(".env is not a file. Copy .env.example to .env.");
  const merged = { ...(existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}), ...process.env };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
}

/** Reads all settings of `npm start` and `npm run dev`. Throws SettingsError naming everything that is wrong at once. */
export function readLocalSettings(source: Record<string, string | undefined>): LocalSettings {
  const problems: string[] = [];
  const nginx = collect(problems, () => readNginxSettings(source));
  // The API reads its own; what the starter decides is filled in with something valid.
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
    baseUrl: nginx.baseUrl ?? shopBaseUrl(),
    dataDir: resolve(ROOT, source["DATA_DIR"] ?? ".data"),
    databaseUrl: source["DATABASE_URL"],
    token: source["ERP_PULL_API_TOKEN"],
    environment: source,
  };
}

function collect<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The base address in content/store.yaml. Throws StartError where there is none that can be used. */
export function shopBaseUrl(): string {
  const mend =
    "Write the shop's address there, scheme and host without a slash at the end: base_url: https://shop.example";
  try {
    const store: unknown = parse(readFileSync(join(ROOT, "content", "store.yaml"), "utf8"));
    const found = store && typeof store === "object" && "base_url" in store ? store.base_url : undefined;
    const { baseUrl } = readNginxSettings({ BASE_URL: typeof found === "string" ? found : undefined });
    if (baseUrl) return baseUrl;
  } catch {
    throw new StartError(`content/store.yaml cannot be read, or its base_url is not an origin. ${mend}`);
  }
  throw new StartError(`content/store.yaml has no base_url. ${mend}`);
}
