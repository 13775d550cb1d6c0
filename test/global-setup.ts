import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type RunningChild, stopChild } from "../nginx/local/child-process.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../nginx/local/private-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Unix socket of the run's private MariaDB; its user root has no password. */
    mariadbSocket: string;
  }
}

/** One private MariaDB for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeDatabaseFolder();
  const server = await startPrivateDatabase(folder);
  project.provide("mariadbSocket", privateDatabaseAddress(folder).socketPath);
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
