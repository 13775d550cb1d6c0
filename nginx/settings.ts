import { isIPv4, isIPv6 } from "node:net";
import { SettingsError } from "../api/env.ts";
import { readCidrs } from "../api/webhook/addresses.ts";

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
  if (!value) return "127.0.0.1";
  if (value === "localhost" || isIPv4(value) || isIPv6(value)) return value;
  problems.push("HOST is not an IP address. Write the address to listen on, such as 127.0.0.1 or 0.0.0.0.");
  return value;
}

function readPort(name: string, value: string | undefined, problems: string[]): number | undefined {
  if (!value) return undefined;
  const port = /^[0-9]{1,5}$/.test(value) ? Number(value) : 0;
  if (port >= 1 && port <= 65535) return port;
  problems.push(`${name} is not a port. Write a whole number from 1 to 65535.`);
  return undefined;
}

function readBaseUrl(value: string | undefined, problems: string[]): string | undefined {
  if (!value) return undefined;
  // Letters, digits, dots, dashes, a port: nothing that a configuration file or a header could read as its own syntax.
  if (/^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?$/.test(value)) return value;
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
