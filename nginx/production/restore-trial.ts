// The only proof that a backup can be restored.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../../api/read-arguments.ts";
import { runToEnd, stopChild } from "../local/child-process.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../local/private-database.ts";
import { apiProgram } from "../local/services.ts";
import { StartError } from "../programs.ts";
import { newestBackup, RESTORED } from "./backups.ts";

const USAGE = `Usage: node nginx/production/restore-trial.ts FOLDER

Restores the newest backup in FOLDER into a MariaDB of its own, and notes that there.`;

const { positionals } = readArguments(USAGE, {}, [1]);
const [folder = ""] = positionals;
try {
  await tryRestore(folder);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function tryRestore(folder: string): Promise<void> {
  const name = newestBackup(folder);
  if (!name) throw new StartError(`There is no backup in ${folder}.`);
  const runtime = mkdtempSync(join(tmpdir(), "twinfront-trial-"));
  mkdirSync(join(runtime, "logs"));
  mkdirSync(join(runtime, "data"));
  try {
    const database = await startPrivateDatabase(runtime);
    try {
      const env = { DATABASE_URL: privateDatabaseAddress(runtime).url };
      const run = (command: string, ...args: string[]) =>
        runToEnd(`npm run ${command}`, process.execPath, apiProgram(`commands/${command}.ts`, ...args), { env });
      const { stdout } = await run("restore", join(folder, name));
      await run("migrate");
      console.log(stdout.split("\n")[0]);
    } finally {
      await stopChild(database, "SIGTERM", 30_000);
    }
  } finally {
    rmSync(runtime, { recursive: true });
  }
  writeFileSync(join(folder, RESTORED), `${name}\n`);
}
