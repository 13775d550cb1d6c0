import { Kysely, MysqlDialect, type Transaction } from "kysely";
import { createPool } from "mysql2";
import type { DatabaseAddress } from "./database-address.ts";
import type { Tables } from "./tables.ts";

/** A pool, or a transaction in it: what every function with SQL takes first. */
export type Db = Kysely<Tables>;

// sql_mode: no value is ever cut to fit; and mysql2 escapes with backslashes, which NO_BACKSLASH_ESCAPES on a
// server of one's own would turn into an injection.
const SESSION = "set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";

/** Hears of every statement and connection that fails, by the code of the driver or the server. */
export type CountError = (code: string) => void;

/**
 * Opens a pool; nothing is dialled before the first query, and a lost connection is replaced at the next one.
 * Exact by its options: BIGINT beyond 2^53 and DECIMAL stay strings, DATETIME stays text in UTC. JSON stays text until
 * somebody needs it (json-column.ts).
 */
export function openDatabase(address: DatabaseAddress, countError: CountError = () => {}): Db {
  const { socketPath, ...rest } = address;
  const pool = createPool({
    ...rest,
    ...(socketPath === undefined ? {} : { socketPath }),
    connectTimeout: 3_000,
    timezone: "Z",
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
  });
  // Queued on the connection before anything else can be; a session without it must not serve.
  pool.on("connection", (connection) => connection.query(SESSION, (error) => error && connection.destroy()));
  const dialect = new MysqlDialect({
    pool: {
      getConnection: (take) =>
        pool.getConnection((error, connection) => {
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

const codeOf = (error: unknown): string => {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" ? code : "unknown";
};

/** Closes the pool at the end of a process; a database that hangs is not waited for longer than a second. */
export async function closeDatabase(db: Db): Promise<void> {
  await Promise.race([db.destroy(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
}

/** The server has undone the transaction, or may have, for another one's sake: the same work may succeed now. */
const RIVAL_CODES = new Set(["ER_LOCK_DEADLOCK", "ER_CHECKREAD", "ER_LOCK_WAIT_TIMEOUT"]);
const TRIES = 3;

/**
 * Runs `work` in the transaction at hand, or in one of its own. One of its own is tried up to three times when another
 * transaction gets in its way, so `work` keeps its effects within the database; at hand, that is up to whoever opened it.
 */
export async function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute((transaction: Transaction<Tables>) => work(transaction));
    } catch (error) {
      const { code = "" }: { code?: string } = Object(error);
      if (tries === TRIES || !RIVAL_CODES.has(code)) throw error;
    }
  }
}

const SCHEMA_CODES = new Set(["ER_NO_SUCH_TABLE", "ER_BAD_FIELD_ERROR"]);
const SERVER_CODES = new Set([
  "ER_ACCESS_DENIED_ERROR",
  "ER_BAD_DB_ERROR",
  "ER_CON_COUNT_ERROR",
  "ER_CONNECTION_KILLED",
  "ER_DBACCESS_DENIED_ERROR",
  "ER_HOST_IS_BLOCKED",
  "ER_HOST_NOT_PRIVILEGED",
  "ER_NORMAL_SHUTDOWN",
  "ER_SERVER_SHUTDOWN",
  "ER_USER_LIMIT_REACHED",
]);

/**
 * Says in one sentence why the database cannot serve, for the log; undefined when the error is another one.
 * mysql2 marks what ended its connection as `fatal`; what the server refuses has an ER_ code.
 */
export function describeOutage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", fatal = false }: { code?: string; fatal?: boolean } = Object(error);
  if (SCHEMA_CODES.has(code)) return "The database has no schema, or an old one: run the migrations.";
  return fatal || SERVER_CODES.has(code) ? `The database does not answer (${code || "connection lost"}).` : undefined;
}

/** Rejects when the database cannot serve: unreachable, refusing, or without our schema. */
export async function probeDatabase(db: Db): Promise<void> {
  await db.selectFrom("counters").select("name").executeTakeFirst();
}

interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** At boot: says once that the database is away and once that it is there, looking every second until `signal` aborts. */
export async function watchForDatabase(db: Db, log: Log, signal: AbortSignal): Promise<void> {
  let said: string | undefined;
  while (!signal.aborted) {
    try {
      await probeDatabase(db);
      return log.info("The database answers.");
    } catch (error) {
      const outage = describeOutage(error) ?? "The database does not answer.";
      if (outage !== said && !signal.aborted) log.warn(`${outage} Answering 503 until it does.`);
      said = outage;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
  }
}
