import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { parseDatabaseUrl } from "../api/database/database-address.ts";
import { type RunningChild, stopChild } from "../nginx/local/child-process.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../nginx/local/private-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** mysql://user:password@host:port/ of the run's server, where this user may create and drop databases. */
    databaseServer: string;
  }
}

/** One private MariaDB for the whole run, or the server that TEST_DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) {
    if (!parseDatabaseUrl(given))
      throw new Error("TEST_DATABASE_URL is not usable. Write mysql://user:password@host:3306/mysql.");
    project.provide("databaseServer", given);
    return async () => {};
  }
  const folder = makeDatabaseFolder();
  const server = await startPrivateDatabase(folder);
  project.provide("databaseServer", privateDatabaseAddress(folder).url);
  return async () => {
    await stopDatabase(server);
    rmSync(folder, { recursive: true });
  };
}

/** A folder as the starter's runtime folder is, for a server of one's own. The caller removes it. */
export function makeDatabaseFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-test-"));
  for (const name of ["data", "logs"]) mkdirSync(join(folder, name));
  return folder;
}

/** Ends a server that startPrivateDatabase started, stopped ones too; resolves when it is gone. */
export const stopDatabase = (server: RunningChild) => stopChild(server, "SIGTERM", 10_000);
