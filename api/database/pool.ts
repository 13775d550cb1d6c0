import { connect, type Socket } from "node:net";
import { Kysely, MysqlDialect } from "kysely";
import { createPool } from "mysql2";
import type { DatabaseAddress } from "./database-address.ts";
import type { Tables } from "./tables.ts";

/** A pool, or a transaction in it: what every function with SQL takes first. */
export type Db = Kysely<Tables>;

/** How long a pool waits before it gives something up. */
interface Timeouts {
  /** Connections at most; whoever finds none free waits for one. */
  connections: number;
  /** For a sign of life on a connection: beyond it the connection is idle, or its other end is gone. */
  silenceMs: number;
  /** For a row or a table that another transaction holds. */
  lockSeconds: number;
  /** For a statement; 0: as long as it takes. */
  statementSeconds: number;
  /** The server's own, for a client that does nothing: what a process that froze holds is free again after it. */
  idleSeconds: number;
}

/** Shorter than the ten seconds that a request may take (app.ts), and the server gives up before we do. */
const SERVING: Timeouts = {
  connections: 10,
  silenceMs: 9_000,
  lockSeconds: 4,
  statementSeconds: 8,
  idleSeconds: 60,
};
/** For looks at the database that must come back soon after it does, and find a connection while it is busy. */
export const MONITORING: Timeouts = { ...SERVING, connections: 2, silenceMs: 2_000, statementSeconds: 2 };
/** For a command that somebody watches, whose one statement may change a whole table. */
export const COMMAND: Timeouts = {
  ...SERVING,
  connections: 2,
  silenceMs: 3_600_000,
  lockSeconds: 50,
  statementSeconds: 0,
  idleSeconds: 3_600,
};

/** So many wait for a connection; the next one is refused at once. */
const MAX_WAITING = 200;
export const POOL_FULL = "POOL_FULL";

// sql_mode: no value is ever cut to fit; and mysql2 escapes with backslashes, which NO_BACKSLASH_ESCAPES on a
// server of one's own would turn into an injection. The comments are read by MariaDB alone and by MySQL alone: only
// MariaDB bounds every statement; MySQL bounds those that read, and silenceMs the others.
const session = ({ lockSeconds, statementSeconds, idleSeconds }: Timeouts) =>
  `set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
  innodb_lock_wait_timeout = ${lockSeconds}, lock_wait_timeout = ${lockSeconds}, wait_timeout = ${idleSeconds}
  /*M!100100 , max_statement_time = ${statementSeconds} */ /*!80000 , max_execution_time = ${statementSeconds * 1_000} */`;

/** Hears of every statement and connection that fails, by the code of the driver or the server. */
type CountError = (code: string) => void;

interface Options {
  countError?: CountError;
  timeouts?: Timeouts;
}

/**
 * Opens a pool; nothing is dialled before the first query, and a lost connection is replaced at the next one.
 * Exact by its options: BIGINT beyond 2^53 and DECIMAL stay strings, DATETIME stays text in UTC. JSON stays text until
 * somebody needs it (json-column.ts).
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
    connectTimeout: Math.min(3_000, timeouts.silenceMs),
    timezone: "Z",
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
  });
  // Queued on the connection before anything else can be; a session without it must not serve.
  const setSession = session(timeouts);
  pool.on("connection", (connection) => connection.query(setSession, (error) => error && connection.destroy()));
  const dialect = new MysqlDialect({
    pool: {
      getConnection: (take) =>
        pool.getConnection((error, connection) => {
          if (error) error.code ??= POOL_FULL; // the only one that mysql2 gives no code
          if (error) countError(codeOf(error));
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

/** A socket that is given up after so much silence: mysql2 has no bound of its own for an answer that never comes. */
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

/** Closes the pool at the end of a process, whatever the database says; one that hangs is waited for a second at most. */
export async function closeDatabase(db: Db): Promise<void> {
  await Promise.race([db.destroy().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1_000))]);
}
