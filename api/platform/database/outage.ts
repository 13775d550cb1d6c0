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
/**
 * The server can't write to its disk: no space or quota left for tables, undo, temporary tables or the binary log, or a
 * disk that fails.
 */
const DISK_CODES = new Set([
  "EE_CANTCREATEFILE",
  "EE_WRITE",
  "EE_DISK_FULL",
  "EE_DISK_FULL_WITH_RETRY_MSG",
  "ER_BINLOG_LOGGING_IMPOSSIBLE",
  "ER_BINLOG_ROW_LOGGING_FAILED",
  "ER_CANT_CREATE_FILE",
  "ER_DISK_FULL",
  "ER_DISK_FULL_NOWAIT",
  "ER_ERROR_ON_WRITE",
  "ER_INNODB_UNDO_LOG_FULL",
  "ER_IO_WRITE_ERROR",
  "ER_RECORD_FILE_FULL",
  "ER_TEMP_FILE_WRITE_FAILURE",
]);
/** It lacks memory, threads, open files or room for locks. */
const RESOURCE_CODES = new Set([
  "EE_OUTOFMEMORY",
  "EE_OUT_OF_FILERESOURCES",
  "ER_CANT_CREATE_THREAD",
  "ER_ENGINE_OUT_OF_MEMORY",
  "ER_LOCK_TABLE_FULL",
  "ER_MDL_OUT_OF_RESOURCES",
  "ER_OUTOFMEMORY",
  "ER_OUT_OF_RESOURCES",
  "ER_TOO_MANY_CONCURRENT_TRXS",
]);
/**
 * It can't use a file, for the reason whose number is in its text: "Got error 28", "(errno: 24". Besides a full disk (ENOSPC) and
 * too many open files (ENOMEM, ENFILE, EMFILE), a damaged or missing one.
 */
const FILE_CODES = new Set(["ER_CANT_OPEN_FILE", "ER_GET_ERRNO"]);
const [ENOSPC, EXHAUSTED] = [28, new Set([12, 23, 24])];
/** It takes no writes, from anybody. */
const READ_ONLY_CODES = new Set([
  "ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
  "ER_INNODB_READ_ONLY",
  "ER_OPEN_AS_READONLY",
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_READ_ONLY_MODE",
  "ER_SCHEMA_READ_ONLY",
]);
const SERVER_CODES = new Set([
  "ER_CON_COUNT_ERROR",
  "ER_CONNECTION_KILLED",
  "ER_HOST_IS_BLOCKED",
  "ER_HOST_NOT_PRIVILEGED",
  "ER_NORMAL_SHUTDOWN",
  "ER_QUERY_INTERRUPTED",
  "ER_SERVER_ISNT_AVAILABLE",
  "ER_SERVER_OFFLINE_MODE",
  "ER_SERVER_SHUTDOWN",
  "ER_SESSION_WAS_KILLED",
  "ER_TOO_MANY_USER_CONNECTIONS",
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
  const reason = FILE_CODES.has(code) ? Number(/\berr(?:or|no):? (\d+)/.exec(error.message)?.[1]) : undefined;
  if (DISK_CODES.has(code) || reason === ENOSPC)
    return `The database can't write: free space on the disk of its server (${code}).`;
  if (RESOURCE_CODES.has(code) || (reason && EXHAUSTED.has(reason)))
    return `The database's server lacks memory, threads or open files (${code}).`;
  if (reason !== undefined) return `The database's server can't use one of its files: its own log says why (${code}).`;
  if (READ_ONLY_CODES.has(code)) return `The database is read-only (${code}).`;
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
