import { join } from "node:path";
import { runToEnd } from "./child-process.ts";
import { readOrCreateToken } from "./data-folder.ts";
import { findFreePort } from "./ports.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "./private-database.ts";
import { step } from "./report.ts";
import { type ApiEnvironment, apiProgram } from "./services.ts";
import type { Session } from "./session.ts";

const BUILD = join(import.meta.dirname, "..", "..", "site", "commands", "build.ts");

/** Builds the site unless the last build was made from the same input. Returns what it did, and its warnings. */
export async function buildSite(): Promise<{ summary: string; warnings: string; value: undefined }> {
  // Not through a package manager: it would leave Astro behind when we are killed.
  const { stdout, stderr } = await runToEnd("Building the site", process.execPath, [BUILD, "--if-changed"]);
  return { summary: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
}

/** The API's settings: what was set, and what the starter provides in its place, the private database started. */
export async function provideApiEnvironment(session: Session): Promise<ApiEnvironment> {
  const { settings } = session;
  return {
    ...settings.environment,
    API_PORT: String(settings.apiPort ?? (await findFreePort())),
    METRICS_PORT: String(settings.metricsPort ?? (await findFreePort())),
    BASE_URL: settings.baseUrl,
    DATABASE_URL: await openDatabase(session),
    ERP_PULL_API_TOKEN: settings.token ?? readOrCreateToken(settings.dataDir),
  };
}

/** Opens the private database, or none where DATABASE_URL names a server of one's own. Returns the URL to use. */
async function openDatabase({ settings, folder, supervisor }: Session): Promise<string> {
  if (settings.databaseUrl) return settings.databaseUrl;
  return step("database", async () => {
    await supervisor.add({
      start: () => startPrivateDatabase(folder.runtime),
      stopSignal: "SIGTERM",
      // Killed it loses nothing either; it only takes longer to start again.
      stopTimeoutMs: 1_500,
    });
    return { summary: "private MariaDB", value: privateDatabaseAddress(folder.runtime).url };
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
  return { summary: stdout.trim().split("\n").at(-1) ?? "", value: undefined };
}
