import { join } from "node:path";
import { runToEnd } from "./child-process.ts";
import { localRepository, takeOverCheckout } from "./content-repository.ts";
import { mailFolder, readOrCreateToken } from "./data-folder.ts";
import { findFreePort, localAdminOrigin } from "./ports.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "./private-database.ts";
import { step } from "./report.ts";
import type { ShopRun } from "./run.ts";
import { type ApiEnvironment, apiProgram } from "./services.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const BUILD = join(ROOT, "site", "commands", "build.ts");

/** Brings the content repository up to date with the checkout, unless CONTENT_REPOSITORY names one. Returns its path. */
export async function provideContent({ settings, folder }: ShopRun): Promise<string> {
  if (settings.contentRepository) return settings.contentRepository;
  return step("content", async () => {
    const repository = localRepository(folder.path);
    return { summary: await takeOverCheckout(settings.contentRoot, repository), value: repository };
  });
}

/** Builds the site unless the last build was made from the same input. Returns what it did, and its warnings. */
export async function buildSite(repository: string): Promise<{ summary: string; warnings: string; value: undefined }> {
  const env = { CONTENT_REPOSITORY: repository };
  // Not through npm, which would leave Astro running when this process is killed.
  const { stdout, stderr } = await runToEnd("Building the site", process.execPath, [BUILD, "--if-changed"], { env });
  return { summary: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
}

/** Starts the private database if needed. Returns the API's environment, with a value for everything that isn't set. */
export async function provideApiEnvironment(run: ShopRun): Promise<ApiEnvironment> {
  const { settings } = run;
  return {
    ...settings.environment,
    API_PORT: String(settings.apiPort ?? (await findFreePort())),
    METRICS_PORT: String(settings.metricsPort ?? (await findFreePort())),
    BASE_URL: settings.baseUrl,
    ADMIN_ORIGIN: settings.environment["ADMIN_ORIGIN"] ?? localAdminOrigin(settings),
    DATABASE_URL: await openDatabase(run),
    ERP_PULL_API_TOKEN: settings.token ?? readOrCreateToken(settings.dataDir),
    ...(sendsMails(run) ? {} : { MAIL_FOLDER: mailFolder(run.folder.path) }),
  };
}

/** Whether SMTP_URL or MAIL_FOLDER says where mails go; otherwise they are kept in DATA_DIR. */
const sendsMails = ({ settings: { environment } }: ShopRun): boolean =>
  Boolean(environment["SMTP_URL"] || environment["MAIL_FOLDER"]);

/** Starts the private database unless DATABASE_URL is set. Returns the URL to use. */
async function openDatabase({ settings, folder, supervisor }: ShopRun): Promise<string> {
  if (settings.databaseUrl) return settings.databaseUrl;
  return step("database", async () => {
    await supervisor.add({
      start: () => startPrivateDatabase(folder.runtime),
      stopSignal: "SIGTERM",
      // SIGKILL loses no data; it only makes the next start slower.
      stopTimeoutMs: 1_500,
    });
    return { summary: "private MariaDB", value: privateDatabaseAddress(folder.runtime).url };
  });
}

/**
 * Migrates, imports the site's `files` for the API (default: those of the last build) and, only in the private database of
 * the demo shop, adds demo orders.
 */
export async function fillDatabase(
  { settings, folder }: ShopRun,
  env: ApiEnvironment,
  files: string[] = [],
): Promise<void> {
  await step("tables", () => runProgram("Migrating the database", env, "commands/migrate.ts"));
  await step("catalogue", () => runProgram("Importing the catalogue", env, "commands/import.ts", ...files));
  if (settings.databaseUrl || !isDemo(settings)) return;
  const { socketPath } = privateDatabaseAddress(folder.runtime);
  await step("orders", () => runProgram("Adding demo orders", env, "commands/demo-orders.ts", socketPath));
}

/** Whether the content is that of this checkout, which is the demo's. */
const isDemo = ({ environment }: ShopRun["settings"]): boolean =>
  !environment["CONTENT_ROOT"] && !environment["CONTENT_REPOSITORY"];

/** Where editors write and, while nobody has a passkey, a link with which the first makes one; undefined without /admin. */
export async function inviteEditor(env: ApiEnvironment): Promise<string | undefined> {
  if (!env["CONTENT_REPOSITORY"]) return undefined;
  const program = apiProgram("commands/editor.ts", "first", "Editor", "editor@localhost");
  const { stdout } = await runToEnd("Inviting the first editor", process.execPath, program, { env });
  const [link] = /\S+#\S+/.exec(stdout) ?? [];
  return `${env["ADMIN_ORIGIN"]}/admin${link ? `; to make your passkey, once:\n               ${link}` : ""}`;
}

/** Runs one of the API's programs. Its last line is the summary. */
async function runProgram(what: string, env: ApiEnvironment, file: string, ...args: string[]) {
  const { stdout } = await runToEnd(what, process.execPath, apiProgram(file, ...args), { env });
  return { summary: stdout.trim().split("\n").at(-1) ?? "", value: undefined };
}
