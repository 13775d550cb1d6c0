import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { isAbsolute } from "node:path";

export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Path of a Unix socket, used instead of host and port. */
  socketPath: string | undefined;
  /** For mysql2; without it, connections aren't encrypted. */
  ssl?: TlsOptions;
}

interface TlsOptions {
  rejectUnauthorized: boolean;
  /** Whether the certificate must also name the host. */
  verifyIdentity: boolean;
  minVersion: "TLSv1.2";
  /** PEM of the accepted authorities; without it, those that Node knows. */
  ca?: string;
}

/** As in MySQL's own clients. "preferred" is missing: it would go on in plain text when someone suppresses TLS. */
const TLS_MODES: Readonly<Record<string, TlsOptions>> = {
  required: { rejectUnauthorized: false, verifyIdentity: false, minVersion: "TLSv1.2" },
  "verify-ca": { rejectUnauthorized: true, verifyIdentity: false, minVersion: "TLSv1.2" },
  "verify-identity": { rejectUnauthorized: true, verifyIdentity: true, minVersion: "TLSv1.2" },
};

const PARAMETERS = ["socketPath", "ssl-mode", "ssl-ca"];

/**
 * Parses `DATABASE_URL` and reads the file of its `ssl-ca`; undefined when anything is invalid. Strict, so that a
 * mistyped part doesn't quietly become a default.
 */
export function parseDatabaseUrl(value: string | undefined): DatabaseAddress | undefined {
  try {
    const url = new URL(value ?? "");
    const database = decodeURIComponent(url.pathname.slice(1));
    const parameters = Object.fromEntries(url.searchParams);
    if (url.protocol !== "mysql:" || !/^[\w$-]{1,64}$/.test(database) || !url.username || !url.hostname)
      return undefined;
    if (Object.entries(parameters).some(([name, text]) => !PARAMETERS.includes(name) || text === "")) return undefined;
    if (url.searchParams.size > Object.keys(parameters).length || url.hash) return undefined;
    const { socketPath, "ssl-mode": mode, "ssl-ca": caFile } = parameters;
    if (socketPath !== undefined && mode !== undefined) return undefined;
    const ssl = readTls(url.hostname, mode, caFile);
    return {
      host: url.hostname,
      port: Number(url.port || 3306),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database,
      socketPath,
      ...(ssl ? { ssl } : {}),
    };
  } catch {
    return undefined;
  }
}

/** Throws for an unknown mode, and for what the mode would quietly ignore. */
function readTls(host: string, mode: string | undefined, caFile: string | undefined): TlsOptions | undefined {
  if (mode === undefined && caFile === undefined) return undefined;
  const options = Object.hasOwn(TLS_MODES, mode ?? "") ? TLS_MODES[mode ?? ""] : undefined;
  if (!options) throw new RangeError("Unknown ssl-mode.");
  // mysql2 would compare the certificate with "localhost" instead of an address.
  if (options.verifyIdentity && isIP(host.replace(/^\[|\]$/g, "")) > 0) throw new RangeError("Needs a host name.");
  if (caFile === undefined) return options;
  if (!options.rejectUnauthorized || !isAbsolute(caFile)) throw new RangeError("Unusable ssl-ca.");
  const ca = readFileSync(caFile, "utf8");
  new X509Certificate(ca); // throws unless the file begins with a certificate
  return { ...options, ca };
}
