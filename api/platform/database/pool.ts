import { connect, type Socket } from "node:net";
import { Kysely, MysqlDialect, type MysqlPoolConnection } from "kysely";
import { createPool, type PoolConnection, type RowDataPacket } from "mysql2";
import type { DatabaseAddress } from "./database-address.ts";
import type { Tables } from "./tables.ts";

/** A pool or a transaction: the first parameter of every function with SQL. */
export type Db = Kysely<Tables>;

/** How long a pool waits for the database. */
interface Timeouts {
  /** The size of the pool; a query waits for a free connection. */
  connections: number;
  /** For a new connection, sign-in included. */
  connectMs: number;
  /** Silence on a connection before it is closed: it's idle, or the server is gone. */
  silenceMs: number;
  /** For a row or table that another transaction has locked. */
  lockSeconds: number;
  /** For a statement; 0 means no limit. */
  statementSeconds: number;
  /** The server's wait_timeout, after which it releases the locks of a frozen process. */
  idleSeconds: number;
}

/** Shorter than the handlerTimeout of 10 s (app.ts); the server times out before we do. */
export const SERVING: Timeouts = {
  connections: 10,
  connectMs: 3_000,
  silenceMs: 9_000,
  lockSeconds: 4,
  statementSeconds: 8,
  idleSeconds: 60,
};
/** For health, status and metrics, which must answer soon and while the main pool is busy. */
export const MONITORING: Timeouts = {
  ...SERVING,
  connections: 2,
  connectMs: 2_000,
  silenceMs: 2_000,
  statementSeconds: 2,
};
/** For commands, which nobody waits for at a browser, and where one statement may change a whole table. */
export const COMMAND: Timeouts = {
  ...SERVING,
  connections: 2,
  connectMs: 30_000,
  silenceMs: 3_600_000,
  lockSeconds: 50,
  statementSeconds: 0,
  idleSeconds: 3_600,
};

/** Queries that may wait for a connection; the next one fails at once. */
const MAX_WAITING = 200;
export const POOL_FULL = "POOL_FULL";

// sql_mode: strict, so that no value is truncated, and without NO_BACKSLASH_ESCAPES, which would defeat mysql2's
// escaping and allow injection. One comment is for MariaDB and one for MySQL, which limits only statements that read;
// silenceMs limits the others.
const session = ({ lockSeconds, statementSeconds, idleSeconds }: Timeouts) =>
  `set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
  innodb_lock_wait_timeout = ${lockSeconds}, lock_wait_timeout = ${lockSeconds}, wait_timeout = ${idleSeconds}
  /*M!100100 , max_statement_time = ${statementSeconds} */ /*!80000 , max_execution_time = ${statementSeconds * 1_000} */`;

/** Called for every failed statement and connection with the driver's or server's error code. */
type CountError = (code: string) => void;

interface Options {
  countError?: CountError;
  timeouts?: Timeouts;
}

/**
 * Opens a pool. It connects at the first query and replaces lost connections. BIGINT beyond 2^53 and DECIMAL are
 * returned as strings, DATETIME as text in UTC, and JSON as text (columns.ts).
 */
export function openDatabase(
  address: DatabaseAddress,
  { countError = () => {}, timeouts = SERVING }: Options = {},
): Db {
  const { socketPath: _, ...rest } = address;
  const pool = createPool({
    ...rest,
    stream: () => dial(address, timeouts.silenceMs),
    connectionLimit: timeouts.connections,
    queueLimit: MAX_WAITING,
    connectTimeout: timeouts.connectMs,
    timezone: "Z",
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
  });
  // Queued before any query; a session without these settings must not be used.
  const setSession = session(timeouts);
  pool.on("connection", (connection) => connection.query(setSession, (error) => error && connection.destroy()));
  const waitForCluster = clusterWaiter();
  const dialect = new MysqlDialect({
    pool: {
      getConnection: (take) =>
        pool.getConnection((error, connection) => {
          if (!error) return waitForCluster(connection, (lost) => take(lost, leavingUnfit(connection)));
          error.code ??= POOL_FULL; // the only error without a code in mysql2
          countError(codeOf(error));
          take(error, connection);
        }),
      end: (done) => pool.end(done),
    },
  });
  return new Kysely<Tables>({
    dialect,
    log: (event) => {
      if (event.level === "error") countError(codeOf(event.error));
    },
  });
}

const IN_CLUSTER = "show session variables where variable_name = 'wsrep_on' and value = 'ON'";

/**
 * On a node of a Galera cluster, lets every read of a new connection wait for what other nodes have committed; otherwise
 * a request could miss what the one before it wrote. Elsewhere the variable is off, or unknown.
 */
function clusterWaiter(): (connection: PoolConnection, then: (error: Error | null) => void) => void {
  const asked = new WeakSet<PoolConnection>();
  return (connection, then) => {
    if (asked.has(connection)) return then(null);
    asked.add(connection);
    const check = (error: Error | null) => error && connection.destroy();
    connection.query<RowDataPacket[]>(IN_CLUSTER, (error, rows) => {
      check(error);
      if (!error && rows.length > 0) connection.query("set wsrep_sync_wait = 1", check); // queued before any query
      then(error);
    });
  };
}

/**
 * The server refuses because of its own state: a Galera node outside of its cluster, or one that lost it at COMMIT; a
 * server that became a replica.
 */
export const UNFIT_CODES = [
  "ER_UNKNOWN_COM_ERROR",
  "ER_ERROR_DURING_COMMIT",
  "ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
  "ER_INNODB_READ_ONLY",
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_READ_ONLY_MODE",
];

/** A connection that is closed instead of going back to the pool once its server is unfit: a new one may find the writer. */
function leavingUnfit(connection: MysqlPoolConnection): MysqlPoolConnection {
  let isUnfit = false;
  return Object.assign<MysqlPoolConnection, Partial<MysqlPoolConnection>>(Object.create(connection), {
    query: (statement, parameters, done) =>
      connection.query(
        statement,
        parameters,
        done && // without it, the rows are streamed
          ((error, result) => {
            isUnfit ||= UNFIT_CODES.includes(codeOf(error));
            done(error, result);
          }),
      ),
    release: () => (isUnfit ? connection.destroy() : connection.release()),
  });
}

/** A socket that closes after `silenceMs`: mysql2 has no timeout for a response that never comes. */
function dial({ host, port, socketPath }: DatabaseAddress, silenceMs: number): Socket {
  const socket =
    socketPath === undefined ? connect({ host, port, noDelay: true, keepAlive: true }) : connect(socketPath);
  return socket.setTimeout(silenceMs, () => {
    socket.destroy(Object.assign(new Error("The database did not answer in time."), { code: "ETIMEDOUT" }));
  });
}

const codeOf = (error: unknown): string => {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" ? code : "unknown";
};

/** Closes the pool at the end of a process, waiting a second at most for a database that hangs. */
export async function closeDatabase(db: Db): Promise<void> {
  await Promise.race([db.destroy().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1_000))]);
}
