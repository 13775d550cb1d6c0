import type { ApiEnvironment } from "./api-environment.ts";
import { runToEnd } from "./child-process.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "./private-database.ts";
import { step } from "./report.ts";
import { apiProgram } from "./services.ts";
import type { Session } from "./session.ts";

/** Opens the private database, or none where DATABASE_URL names a server of one's own. Returns the URL to use. */
export async function openDatabase({ settings, folder, supervisor }: Session): Promise<string> {
  if (settings.databaseUrl) return settings.databaseUrl;
  return step("database", async () => {
    await supervisor.add({
      start: () => startPrivateDatabase(folder.runtime),
      stopSignal: "SIGTERM",
      // Killed it loses nothing either; it only takes longer to start again.
      stopTimeoutMs: 1_500,
    });
    return { said: "private MariaDB", value: privateDatabaseAddress(folder.runtime).url };
  });
}

/** Brings tables, catalogue and, in the private database alone, demo orders to where they should be. */
export async function fillDatabase(
  { settings, folder }: Session,
  env: ApiEnvironment,
  catalogue: string[] = [],
): Promise<void> {
  await step("tables", () => runProgram("Migrating the database", env, "commands/migrate.ts"));
  await step("catalogue", () => runProgram("Importing the catalogue", env, "commands/import.ts", ...catalogue));
  if (settings.databaseUrl) return;
  const { socketPath } = privateDatabaseAddress(folder.runtime);
  await step("orders", () =>
    runProgram("Adding demo orders", env, "commands/demo-orders.ts", `--socket=${socketPath}`),
  );
}

/** Runs one of the API's programs; its last line says what it did. */
async function runProgram(what: string, env: ApiEnvironment, file: string, ...args: string[]) {
  const { stdout } = await runToEnd(what, process.execPath, apiProgram(file, ...args), { env });
  return { said: stdout.trim().split("\n").at(-1) ?? "", value: undefined };
}
