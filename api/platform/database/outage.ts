import { POOL_FULL, UNFIT_CODES } from "./pool.ts";
import { isConflict, UnknownOutcomeError } from "./transaction.ts";

/** The code of our own error: migrations haven't run. */
export const OLD_SCHEMA = "OLD_SCHEMA";
const SCHEMA_CODES = new Set(["ER_NO_SUCH_TABLE", "ER_BAD_FIELD_ERROR", OLD_SCHEMA]);
const SLOW_CODES = new Set(["ER_QUERY_TIMEOUT", POOL_FULL]);
/** MariaDB's ER_STATEMENT_TIMEOUT, which mysql2 doesn't name. */
const STATEMENT_TIMEOUT = 1969;
const ACCESS_CODES = new Set([
  "ER_ACCESS_DENIED_ERROR",
  "ER_BAD_DB_ERROR",
  "ER_DBACCESS_DENIED_ERROR",
  "ER_TABLEACCESS_DENIED_ERROR",
]);
const SERVER_CODES = new Set([
  "ER_CON_COUNT_ERROR",
  "ER_CONNECTION_KILLED",
  "ER_HOST_IS_BLOCKED",
  "ER_HOST_NOT_PRIVILEGED",
  "ER_NORMAL_SHUTDOWN",
  "ER_SERVER_SHUTDOWN",
  "ER_USER_LIMIT_REACHED",
  ...UNFIT_CODES,
]);

/**
 * Says in one sentence why the database is unavailable, for the log and for commands; undefined for any other error.
 * mysql2 marks errors that ended the connection as `fatal`; errors of the server have an ER_ code.
 */
export function describeOutage(error: unknown): string | undefined {
  if (error instanceof UnknownOutcomeError) return describeOutage(error.cause) ?? error.message;
  if (!(error instanceof Error)) return undefined;
  const { code = "", errno, fatal = false }: { code?: string; errno?: number; fatal?: boolean } = Object(error);
  if (SCHEMA_CODES.has(code)) return "The database's tables are missing or out of date: run `npm run migrate`.";
  if (isConflict(error)) return `Other transactions held a lock for too long (${code}).`;
  if (SLOW_CODES.has(code) || errno === STATEMENT_TIMEOUT) return `The database is too slow (${code || errno}).`;
  if (ACCESS_CODES.has(code))
    return `The server in DATABASE_URL denied access: check user, password and database name (${code}).`;
  if (code === "HANDSHAKE_NO_SSL_SUPPORT")
    return "The server in DATABASE_URL doesn't offer TLS, which ssl-mode requires.";
  if (code === "HANDSHAKE_SSL_ERROR")
    return `The server in DATABASE_URL has no certificate that ssl-mode accepts: ${error.message.split(":")[0]}.`;
  return fatal || SERVER_CODES.has(code)
    ? `The database in DATABASE_URL doesn't respond (${code || "connection lost"}).`
    : undefined;
}
