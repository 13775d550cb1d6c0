import { randomBytes } from "node:crypto";
import { createConnection } from "mysql2/promise";
import { inject } from "vitest";

export interface TestDatabase {
  /** A DATABASE_URL; the database is empty. */
  url: string;
  drop(): Promise<void>;
}

/** Creates an empty database of its own for one test, on the run's private server. */
export async function createDatabase(): Promise<TestDatabase> {
  const socketPath = inject("mariadbSocket");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const connection = await createConnection({ socketPath, user: "root" });
    await connection.query(statement);
    await connection.end();
  };
  await run(`create database ${name}`);
  return {
    url: `mysql://root@localhost/${name}?socketPath=${encodeURIComponent(socketPath)}`,
    drop: () => run(`drop database ${name}`),
  };
}
