import type { TestProject } from "vitest/node";
import { providePrivateServer } from "./global-setup.ts";
import { findMysql, startMysql } from "./mysql-server.ts";

/** Starts one private MySQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await findMysql();
  if (root === undefined) throw new Error("There is no MySQL to run these tests on.");
  return providePrivateServer(project, "MySQL", (folder) => startMysql(root, folder));
}
