import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type IsolationLevel, Kysely, MysqlDialect } from "kysely";
import { createPool } from "mysql2";
import type { DatabaseAddress } from "./database-address.ts";
import type { Tables } from "./tables.ts";

/** A pool, or a transaction in it: what every function with SQL takes first. */
export type Db = Kysely<Tables>;

/** How long a pool waits before it gives something up. */
interface Patience {
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
const SERVING: Patience = {
  connections: 10,
  silenceMs: 9_000,
  lockSeconds: 4,
  statementSeconds: 8,
  idleSeconds: 60,
};
/** For looks at the database that must come back soon after it does, and find a connection while it is busy. */
export const LOOKING: Patience = { ...SERVING, connections: 2, silenceMs: 2_000, statementSeconds: 2 };
/** For a command that somebody watches, whose one statement may change a whole table. */
export const COMMAND: Patience = {
  ...SERVING,
  connections: 2,
  silenceMs: 3_600_000,
  lockSeconds: 50,
  statementSeconds: 0,
  idleSeconds: 3_600,
};

/** So many wait for a connection; the next one is refused at once. */
const MOST_WAITING = 200;
const POOL_FULL = "POOL_FULL";

// sql_mode: no value is ever cut to fit; and mysql2 escapes with backslashes, which NO_BACKSLASH_ESCAPES on a
// server of one's own would turn into an injection. The comments are read by MariaDB alone and by MySQL alone: only
// MariaDB bounds every statement; MySQL bounds those that read, and silenceMs the others.
const session = ({ lockSeconds, statementSeconds, idleSeconds }: Patience) =>
  `set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
  innodb_lock_wait_timeout = ${lockSeconds}, lock_wait_timeout = ${lockSeconds}, wait_timeout = ${idleSeconds}
  /*M!100100 , max_statement_time = ${statementSeconds} */ /*!80000 , max_execution_time = ${statementSeconds * 1_000} */`;

/** Hears of every statement and connection that fails, by the code of the driver or the server. */
type CountError = (code: string) => void;

interface Options {
  countError?: CountError;
  patience?: Patience;
}

/**
 * Opens a pool; nothing is dialled before the first query, and a lost connection is replaced at the next one.
 * Exact by its options: BIGINT beyond 2^53 and DECIMAL stay strings, DATETIME stays text in UTC. JSON stays text until
 * somebody needs it (json-column.ts).
 */
export function openDatabase(
  address: DatabaseAddress,
  { countError = () => {}, patience = SERVING }: Options = {},
): Db {
  const { socketPath: _, ...rest } = address;
  const pool = createPool({
    ...rest,
    stream: () => dial(address, patience.silenceMs),
    connectionLimit: patience.connections,
    queueLimit: MOST_WAITING,
    connectTimeout: Math.min(3_000, patience.silenceMs),
    timezone: "Z",
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
  });
  // Queued on the connection before anything else can be; a session without it must not serve.
  const setSession = session(patience);
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

/** A COMMIT without an answer: what the transaction did stands, or was undone. */
class InDoubtError extends Error {
  override readonly name = "InDoubtError";
}

/** Whether `error` leaves open what the transaction that threw it did; any other one undid it. */
export const isInDoubt = (error: unknown): boolean => error instanceof InDoubtError;

interface TransactionOptions {
  isolation?: IsolationLevel;
  /** Once it aborts nothing is tried or committed any more, and its reason is thrown. */
  signal?: AbortSignal | undefined;
}

const MOST_TRIES = 20;
/** No try begins later than this, so that the last one can wait for a lock within a request's ten seconds, too. */
const TRYING_MS = 5_000;

/**
 * Runs `work` in the transaction at hand, or in one of its own. One of its own is tried again when another transaction
 * gets in its way, at any statement or at COMMIT, where Galera finds out; so `work` keeps its effects within the
 * database. At hand, that is up to whoever opened it.
 */
export async function inTransaction<T>(
  db: Db,
  work: (transaction: Db) => Promise<T>,
  { isolation, signal }: TransactionOptions = {},
): Promise<T> {
  if (db.isTransaction) return work(db);
  const begun = performance.now();
  for (let tries = 1; ; tries += 1) {
    let committing = false;
    const begin = isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction();
    try {
      return await begin.execute(async (transaction) => {
        signal?.throwIfAborted();
        const result = await work(transaction);
        signal?.throwIfAborted();
        committing = true;
        return result;
      });
    } catch (error) {
      const retry = isRival(error) && tries < MOST_TRIES && performance.now() - begun < TRYING_MS;
      if (!retry && committing && !isRival(error))
        throw new InDoubtError("The database did not say whether it committed.", { cause: error });
      if (!retry) throw error;
    }
    await sleep(pauseBefore(tries));
    signal?.throwIfAborted();
  }
}

/** Full jitter: rivals that met once come back apart. Milliseconds. */
const pauseBefore = (tries: number) => Math.random() * Math.min(500, 10 * 2 ** tries);

/** The server has undone the transaction, or may have, for another one's sake: the same work may succeed now. */
const RIVAL_CODES = new Set(["ER_LOCK_DEADLOCK", "ER_CHECKREAD", "ER_LOCK_WAIT_TIMEOUT"]);

function isRival(error: unknown): boolean {
  const { code = "", sqlState }: { code?: string; sqlState?: string } = Object(error);
  return RIVAL_CODES.has(code) || sqlState === "40001"; // serialization failure, whatever an engine numbers it
}

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
  if (error instanceof InDoubtError) return describeOutage(error.cause) ?? error.message;
  if (!(error instanceof Error)) return undefined;
  const { code = "", errno, fatal = false }: { code?: string; errno?: number; fatal?: boolean } = Object(error);
  if (SCHEMA_CODES.has(code)) return "The database has no schema, or an old one: run `npm run migrate`.";
  if (isRival(error)) return `Other transactions held for too long what this one needs (${code}).`;
  if (SLOW_CODES.has(code) || errno === STATEMENT_TIMEOUT) return `The database is too slow (${code || errno}).`;
  if (ACCESS_CODES.has(code))
    return `The server in DATABASE_URL lets nobody in: check user, password and name (${code}).`;
  return fatal || SERVER_CODES.has(code)
    ? `The database in DATABASE_URL does not answer (${code || "connection lost"}).`
    : undefined;
}
