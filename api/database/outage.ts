import { POOL_FULL } from "./pool.ts";
import { isConflict, UnknownOutcomeError } from "./transaction.ts";

/** Of an error of ours: migrations have not run. */
export const OLD_SCHEMA = "OLD_SCHEMA";
const SCHEMA_CODES = new Set(["ER_NO_SUCH_TABLE", "ER_BAD_FIELD_ERROR", OLD_SCHEMA]);
const SLOW_CODES = new Set(["ER_QUERY_TIMEOUT", POOL_FULL]);
/** MariaDB's ER_STATEMENT_TIMEOUT, which mysql2 has no name for. */
const STATEMENT_TIMEOUT = 1969;
const ACCESS_CODES = new Set(["ER_ACCESS_DENIED_ERROR", "ER_BAD_DB_ERROR", "ER_DBACCESS_DENIED_ERROR"]);
const SERVER_CODES = new Set([
  "ER_CON_COUNT_ERROR",
  "ER_CONNECTION_KILLED",
  "ER_HOST_IS_BLOCKED",
  "ER_HOST_NOT_PRIVILEGED",
  "ER_NORMAL_SHUTDOWN",
  "ER_SERVER_SHUTDOWN",
  "ER_USER_LIMIT_REACHED",
  // A node of Galera without its cluster, and a server that became a replica.
  "ER_ERROR_DURING_COMMIT",
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_READ_ONLY_MODE",
  "ER_UNKNOWN_COM_ERROR",
]);

/**
 * Says in one sentence why the database cannot serve, for the log and for commands; undefined when the error is another
 * one. mysql2 marks what ended its connection as `fatal`; what the server refuses has an ER_ code.
 */
export function describeOutage(error: unknown): string | undefined {
  if (error instanceof UnknownOutcomeError) return describeOutage(error.cause) ?? error.message;
  if (!(error instanceof Error)) return undefined;
  const { code = "", errno, fatal = false }: { code?: string; errno?: number; fatal?: boolean } = Object(error);
  if (SCHEMA_CODES.has(code)) return "The database has no schema, or an old one: run `npm run migrate`.";
  if (isConflict(error)) return `Other transactions held for too long what this one needs (${code}).`;
  if (SLOW_CODES.has(code) || errno === STATEMENT_TIMEOUT) return `The database is too slow (${code || errno}).`;
  if (ACCESS_CODES.has(code))
    return `The server in DATABASE_URL lets nobody in: check user, password and name (${code}).`;
  return fatal || SERVER_CODES.has(code)
    ? `The database in DATABASE_URL does not answer (${code || "connection lost"}).`
    : undefined;
}
