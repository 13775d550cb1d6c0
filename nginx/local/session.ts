import { rmSync } from "node:fs";
import { SettingsError } from "../../api/env.ts";
import { type DataFolder, lockDataFolder, openDataFolder } from "./data-folder.ts";
import { ensurePortIsFree } from "./ports.ts";
import { step } from "./report.ts";
import { localUrl } from "./services.ts";
import { type LocalSettings, readEnvironment, readLocalSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";
import { ensureSystemPackages } from "./system-packages.ts";

export interface Session {
  settings: LocalSettings;
  folder: DataFolder;
  supervisor: Supervisor;
}

/**
 * Prints the title and runs `open` with settings, packages, port and data folder made sure of, until a signal or a failure ends it.
 * Whatever happens, every child is stopped and the runtime folder removed; a failure is one message and exit code 1.
 */
export async function runSession(title: string, open: (session: Session) => Promise<void>): Promise<void> {
  console.log(`\n${title}\n`);
  let folder: DataFolder | undefined;
  let closing = false;
  const close = async (exitCode: number, message?: string) => {
    if (closing) return;
    closing = true;
    process.exitCode = exitCode;
    if (message) console.error(`\n${message}\n`);
    await supervisor.stop();
    if (folder) rmSync(folder.runtime, { recursive: true, force: true });
    process.exit();
  };
  const supervisor = createSupervisor((reason) => void close(1, `${reason} Its log is in the data folder's logs/.`));
  closeOnSignals(close, () => closing, supervisor);
  try {
    const settings = readLocalSettings(readEnvironment());
    await step("packages", async () => ({ said: describe(ensureSystemPackages()), value: undefined }));
    await lockDataFolder(settings.dataDir, localUrl(settings));
    await ensurePortIsFree("PORT", settings.host, settings.port);
    if (settings.metricsPort) await ensurePortIsFree("METRICS_PORT", "127.0.0.1", settings.metricsPort);
    if (settings.apiPort) await ensurePortIsFree("API_PORT", "127.0.0.1", settings.apiPort);
    folder = openDataFolder(settings.dataDir);
    await open({ settings, folder, supervisor });
  } catch (error) {
    // A start that was interrupted fails in all sorts of ways; its end has been said already.
    await close(1, explain(error));
  }
}

function closeOnSignals(
  close: (code: number) => Promise<void>,
  isClosing: () => boolean,
  supervisor: Supervisor,
): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (isClosing() && signal === "SIGINT") {
        supervisor.kill();
      } else {
        console.log("\nStopping … (Ctrl-C again does not wait for anything)");
        void close(0);
      }
    });
  }
}

const describe = (installed: string[]) =>
  installed.length === 0 ? "nginx and MariaDB are there" : `installed ${installed.length} system packages`;

function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
