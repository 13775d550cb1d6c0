export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Path of a Unix socket, used instead of host and port. */
  socketPath: string | undefined;
}

/**
 * Parses `DATABASE_URL`; undefined when it's invalid. Strict, so that a mistyped part doesn't quietly become a default.
 * `?socketPath=` is the only parameter.
 */
export function parseDatabaseUrl(value: string | undefined): DatabaseAddress | undefined {
  try {
    const url = new URL(value ?? "");
    const database = decodeURIComponent(url.pathname.slice(1));
    const unknown = [...url.searchParams.keys()].filter((key) => key !== "socketPath");
    if (url.protocol !== "mysql:" || !/^[\w$-]{1,64}$/.test(database) || !url.username || !url.hostname)
      return undefined;
    if (unknown.length > 0 || url.hash) return undefined;
    return {
      host: url.hostname,
      port: Number(url.port || 3306),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database,
      socketPath: url.searchParams.get("socketPath") ?? undefined,
    };
  } catch {
    return undefined;
  }
}
