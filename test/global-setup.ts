import { existsSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { parseDatabaseUrl } from "../api/platform/database/database-address.ts";
import { type RunningChild, stopChild } from "../nginx/local/child-process.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../nginx/local/private-database.ts";
import { describeSchema } from "./schema.ts";
import { makeFolder, SHARED_MEMORY } from "./temporary-folder.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** mysql://user:password@host:port/ of the run's server; the user may create and drop databases. */
    databaseServer: string;
    /** What startDatabase() starts. */
    privateServer: "MariaDB" | "MySQL";
    /** Statements that make what all migrations make, in an empty database. */
    schema: string;
  }
}

/**
 * Half of what making and dropping a test's tables takes is a file for each, and rows about how its values are spread.
 * Those are still estimated when a table is opened.
 */
const QUICK_TABLES = ["--innodb-file-per-table=0", "--innodb-stats-persistent=0"];

/** Starts one private MariaDB for the whole run, or uses the server in TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) {
    if (!parseDatabaseUrl(given))
      throw new Error("TEST_DATABASE_URL isn't a database address. Write it as mysql://user:password@host:3306/mysql.");
    return provideServer(project, given, "MariaDB");
  }
  return providePrivateServer(project, "MariaDB", (folder) => startPrivateDatabase(folder, QUICK_TABLES));
}

/** Gives the tests of a project a server in a folder of its own. Returns what removes it. */
export async function providePrivateServer(
  project: TestProject,
  kind: "MariaDB" | "MySQL",
  start: (folder: string) => Promise<RunningChild>,
): Promise<() => Promise<void>> {
  const folder = makeDatabaseFolder();
  const server = await start(folder);
  await provideServer(project, privateDatabaseAddress(folder).url, kind);
  return async () => {
    await stopDatabase(server);
    rmSync(folder, { recursive: true });
  };
}

/** Returns what to do at the end of the run, unless the server goes then. */
async function provideServer(
  project: TestProject,
  url: string,
  kind: "MariaDB" | "MySQL",
): Promise<() => Promise<void>> {
  project.provide("databaseServer", url);
  project.provide("privateServer", kind);
  const { schema, dropTemplate } = await describeSchema(url);
  project.provide("schema", schema);
  return dropTemplate;
}

const hasMemory = () => {
  const { bavail, bsize } = statfsSync(SHARED_MEMORY, { bigint: true });
  return bavail * bsize > 2n ** 31n;
};

/**
 * Creates a folder for startPrivateDatabase(), where there is room for it in memory: a test makes and drops dozens of tables,
 * each a file. The caller removes it.
 */
export function makeDatabaseFolder(): string {
  const folder = makeFolder("twinfront-test-", existsSync(SHARED_MEMORY) && hasMemory() ? SHARED_MEMORY : undefined);
  for (const name of ["data", "logs"]) mkdirSync(join(folder, name));
  return folder;
}

/** Ends a server started by startPrivateDatabase() or startMysql(), even one paused by SIGSTOP; resolves when it has ended. */
export const stopDatabase = (server: RunningChild) => stopChild(server, "SIGTERM", 10_000);
